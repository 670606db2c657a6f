"""Bots against everything real: server, gunicorn, relay, worker."""

from collections.abc import Iterator

import httpx
import pytest

from service.log.verify import verify
from tests.e2e.players import Table, play_in_parallel
from tests.e2e.running import Service, running
from tests.servers import until


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("service")) as started:
        yield started


@pytest.fixture
def client(service: Service) -> Iterator[httpx.Client]:
    with service.client() as opened:
        yield opened


@pytest.mark.parametrize(
    ("game", "options"), [("whatnot", {}), ("drawer", {}), ("nonsense", {"stall_limit": 5})]
)
def test_a_player_who_leaves_for_a_bot_leaves_a_match_that_goes_on_to_its_proof(
    client: httpx.Client, game: str, options: dict[str, object]
) -> None:
    table = Table(client, game, ["Ada", "Ben"], options=options)
    acting = table.read()["to_act"][0]
    assert table.send(acting, table.legal(acting)[0], "my-first-move").status_code == 201
    left = client.delete(f"{table.path}/seats/{acting}", headers=table.headers(acting))
    assert left.status_code == 200
    for seat in (0, 1):
        bot = {"type": "seat_bot", "seat": seat, "bot": "random"}
        host = {"Authorization": f"Bearer {table.tokens['host']}"}
        assert client.post(f"{table.path}/commands", json=bot, headers=host).status_code == 201
    until(lambda: table.read()["status"] == "finished", 120)
    assert verify(table.log()).complete


def test_a_human_and_bots_play_together(client: httpx.Client) -> None:
    seats = [{"name": "Ada"}, {"bot": "random"}, {"bot": "random"}]
    table = Table(client, "drawer", ["Ada"], seats=seats)
    play_in_parallel(table)
    assert table.score()["final"]
    assert verify(table.log()).complete
