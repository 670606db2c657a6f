"""What every read of the API costs the store, in commands: the same in a small store and in a large one.

The table has to name every GET operation of the description, so that a new one is counted too.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from flask.testing import FlaskClient

from domain.match.actors import HOST
from domain.match.commands import CloseMatch, IssueInvite, RotateToken
from service.auth.api_keys import new_key
from service.bootstrap import bootstrap
from service.clock import now
from service.live import feed_cursor
from service.matches.play import Play
from service.matches.requests import Request
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from service.webhooks.model import Delivery
from tests.service.http.contract import Contract
from tests.service.http.table import JSON, Table, another_process, lay, named, post, private_table
from tests.service.redis_store.appends import appending
from tests.service.redis_store.counting import counting

SMALL, LARGE = 6, 300
PARTITIONS = 64
LISTED = (
    2 * PARTITIONS + 201
)  # a page of the list: partitions, a few of them twice, and the heads of its rows
WIDE = {"listMatches": LISTED, "checkReadiness": 4 * PARTITIONS}  # what asks every partition
SLACK = 4  # commands that a read may cost more or less with what it finds
FEW = 32  # a page of three commits of three matches, read for the first time, is the most

WHO = Mapping[str, str]


class World:
    """A store that grows in everything there may be much of."""

    def __init__(self, server: EmbeddedServer) -> None:
        self.server, self.size = server, 0
        self.client, self.play = another_process(server)
        self.journal: Any = self.play.journal
        self.side = bootstrap(self.journal.client)
        self.public, self.private = lay(self.client, self.play), private_table(self.client, self.play)
        self.key = {
            "Authorization": f"Bearer {new_key(self.side.keys, 'A tool', ['webhooks', 'create'], 0)[1]}"
        }
        made = post(self.client, "/v1/webhooks", {"url": "https://8.8.8.8/"}, self.key)
        self.hook: str = made.json["id"]

    def grow(self, size: int) -> None:
        """More matches of every status, seen and unseen, longer logs, more invites, keys and deliveries."""
        for number in range(self.size, size):
            for game in ("whatnot", "drawer"):
                self.lay(game, number)
            hidden = {"game": "whatnot", "status": "playing"}
            self.journal.append(appending(f"m_hidden{number}", count=10, fields=hidden))
            new_key(self.side.keys, "Another", [], 0)
            self.side.webhooks.deliver(
                Delivery(f"{self.hook}-{number}", self.hook, "ping", "{}", number), 10**15
            )
        more = size - self.size
        for table, commands in (
            (self.public, [RotateToken()] * more),
            (self.private, [IssueInvite(f"{number:064}", "spectator") for number in range(self.size, size)]),
        ):
            self.do(table, commands)
        for _ in range(min(size, 19) - min(self.size, 19)):
            assert post(self.client, "/v1/webhooks", {"url": "https://8.8.8.8/"}, self.key).status_code == 201
        self.size = size

    def lay(self, game: str, number: int) -> None:
        """One more public match: open, playing or closed."""
        seats = named("Ann", "Bob") if number % 3 else [*named("Ann"), {"open": True}]
        table = lay(self.client, self.play, seats, self.key, game=game)
        if number % 3 == 2:
            self.do(table, [CloseMatch()])

    def do(self, table: Table, commands: list[Any]) -> None:
        """Commit these in a match, as its host."""
        for first in range(0, len(commands), 50):
            self.play.do(self.play.load(table.id), commands[first : first + 50], Request(HOST))

    def cursor(self) -> str:
        """The beginning of the feed."""
        return feed_cursor.written((b"0-0",) * PARTITIONS, now(), self.side.deployment.secret())


def of_public(part: str) -> Callable[[World], tuple[str, WHO]]:
    return lambda world: (f"{world.public.url}{part}", world.public.bearer("seat:0"))


def of_key(path: str) -> Callable[[World], tuple[str, WHO]]:
    return lambda world: (path.format(hook=world.hook, cursor=world.cursor()), world.key)


def of_anybody(path: str) -> Callable[[World], tuple[str, WHO]]:
    return lambda _: (path, {})


READS: Mapping[str, tuple[Callable[[World], tuple[str, WHO]], ...]] = {
    "listGames": (of_anybody("/v1/games"),),
    "getGame": (of_anybody("/v1/games/whatnot"),),
    "readRules": (of_anybody("/v1/games/whatnot/rules"),),
    "readCommonRules": (of_anybody("/v1/rules"),),
    "listMatches": (
        *map(
            of_anybody,
            ("/v1/matches", *(
                f"/v1/matches?{query}"
                for query in ("limit=1", "limit=200", "status=open", "game=drawer",
                              "game=whatnot&status=closed", "status=scoring")
            )),
        ),
        *map(of_key, ("/v1/matches?mine=true", "/v1/matches?mine=true&limit=200&status=open&game=drawer")),
        lambda world: ("/v1/matches?mine=true", world.private.bearer("seat:0")),
    ),
    "getMatch": (of_public(""), of_public("?at=2")),
    "listLegalCommands": (of_public("/legal"),),
    "getScore": (of_public("/score"),),
    "listInvites": (lambda world: (f"{world.private.url}/invites", world.private.bearer("host")),),
    "readLog": (of_public("/log"), of_public("/log?limit=500&after=2"), of_public("/log?limit=1")),
    "readFeed": tuple(
        of_key(f"/v1/feed?{query}cursor={{cursor}}") for query in ("limit=1&", "limit=3&")
    ),
    "listWebhooks": (of_key("/v1/webhooks"),),
    "getWebhook": (of_key("/v1/webhooks/{hook}"),),
    "listDeliveries": (of_key("/v1/webhooks/{hook}/deliveries"),),
    "listLimits": (of_key("/v1/limits"),),
    "readSigningKeys": (of_anybody("/.well-known/bricabrac-keys"),),
    "readIndex": (of_anybody("/"),),
    "checkLiveness": (of_anybody("/livez"),),
    "checkReadiness": (of_anybody("/readyz"),),
    "readOpenapi": (of_anybody("/openapi.yaml"),),
    "readDocs": (of_anybody("/docs"),),
    "readGuide": (of_anybody("/docs/verifying"),),
    "listProblems": (of_anybody("/problems"),),
    "explainProblem": (of_anybody("/problems/match_over"),),
}  # fmt: skip


def test_every_read_of_the_description_is_counted(client: FlaskClient) -> None:
    document = Contract(client.application).document
    reads = {methods["get"]["operationId"] for methods in document["paths"].values() if "get" in methods}
    assert set(READS) == reads


@pytest.fixture
def world(own_server: EmbeddedServer) -> World:
    return World(own_server)


def costs(world: World) -> dict[str, tuple[int, int]]:
    """Of each read, what it costs a process that has just begun, and what it costs again."""
    counted = counting(world.journal.client)
    found = dict[str, tuple[int, int]]()
    for name, variants in READS.items():
        for number, variant in enumerate(variants):
            path, who = variant(world)
            fresh, _ = another_process(world.server)
            fresh.get("/readyz")  # its connection is made

            def read(path: str = path, who: WHO = who, fresh: FlaskClient = fresh) -> None:
                told = fresh.get(path, headers={"Accept": f"{JSON}, */*;q=0.1", **who}, buffered=True)
                assert told.status_code == 200 or path == "/readyz", (
                    path,
                    told.text,
                )  # no relay is at work here

            found[f"{name} {number}"] = counted(read), counted(read)
    return found


def test_no_read_costs_more_in_a_large_store_than_in_a_small_one(world: World) -> None:
    world.grow(SMALL)
    small = costs(world)
    world.grow(LARGE)
    Play(RedisJournal(world.journal.client)).load(world.public.id)  # leaves a snapshot, as any process does
    Play(RedisJournal(world.journal.client)).load(world.private.id)
    large = costs(world)
    for read, before in small.items():
        most = WIDE.get(read.partition(" ")[0])
        for first, then in zip(before, large[read], strict=True):
            assert then <= (most or min(FEW, first + SLACK)), (read, before, large[read])
