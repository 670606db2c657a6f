"""Real processes for the tests: a cluster of three embedded servers on loopback, and waiting for things."""

import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import combinations
from pathlib import Path

from redis import Redis

from service.run.data_folder import never
from service.run.embedded import EmbeddedError, EmbeddedServer

HOST = "127.0.0.1"
# Below what outgoing connections are given, as is a cluster's bus, 10000 higher: a restart finds them free.
PORTS = range(10_000, 22_000)

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


class TcpServer(EmbeddedServer):
    """An embedded server that is reached over TCP: as a node of a cluster, or as a store elsewhere."""

    def __init__(self, folder: Path, options: Mapping[str, str] = {}) -> None:
        super().__init__(folder, options)
        self._started = False
        self._pick_port()

    def _pick_port(self) -> None:
        self.port = secrets.choice(PORTS)
        self.options["port"] = str(self.port)

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}/0"

    def start(self, interrupted: Callable[[], bool] = never) -> None:
        """Start it, at first on whatever port is free: its own bind is the test."""
        while True:
            try:
                super().start(interrupted)
            except EmbeddedError as refused:
                if self._started or "in use" not in str(refused):
                    raise
                self._pick_port()
            else:
                self._started = True
                return


@contextmanager
def three_node_cluster(folder: Path) -> Iterator[list[TcpServer]]:
    """Three masters with a third of the slots each; RedisCluster.from_url takes the url of any."""
    options = {"cluster-enabled": "yes"}
    with ExitStack() as running:
        servers = [TcpServer(folder / f"node{n}", options=options) for n in range(NODES)]
        for server in servers:
            running.enter_context(server)
        _form_cluster(servers)
        yield servers


def _form_cluster(servers: Sequence[TcpServer]) -> None:
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
