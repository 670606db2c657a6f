"""The one place where everything is wired: HTTP, workers, the command line and the tests begin here."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from service.auth.signing_keys import Signer
from service.dependencies import Dependencies
from service.matches.play import Play
from service.rate_limits.limiter import Limiter
from service.rate_limits.policy import NAMES, Policy, policy_of
from service.redis_store.api_keys import RedisApiKeys
from service.redis_store.client import Client, connect
from service.redis_store.counters import RedisCounters
from service.redis_store.dead_letters import DeadLetters
from service.redis_store.deployment import RedisDeployment
from service.redis_store.feed_tail import RedisFeedReader
from service.redis_store.heartbeats import RedisHeartbeats
from service.redis_store.journal import RedisJournal
from service.redis_store.progress import RedisProgress
from service.redis_store.signing_keys import RedisSigningKeys
from service.redis_store.tickets import RedisTickets
from service.redis_store.webhooks import RedisWebhooks
from service.settings import Settings, settings

PARTITIONS = 64


def bootstrap(client: Client, partitions: int = PARTITIONS, **given: Any) -> Dependencies:
    """Everything over one client of the store.

    Whatever is `given`, by the name of its field, takes the place of what would be made: a fake, or a part
    that is set up otherwise. TypeError for a name that is no field.
    """
    made: dict[str, Callable[[], Any]] = {
        "play": lambda: Play(RedisJournal(client, partitions)),
        "keys": lambda: RedisApiKeys(client),
        "limiter": lambda: Limiter(RedisCounters(client), policies_of(settings())),
        "tickets": lambda: RedisTickets(client),
        "tail": lambda: RedisFeedReader(client, partitions),
        "webhooks": lambda: RedisWebhooks(client),
        "deployment": lambda: RedisDeployment(client),
        "signer": lambda: Signer(RedisSigningKeys(client), settings().signing_key),
        "heartbeats": lambda: RedisHeartbeats(client),
        "progress": lambda: RedisProgress(client, partitions),
    }
    return Dependencies(**{name: make() for name, make in made.items() if name not in given}, **given)


def policies_of(settings: Settings) -> Mapping[str, Policy]:
    """The rate limits that are on."""
    written = {name: getattr(settings, f"limit_{name}") for name in NAMES}
    return {name: policy_of(name, notation) for name, notation in written.items() if notation}


@cache
def dependencies() -> Dependencies:
    """Those of this process, by its settings: one client, connected to when it is first used."""
    return bootstrap(connect(settings().redis_url), settings().partitions)


@cache
def dead_letters() -> DeadLetters:
    """Where this process puts aside what is foreign."""
    return DeadLetters(connect(settings().redis_url))
