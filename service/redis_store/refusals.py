"""What a store refuses, in a few words that may be shown to strangers: no addresses, no names."""

from collections.abc import Iterator
from contextlib import contextmanager

import redis
from redis.exceptions import NoPermissionError

from service.redis_store.replies import LOST
from service.store.journal import StoreUnavailableError

WORDS: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...] = (
    (redis.OutOfMemoryError, "it is full"),
    (redis.ReadOnlyError, "it is a read-only replica"),
    (NoPermissionError, "it does not give the rights that are needed"),
    (redis.BusyLoadingError, "it is loading its data"),
    (redis.AuthenticationError, "it does not accept the user or the password"),
    (LOST, "does not answer"),
)

NO_ROOM = "it takes no writes: no disk space, or no replica"
CODES = {"NOREPLICAS": NO_ROOM, "MISCONF": NO_ROOM}


def refusal(error: Exception) -> str:
    """Why the store refuses; the code of its answer where we have no words for it."""
    known = next((words for kind, words in WORDS if isinstance(error, kind)), None)
    code = str(error).split(" ", 1)[0]
    return known or CODES.get(code, f"it refuses with {code}")


@contextmanager
def asking() -> Iterator[None]:
    """For what is harmless to ask again: whatever goes wrong becomes StoreUnavailableError with its cause."""
    try:
        yield
    except (*LOST, redis.RedisError) as refused:
        raise StoreUnavailableError(refusal(refused)) from refused
