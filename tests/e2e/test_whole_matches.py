"""Whole matches over HTTP against everything real: server, gunicorn, relay, worker."""

from collections.abc import Iterator

import httpx
import pytest

from service.log.verify import verify
from tests.e2e.players import Table, check_chain, place_at_once, play_in_parallel
from tests.e2e.running import Service, running


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("service")) as started:
        yield started


@pytest.fixture
def client(service: Service) -> Iterator[httpx.Client]:
    with service.client() as opened:
        yield opened


@pytest.mark.parametrize(
    ("game", "players", "options"),
    [
        ("whatnot", 1, {}),
        ("whatnot", 2, {"advanced": True}),
        ("whatnot", 4, {}),
        ("nonsense", 5, {}),
        ("drawer", 1, {}),
        ("drawer", 3, {"variant": "individual"}),
    ],
)
def test_a_match_goes_from_creation_to_its_proved_log(
    client: httpx.Client, game: str, players: int, options: dict[str, object]
) -> None:
    table = Table(client, game, [f"Player {n}" for n in range(players)], options=options)
    play_in_parallel(table)
    lines = table.log()
    check_chain(lines)
    assert verify(lines).complete
    score = table.score()
    assert score["final"]
    assert len(score["seats"]) == players


def test_four_players_who_place_at_the_same_moment_are_all_accepted(client: httpx.Client) -> None:
    table = Table(client, "drawer", ["Ada", "Ben", "Cyd", "Dot"])
    assert place_at_once(table) > 4
    assert verify(table.log()).complete


def test_a_creators_seed_stays_sealed_until_the_host_releases_it(client: httpx.Client) -> None:
    seed = "ab" * 32
    tables = [Table(client, "whatnot", ["Ada"], seed=seed) for _ in range(2)]
    one, two = (table.ask("GET", f"{table.path}?at=1").json() for table in tables)  # before the rival acts
    assert one["position"] == two["position"]
    play_in_parallel(tables[0])
    assert seed not in b"".join(tables[0].log()).decode()
    assert not verify(tables[0].log()).complete
    host = {"Authorization": f"Bearer {tables[0].tokens['host']}"}
    released = client.post(f"{tables[0].path}/commands", json={"type": "release_seed"}, headers=host)
    assert released.status_code == 201
    check_chain(tables[0].log())
    assert verify(tables[0].log()).complete


def test_gunicorn_refuses_with_problem_documents_too(service: Service, client: httpx.Client) -> None:
    import socket

    host, port = service.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as line:
        line.sendall(b"GET / HTTP/9.9\r\n\r\n")
        answer = line.makefile("rb").read()
    assert b"400" in answer.split(b"\r\n")[0]
    assert b"application/problem+json" in answer
