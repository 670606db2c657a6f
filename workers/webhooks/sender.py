"""One signed POST to a webhook: Standard Webhooks 1.0, and only to where a webhook may lead.

The name is asked for once, the address is judged, and that very address is connected to, so that a name that
leads elsewhere the next moment is of no use; TLS still checks the name. No redirect is followed, no proxy
and no netrc of this machine is used, and little of the answer is read. An attempt is over after a few
seconds, however slowly a receiver talks; once it has said a status, that counts.
"""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from threading import Thread
from typing import Any

import requests
import standardwebhooks
import urllib3
from requests.adapters import HTTPAdapter
from requests_hardened.client import HTTPSession
from requests_hardened.config import Config
from requests_hardened.ip_filter import InvalidIPAddress
from requests_hardened.ip_filter_adapter import IPFilterAdapter

from service.webhooks.model import Delivery, Webhook
from service.webhooks.url_policy import public
from workers.webhooks.attempt import ENOUGH, LATE, POOLS, UNDER_WAY, Outcome, UnderWay

DEADLINE_S = 5.0  # for an attempt in all: name, connection, headers and body
AGENT = "Bricabrac-Webhooks/1"
MANNERS = Config(
    ip_filter_enable=False,  # ours is mounted
    ip_filter_allow_loopback_ips=False,
    never_redirect=True,
    default_timeout=(DEADLINE_S, DEADLINE_S),
    user_agent_override=AGENT,
)


class Guard(IPFilterAdapter):  # type: ignore[misc]  # untyped base
    """Connects to the address that was judged; hosts that the operator names are not judged."""

    def __init__(self, allowed: Collection[str], **named: Any) -> None:
        super().__init__(**named)
        self.allowed = allowed

    def init_poolmanager(self, *words: Any, **named: Any) -> None:
        """Connections that can be watched and cut."""
        super().init_poolmanager(*words, **named)
        self.poolmanager.pool_classes_by_scheme = POOLS

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


def post(webhook: Webhook, delivery: Delivery, allowed: Collection[str], now: int) -> Outcome:
    """Send a delivery once and say how it went, also if it did not go at all; done within DEADLINE_S."""
    under_way = UnderWay(now)
    sent = {"data": delivery.body.encode(), "headers": _headers(webhook, delivery, now)}
    sending = Thread(target=_send, args=(under_way, webhook.url, sent, allowed), daemon=True)
    sending.start()
    sending.join(DEADLINE_S)
    if sending.is_alive():
        under_way.cut()
    return under_way.outcome()


def _send(under_way: UnderWay, url: str, sent: Mapping[str, Any], allowed: Collection[str]) -> None:
    """Send and listen until the answer has ended, enough of it is there, or the line is cut."""
    UNDER_WAY.set(under_way)
    try:
        with _session(allowed) as session, session.post(url, stream=True, **sent) as response:
            under_way.wait_ms = asked_wait(response, under_way.began)
            while len(under_way.body) < ENOUGH and (piece := response.raw.read1(ENOUGH, decode_content=True)):
                under_way.body += piece
    except InvalidIPAddress:
        under_way.fail("The host has no public address.")
    except requests.Timeout:
        under_way.fail(LATE)
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, UnicodeError):
        under_way.fail("There was no connection, or no answer that can be read.")
    finally:
        under_way.close()


def _session(allowed: Collection[str]) -> HTTPSession:
    session = HTTPSession(MANNERS)
    session.trust_env = False
    session.mount("http://", Guard(allowed, is_https_proto=False))
    session.mount("https://", Guard(allowed, is_https_proto=True))
    return session


def _headers(webhook: Webhook, delivery: Delivery, now: int) -> dict[str, str]:
    moment = datetime.fromtimestamp(now // 1000, UTC)
    signed = [
        standardwebhooks.Webhook(secret).sign(delivery.id, moment, delivery.body)
        for secret in webhook.signing(now)
    ]
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
