"""What is wrong with the address of a store: one sentence with the host and the cause, never the password."""

import ssl
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass
from threading import Thread
from urllib.parse import SplitResult, parse_qs, urlsplit

import redis
from redis.exceptions import InvalidResponse, NoPermissionError, RedisClusterException

from service.redis_store.client import CLUSTER, connect

SCHEMES = ("redis", "rediss", "unix")
DEADLINE_S = 9.0  # for an answer, however names are looked up and connections made
RETRY_INTERVAL_S = 0.2
TRANSIENT = (redis.ConnectionError, redis.TimeoutError, redis.BusyLoadingError, RedisClusterException)
UNREADABLE = (
    "cannot be read: write redis://:password@host:port/database, "
    "with %XX in place of special characters of the password"
)

WHYS: tuple[tuple[type[BaseException], str, str], ...] = (
    (Exception, "without any password configured", "asks for no password, and one is given"),
    (redis.AuthenticationError, "", "does not accept the user or the password, or none is given"),
    (Exception, "NOAUTH", "does not accept the user or the password, or none is given"),
    (Exception, "DB index", "has no database of that number"),
    (InvalidResponse, "", "is not a Redis or Valkey"),
    (redis.BusyLoadingError, "", "is still loading its data"),
    (TypeError, "", "has an option that is not known"),
    (ValueError, "", "has an option whose value is wrong"),
)


class StoreAddressError(Exception):
    """Why the store cannot be used, in one sentence for a person."""


@dataclass(frozen=True, slots=True)
class Address:
    """A store's address as a setting gives it; `shown` is what may be printed of it."""

    setting: str
    url: str
    shown: str
    secret: str

    def refusal(self, why: str) -> StoreAddressError:
        """The sentence."""
        safe = why.replace(self.secret, "…") if self.secret else why
        return StoreAddressError(f"{self.setting}: {self.shown} {' '.join(safe.split()).rstrip('.')}.")


def reach(setting: str, url: str, patience_s: float = 0.0) -> None:
    """Return once the store answers; StoreAddressError says why not, within ten seconds in any case.

    What may be a store that is just starting is tried again for `patience_s`.
    """
    address, answer = read(setting, url), Future[None]()
    Thread(target=_answer, args=(address, patience_s, answer), daemon=True).start()
    try:
        answer.result(DEADLINE_S)  # whoever looks up a name cannot be interrupted, only left behind
    except TimeoutError:
        raise address.refusal(f"does not answer within {DEADLINE_S:.0f} seconds{_hint(address)}") from None


def read(setting: str, url: str) -> Address:
    """The address in a setting; StoreAddressError if it is invalid."""
    plain = url.replace(CLUSTER, "redis://", 1)
    try:
        parts = urlsplit(plain)
        port = parts.port
    except ValueError:  # its message may quote a part of the password
        raise StoreAddressError(f"{setting} {UNREADABLE}.") from None
    if parts.scheme not in SCHEMES or "://" not in plain:
        raise StoreAddressError(f"{setting} must begin with redis://, rediss://, unix:// or {CLUSTER}.")
    local = parts.scheme == "unix"
    if parts.fragment or (not local and "@" in parts.path + parts.query) or (local and not parts.path):
        raise StoreAddressError(f"{setting} {UNREADABLE}.")
    place = parts.path if local else f"{parts.hostname or 'localhost'}:{port or 6379}"
    address = Address(setting, url, f"{url.partition('://')[0]}://{place}", parts.password or "")
    for database in _databases(parts, local=local):
        if not (database.isascii() and database.isdigit()):
            raise address.refusal("names a database that is not a number")
        if url.startswith(CLUSTER) and int(database):
            raise address.refusal("names a database, and a cluster has only the first, 0")
    return address


def _databases(parts: SplitResult, *, local: bool) -> Iterator[str]:
    if not local and parts.path.strip("/"):
        yield parts.path.strip("/")
    yield from parse_qs(parts.query).get("db", [])


def _answer(address: Address, patience_s: float, answer: Future[None]) -> None:
    give_up = time.monotonic() + patience_s
    while True:
        try:
            with closing(connect(address.url)) as client:
                client.ping()  # type: ignore[no-untyped-call, unused-ignore]
        except NoPermissionError:
            answer.set_result(None)  # it is the store, and says later what it does not allow
        except Exception as error:  # noqa: BLE001  all of them are said, in the thread that waits
            if _transient(error) and time.monotonic() < give_up:
                time.sleep(RETRY_INTERVAL_S)
                continue
            answer.set_exception(address.refusal(_why(error, address)))
        else:
            answer.set_result(None)
        return


def _transient(error: Exception) -> bool:
    return isinstance(error, TRANSIENT) and not isinstance(error, redis.AuthenticationError)


def _why(error: BaseException, address: Address) -> str:
    chain = list(_causes(error))
    said = " ".join(map(str, chain))
    known = (why for kind, words, why in WHYS if isinstance(error, kind) and words in said)
    if any(isinstance(each, ssl.SSLError) for each in chain):
        return f"cannot be reached with TLS: {chain[-1]}"
    return next(known, None) or f"does not answer: {_cause(chain)}{_hint(address)}"


def _cause(chain: list[BaseException]) -> str:
    """The system's own words where it refused, else those of the client."""
    for each in reversed(chain):
        if isinstance(each, OSError) and each.strerror:
            return each.strerror
    return str(chain[0])


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _hint(address: Address) -> str:
    if address.url.startswith("rediss://"):
        return " (rediss:// is for a server that speaks TLS)"
    return ""
