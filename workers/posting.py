"""One signed POST to a webhook: Standard Webhooks 1.0, and only to where a webhook may lead.

The name is asked for once, the address is judged, and that very address is connected to, so that a name that
leads elsewhere the next moment is of no use; TLS still checks the name. No redirect is followed, no proxy
and no netrc of this machine is used, and little of the answer is read.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from typing import Any

import requests
import urllib3
from requests.adapters import HTTPAdapter
from requests_hardened.client import HTTPSession
from requests_hardened.config import Config
from requests_hardened.ip_filter import InvalidIPAddress
from requests_hardened.ip_filter_adapter import IPFilterAdapter
from rq.timeouts import JobTimeoutException
from standardwebhooks import Webhook

from service.addresses import public
from service.hooks import Delivery, Hook

CONNECT, READ = 5.0, 15.0  # seconds without a sign of life
SNIPPET = 200  # characters of an answer that are kept
AGENT = "Bricabrac-Webhooks/1"
MANNERS = Config(
    ip_filter_enable=False,  # ours is mounted
    ip_filter_allow_loopback_ips=False,
    never_redirect=True,
    default_timeout=(CONNECT, READ),
    user_agent_override=AGENT,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt went: the status (None without an answer), a snippet, the wait that was asked for."""

    status: int | None
    snippet: str
    wait_ms: int = 0

    @property
    def taken(self) -> bool:
        """Whether it counts: any 2xx."""
        return self.status is not None and 200 <= self.status < 300


class Guard(IPFilterAdapter):  # type: ignore[misc]  # untyped base
    """Connects to the address that was judged; hosts that the operator names are not judged."""

    def __init__(self, allowed: Collection[str], **named: Any) -> None:
        super().__init__(**named)
        self.allowed = allowed

    def build_connection_pool_key_attributes(self, request: Any, verify: Any, cert: Any = None) -> Any:
        """Where requests is to connect to, with the name replaced by its address."""
        place, how = HTTPAdapter.build_connection_pool_key_attributes(self, request, verify, cert)
        if str(place["host"]).lower() in self.allowed:
            return place, how
        place, how = super().build_connection_pool_key_attributes(request, verify, cert)
        address = ip_address(place["host"].strip("[]"))
        if not public(address):
            raise InvalidIPAddress(address)
        return place, how


def post(hook: Hook, delivery: Delivery, allowed: Collection[str], now: int) -> Outcome:
    """Send a delivery once and say how it went, also if it did not go at all."""
    try:
        with _session(allowed) as session:
            sent = {"data": delivery.body.encode(), "headers": _headers(hook, delivery, now)}
            with session.post(hook.url, stream=True, **sent) as response:
                return Outcome(response.status_code, _snippet(response), asked_wait(response, now))
    except InvalidIPAddress:
        return Outcome(None, "Its host has no public address.")
    except (requests.Timeout, JobTimeoutException):
        return Outcome(None, "There was no complete answer in time.")
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, UnicodeError):
        return Outcome(None, "There was no connection, or no answer that can be read.")


def _snippet(response: requests.Response) -> str:
    """The beginning of an answer; its status counts, whether the rest can be read or not."""
    try:
        read = next(response.iter_content(4 * SNIPPET), b"")
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError):
        return ""
    return read.decode(errors="replace")[:SNIPPET]


def _session(allowed: Collection[str]) -> HTTPSession:
    session = HTTPSession(MANNERS)
    session.trust_env = False
    session.mount("http://", Guard(allowed, is_https_proto=False))
    session.mount("https://", Guard(allowed, is_https_proto=True))
    return session


def _headers(hook: Hook, delivery: Delivery, now: int) -> dict[str, str]:
    moment = datetime.fromtimestamp(now // 1000, UTC)
    signed = [Webhook(secret).sign(delivery.id, moment, delivery.body) for secret in hook.signing(now)]
    return {
        "Content-Type": "application/json",
        "Accept-Encoding": "identity",
        "webhook-id": delivery.id,
        "webhook-timestamp": str(now // 1000),
        "webhook-signature": " ".join(signed),
    }


def asked_wait(response: requests.Response, now: int) -> int:
    """The wait that Retry-After asks for (ms), where it counts: with 429 and 503."""
    asked = response.headers.get("Retry-After", "")
    if response.status_code not in (429, 503) or not asked:
        return 0
    if asked.isascii() and asked.isdecimal():
        return int(asked[:9]) * 1000
    try:
        return max(0, int(parsedate_to_datetime(asked).timestamp() * 1000) - now)
    except (ValueError, OverflowError):
        return 0
