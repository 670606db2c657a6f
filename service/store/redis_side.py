"""Everything beside the matches, in Redis."""

from collections.abc import Mapping

from service.policies import Policy, policies_of
from service.rates import Limiter
from service.settings import settings
from service.side import Side
from service.store.redis_client import Client
from service.store.redis_deployment import RedisDeployment
from service.store.redis_heartbeats import RedisHeartbeats
from service.store.redis_hooks import RedisHookBook
from service.store.redis_keys import RedisKeyRing
from service.store.redis_progress import RedisProgress
from service.store.redis_tail import RedisTail
from service.store.redis_tally import RedisTally
from service.store.redis_tickets import RedisTickets


def redis_side(client: Client, partitions: int = 64, policies: Mapping[str, Policy] | None = None) -> Side:
    """All ports over one client; the limits are those of the settings, unless others are given."""
    limits = policies_of(settings()) if policies is None else policies
    return Side(
        keys=RedisKeyRing(client),
        limiter=Limiter(RedisTally(client), limits),
        tickets=RedisTickets(client),
        tail=RedisTail(client, partitions),
        hooks=RedisHookBook(client),
        deployment=RedisDeployment(client),
        heartbeats=RedisHeartbeats(client),
        progress=RedisProgress(client, partitions),
    )
