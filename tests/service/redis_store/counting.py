"""How many commands a piece of work costs the store: the servers' own count, less what the counting costs."""

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeAlias

from service.live.broadcaster import READER
from service.redis_store.client import Client
from tests.service.redis_store.appends import every_server

Counted: TypeAlias = Callable[[Callable[[], Any]], int]
OURS = {"cmdstat_info", "cmdstat_config|resetstat", "cmdstat_ping", "cmdstat_cluster|slots"}


def counting(client: Client) -> Counted:
    """What counts the commands of a piece of work, those of scripts included; nobody else may be at work."""
    store: Any = client
    for thread in threading.enumerate():
        if thread.name == READER and thread._target.__self__.closing:  # of an earlier test, in its last read
            thread.join()

    def counted(work: Callable[[], Any]) -> int:
        before = _calls(store)
        work()
        return (_calls(store) - before).total()

    return counted


def _calls(store: Any) -> Counter[str]:
    told = store.info("commandstats", **every_server(store))
    nodes = told.values() if every_server(store) else [told]
    calls = Counter[str]()
    for node in nodes:
        calls.update({name: row["calls"] for name, row in node.items() if name not in OURS})
    return calls
