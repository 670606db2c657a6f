"""Everything beside the matches, in Redis."""

from service.side import Side
from service.store.redis_client import Client
from service.store.redis_hooks import RedisHookBook
from service.store.redis_keys import RedisKeyRing


def redis_side(client: Client) -> Side:
    """All ports over one client."""
    return Side(keys=RedisKeyRing(client), hooks=RedisHookBook(client))
