"""A bot needs two requests a move: one that answers when it is its turn, and one that sends the command."""

from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from tests.conformance.test_bots import NODE, PYTHON, Bot, started, table_of
from tests.e2e.running import Service, running
from tests.e2e.test_readme import typed
from tests.pages import blocks

FEW = 4  # other requests of a bot: for its seat, for the score, for a turn that another took meanwhile


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("moves")) as found:
        yield found


def requests(service: Service) -> int:
    """How many requests the service has answered."""
    return service.output().count('"route":')


def moves(service: Service, match: str, seats: int) -> int:
    """How many commits of a match are of its people."""
    people = {f"seat:{seat}" for seat in range(seats)}
    with service.client() as client:
        log = client.get(f"/v1/matches/{match}/log", headers={"Accept": "application/x-ndjson"})
    return sum(orjson.loads(line)["by"] in people for line in log.content.splitlines()[1:-1])


@pytest.mark.parametrize("bot", [PYTHON, NODE], ids=["python", "javascript"])
@pytest.mark.parametrize(("game", "seats"), [("whatnot", 1), ("whatnot", 3), ("nonsense", 2), ("drawer", 2)])
def test_a_bot_needs_two_requests_a_move(service: Service, bot: Bot, game: str, seats: int) -> None:
    before = requests(service)
    bots = [started(bot, service.url, game, str(seats))]
    match = table_of(bots[0])
    bots += [started(bot, service.url, match) for _ in range(1, seats)]
    for one in bots:
        _, troubles = one.communicate(timeout=120)
        assert one.returncode == 0, troubles
    asked, moved = requests(service) - before, moves(service, match, seats)
    print(f"{asked} requests for {moved} moves: {asked / moved:.2f}")
    assert asked <= 2 * moved + FEW * seats


def test_the_loop_of_the_pages_needs_two_requests_a_move(service: Service, tmp_path: Path) -> None:
    before = requests(service)
    typed([*blocks("README.md", "sh")[1:], blocks("docs/playing.md", "sh")[0]], service, tmp_path)
    asked = requests(service) - before
    moved = moves(service, orjson.loads((tmp_path / "match.json").read_bytes())["match"]["id"], 1)
    print(f"{asked} requests for {moved} moves: {asked / moved:.2f}")
    assert asked <= 2 * moved + 2 * FEW  # it also makes the first choice by hand
