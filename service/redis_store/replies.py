"""What the store has replied to a command, or that it has not: done, refused, or nobody knows."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import redis
from redis.exceptions import ClusterError, RedisClusterException, SlotNotCoveredError

from service.store.journal import OutcomeUnknownError, StoreFullError, StoreUnavailableError

LOST = (redis.ConnectionError, redis.TimeoutError, RedisClusterException, redis.InvalidResponse)
FAILURES = (*LOST, redis.ResponseError, ClusterError)  # all that a reply, or none, can be besides an answer
# Every reply of the store is one of three: done (no error), refused (below: nothing was done), unknown (the
# rest). A script is refused as a whole before it runs, or by its own checks before its first write.
REFUSALS: Mapping[str, type[StoreUnavailableError]] = {
    "OOM": StoreFullError,
    **dict.fromkeys(
        (
            "ASK", "BUSY", "CLUSTERDOWN", "CROSSSLOT", "EXECABORT", "LOADING", "MASTERDOWN", "MISCONF",
            "MOVED", "NOAUTH", "NOPERM", "NOREPLICAS", "NOSCRIPT", "READONLY", "TRYAGAIN", "WRONGPASS",
            "WRONGTYPE",
        ),
        StoreUnavailableError,
    ),
}  # fmt: skip
NEVER_RUN = (  # raised before a command is sent, or once every node has sent it elsewhere
    redis.AuthenticationError,
    redis.BusyLoadingError,
    redis.MaxConnectionsError,
    SlotNotCoveredError,
    ClusterError,
)
DISK_FULL = "No space left on device"  # what MISCONF gives as its reason
CODE = re.compile(r"(?:^|caused error: )([A-Z]+)\b")


def refused(error: Exception) -> StoreUnavailableError | None:
    """What an error says that was refused before anything was done; None if it does not say so."""
    if isinstance(error, NEVER_RUN):
        return StoreUnavailableError(str(error))
    kind = REFUSALS.get(code_of(error)) if isinstance(error, redis.ResponseError) else None
    if kind is None:
        return None
    return StoreFullError(str(error)) if DISK_FULL in str(error) else kind(str(error))


def code_of(error: redis.ResponseError) -> str:
    """The first word of an error reply, which says what kind it is; the client keeps some of them apart."""
    found = CODE.search(str(error))
    return error.status_code or (found[1] if found else "")


@contextmanager
def writing() -> Iterator[None]:
    """StoreUnavailableError where it was refused, OutcomeUnknownError where nobody knows."""
    try:
        yield
    except FAILURES as error:
        raise refused(error) or OutcomeUnknownError(str(error)) from error


@contextmanager
def reading() -> Iterator[None]:
    """Whatever goes wrong is StoreUnavailableError: a read changes nothing."""
    try:
        yield
    except FAILURES as error:
        raise refused(error) or StoreUnavailableError(str(error)) from error
