"""Which matches an API key may see."""

from service.auth.api_keys import EVERYBODY, ApiKey, sees
from service.matches.aggregate import Aggregate


def may_see(key: ApiKey, loaded: Aggregate) -> bool:
    """Whether a key sees a match: every public one, those it created, and with `read-all` all of them."""
    return sees(key, loaded.fields.get("owner", "") if loaded.state.created.private else EVERYBODY)
