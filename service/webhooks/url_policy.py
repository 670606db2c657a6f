"""Which URLs webhooks may have: public addresses, and hosts that the operator allows (WEBHOOK_HOSTS).

It is judged when it is registered and, on the very address that is connected to, at every delivery; for a
name may lead elsewhere the next time it is asked for.
"""

import socket
from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TypeAlias
from urllib.parse import SplitResult, urlsplit

Address: TypeAlias = IPv4Address | IPv6Address
UNICAST = ip_network("2000::/3")  # all that is given out to networks in IPv6
NOT_PUBLIC = tuple(
    ip_network(net)
    for net in (
        "168.63.129.16/32",  # a cloud's own, in every network of it
        "192.0.0.0/24",  # protocols' own, and a cloud's
        "192.88.99.0/24",  # 6to4 relays
        "2001::/23",  # Teredo, ORCHID, and other protocols' own
        "2002::/16",  # 6to4: an IPv4 address inside
        "3fff::/20",  # documentation
    )
)


def public(address: Address) -> bool:
    """Whether an address is somebody's on the public Internet."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return public(address.ipv4_mapped)
        if address not in UNICAST:
            return False
    if not address.is_global or address.is_multicast or address.is_reserved:
        return False
    return not any(address in net for net in NOT_PUBLIC)


def refusal(url: str, allowed: Collection[str]) -> str | None:
    """What is wrong with a URL to send to, in a sentence; None if nothing is."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "Must be a URL."
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        return "Must be a URL with http or https and a host."
    if not url.isascii() or not url.isprintable() or any(sign in url for sign in " \\"):
        return "Must be written in visible ASCII."
    if parts.username is not None or parts.password is not None or parts.fragment:
        return "Must not have credentials or a fragment."
    if parts.hostname.lower() in allowed or _leads_outside(parts, port):
        return None
    return "The host has no public address."


def _leads_outside(parts: SplitResult, port: int | None) -> bool:
    try:
        found = socket.getaddrinfo(parts.hostname, port or 443, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    addresses = [ip_address(str(place[0]).partition("%")[0]) for *_, place in found]
    return bool(addresses) and all(map(public, addresses))
