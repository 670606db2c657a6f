"""The connection to the store is cut as a write is sent: nobody can know; the repeat gives the truth."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.bootstrap import bootstrap
from service.http.app import create_app
from service.matches.play import Play
from service.redis_store.client import connect
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from tests.service.http.limited import limit
from tests.service.http.table import Table, lay, named, post, problem
from tests.service.redis_store.line import Cut, Line, line_to

COLUMN = {"type": "choose_column", "column": 3}
KEY = {"Idempotency-Key": "a-key-of-sixteen-or-more"}
SEED = "07" * 32
ASKED = {"game": "whatnot", "seats": named("Ann", "Bob"), "seed": SEED}


@dataclass(frozen=True)
class Weak:
    """An application whose line to the store can be cut, and another one that looks on by a good line."""

    client: FlaskClient
    line: Line
    good: FlaskClient
    journal: RedisJournal

    def versions(self, table: Table) -> list[int]:
        return [entry.version for entry in self.journal.read(table.id, 0)]


@pytest.fixture
def weak(server: EmbeddedServer, journal: RedisJournal, client: FlaskClient) -> Iterator[Weak]:
    with line_to(server) as line:
        cut_off: Any = connect(line.url)
        application = create_app(bootstrap(cut_off, play=Play(RedisJournal(cut_off))))
        yield Weak(application.test_client(), line, client, journal)
        cut_off.close()


CUTS = pytest.mark.parametrize("cut", ["request", "answer"])
APPEND = b"EVALSHA"  # a script is sent: of all trips of a write, the append


def unknown_then_true(weak: Weak, cut: Cut, send: Callable[[], TestResponse]) -> TestResponse:
    """Cut the append of a request, then send it again, and again."""
    weak.line.of, weak.line.cut = APPEND, cut
    lost = send()
    problem(lost, 503, "outcome_unknown")
    assert int(lost.headers["Retry-After"]) >= 1
    truth, once_more = send(), send()
    assert (truth.status_code, once_more.status_code) == (201, 201)
    assert once_more.data == truth.data
    assert ("Idempotent-Replayed" in truth.headers) == (cut == "answer"), "it was stored, or it was not"
    assert once_more.headers["Idempotent-Replayed"] == "true"
    return truth


@pytest.fixture
def table(weak: Weak, play: Play) -> Table:
    """A match that is known on both sides of the line."""
    return lay(weak.client, play, seed=SEED)


@CUTS
@pytest.mark.parametrize("version", [{}, {"If-Match": '"v1"'}], ids=["any version", "one version"])
def test_a_command_is_one_commit(weak: Weak, table: Table, cut: Cut, version: dict[str, str]) -> None:
    who = table.acting
    unknown_then_true(weak, cut, lambda: table.send(COLUMN, who, KEY | version))
    assert weak.versions(table) == [1, 2]


@CUTS
def test_a_batch_is_stored_whole_and_once(weak: Weak, table: Table, cut: Cut) -> None:
    who = table.acting
    table.send(COLUMN, who)
    takes = [command for command in table.legal(who) if "row" in command]
    another = next(take for take in reversed(takes) if take["tile"] != takes[0]["tile"])
    unknown_then_true(weak, cut, lambda: table.send([takes[0], another], who, KEY))
    assert weak.versions(table) == [1, 2, 3, 4]


@CUTS
def test_a_creation_is_one_match_with_tokens_that_are_good(weak: Weak, play: Play, cut: Cut) -> None:
    lay(weak.client, play)  # the script is known, the connection is made
    made = unknown_then_true(weak, cut, lambda: post(weak.client, "/v1/matches", ASKED, KEY)).json
    table = Table(weak.good, play, made["match"]["id"], made["tokens"])
    assert weak.versions(table) == [1]
    assert len(weak.good.get("/v1/matches").json["items"]) == 2
    assert table.send(COLUMN, table.acting).status_code == 201


@CUTS
def test_a_request_for_a_seat_is_one_seat(weak: Weak, play: Play, cut: Cut) -> None:
    table = lay(weak.client, play, [{"open": True}] * 3)
    taken = unknown_then_true(
        weak, cut, lambda: post(weak.client, f"{table.url}/seats", {"name": "Ann"}, KEY)
    )
    assert [seat["name"] for seat in table.get().json["seats"]] == ["Ann", None, None]
    mine = Table(weak.good, play, table.id, taken.json["tokens"])
    assert mine.get(who="seat:0").json["viewer"] == 0


@CUTS
def test_the_repeat_through_another_process_tells_the_truth_too(
    weak: Weak, play: Play, table: Table, cut: Cut
) -> None:
    who = table.acting
    weak.line.of, weak.line.cut = APPEND, cut
    problem(table.send(COLUMN, who, KEY), 503, "outcome_unknown")
    truth = Table(weak.good, play, table.id, table.tokens).send(COLUMN, who, KEY)
    assert truth.status_code == 201
    assert ("Idempotent-Replayed" in truth.headers) == (cut == "answer")
    assert table.send(COLUMN, who, KEY).data == truth.data
    assert weak.versions(table) == [1, 2]


@CUTS
def test_another_command_after_a_lost_one_is_judged_on_what_is_true(
    weak: Weak, table: Table, cut: Cut
) -> None:
    who, other = table.acting, {"type": "choose_column", "column": 4}
    weak.line.of, weak.line.cut = APPEND, cut
    problem(table.send(COLUMN, who, KEY), 503, "outcome_unknown")
    answer = table.send(other, who)
    if cut == "answer":
        problem(answer, 409, "illegal_command")
    else:
        assert answer.status_code == 201
    assert weak.versions(table) == [1, 2]


@CUTS
def test_a_count_whose_line_is_cut_costs_the_request_nothing(weak: Weak, table: Table, cut: Cut) -> None:
    who = table.acting
    limit(weak.client.application, writes=5)
    weak.line.of, weak.line.cut = APPEND, cut
    answer = table.send(COLUMN, who)
    assert answer.status_code == 201
    assert "RateLimit" not in answer.headers
    assert weak.versions(table) == [1, 2]
