"""Real processes for the tests: a cluster of three embedded servers on loopback, and waiting for things."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import combinations
from pathlib import Path

from redis import Redis

from service.embedded import HOST, EmbeddedServer

NODES = 3
SLOTS = 16384


def until(happened: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait for something to happen; AssertionError if it has not within so many seconds."""
    give_up = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < give_up, f"waited {seconds:.0f} seconds in vain"
        time.sleep(0.02)


def lives(pid: int) -> bool:
    """Whether the process is there and not a zombie whose exit status nobody fetched; Linux only."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


@contextmanager
def three_node_cluster(folder: Path) -> Iterator[list[EmbeddedServer]]:
    """Three masters with a third of the slots each; RedisCluster.from_url takes the url of any."""
    options = {"cluster-enabled": "yes"}
    with ExitStack() as running:
        servers = [EmbeddedServer(folder / f"node{n}", options=options) for n in range(NODES)]
        for server in servers:
            running.enter_context(server)
        _form_cluster(servers)
        yield servers


def _form_cluster(servers: Sequence[EmbeddedServer]) -> None:
    with ExitStack() as open_clients:
        nodes = [open_clients.enter_context(Redis.from_url(server.url)) for server in servers]
        for n, node in enumerate(nodes):
            node.cluster("SET-CONFIG-EPOCH", n + 1)
            node.cluster("ADDSLOTSRANGE", SLOTS * n // NODES, SLOTS * (n + 1) // NODES - 1)
        for (node, _), (_, other) in combinations(zip(nodes, servers, strict=True), 2):
            node.cluster("MEET", HOST, other.port)
        until(lambda: all(_sees_whole_cluster(node) for node in nodes))


def _sees_whole_cluster(node: Redis) -> bool:
    seen: dict[str, str] = node.cluster("INFO")
    return seen["cluster_state"] == "ok" and seen["cluster_known_nodes"] == str(NODES)
