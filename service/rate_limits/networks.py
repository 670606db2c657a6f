"""Groups addresses by caller: one IPv4 address, or one IPv6 network."""

import re
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

WITH_PORT = re.compile(r"^\[?([0-9.]+|[0-9a-f:.]+(?=\]))\]?:[0-9]+$")  # as some proxies write it
NETWORK_BITS = 64


@lru_cache(maxsize=4096)
def network_of(remote: str) -> str:
    """The address that calls, as one who is counted."""
    try:
        ip = ip_address(WITH_PORT.sub(r"\1", remote))
    except ValueError:  # a socket in the file system has none
        return f"address:{remote}"
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is None:
        return f"address:{ip_network((ip, NETWORK_BITS), strict=False)}"
    return f"address:{getattr(ip, 'ipv4_mapped', None) or ip}"
