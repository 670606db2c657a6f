"""Everything beside the matches, in Redis."""

from service.side import Side
from service.store.redis_client import Client
from service.store.redis_keys import RedisKeyRing
from service.store.redis_tail import RedisTail
from service.store.redis_tickets import RedisTickets


def redis_side(client: Client, partitions: int = 64) -> Side:
    """All ports over one client."""
    return Side(
        keys=RedisKeyRing(client),
        tickets=RedisTickets(client),
        tail=RedisTail(client, partitions),
    )
