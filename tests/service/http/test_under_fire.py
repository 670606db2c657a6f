"""Writes under fire: a real service with two HTTP processes, and fifty copies of a request at once."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Barrier
from typing import Any

import httpx
import pytest

from tests.e2e.running import Service, running
from tests.service.http.table import named

COPIES = 50
KEY = {"Idempotency-Key": "a-key-of-sixteen-or-more"}
TABLE = {"game": "whatnot", "seats": named("Ann", "Bob"), "seed": "07" * 32}
COLUMN = {"type": "choose_column", "column": 3}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The whole service, with two HTTP processes."""
    with running(tmp_path_factory.mktemp("service"), HTTP_WORKERS="2") as started:
        yield started


@dataclass(frozen=True)
class Seated:
    """A match of the running service."""

    client: httpx.Client
    url: str
    tokens: Mapping[str, str]

    def headers(self, who: str | None, more: Mapping[str, str]) -> dict[str, str]:
        return {**({} if who is None else {"Authorization": f"Bearer {self.tokens[who]}"}), **more}

    def read(self, part: str = "") -> Any:
        return self.client.get(self.url + part).raise_for_status().json()

    @property
    def acting(self) -> str:
        return f"seat:{self.read()['to_act'][0]}"

    def send(self, body: Any, who: str, **more: str) -> httpx.Response:
        headers = {name.replace("_", "-"): value for name, value in more.items()}
        return self.client.post(f"{self.url}/commands", json=body, headers=self.headers(who, headers))


@pytest.fixture
def match(service: Service) -> Iterator[Seated]:
    """A match of two who have their seats."""
    with service.client() as client:
        yield laid(client, TABLE)


def laid(client: httpx.Client, body: Any) -> Seated:
    made = client.post("/v1/matches", json=body)
    assert made.status_code == 201, made.text
    return Seated(client, made.headers["Location"], made.json()["tokens"])


def at_once(service: Service, send: Callable[[httpx.Client, int], httpx.Response]) -> list[httpx.Response]:
    """Fifty clients, each with a connection of its own, send at the same moment."""
    ready = Barrier(COPIES)

    def go(number: int) -> httpx.Response:
        with service.client() as client:
            client.get("/livez").raise_for_status()  # the connection is made
            ready.wait()
            return send(client, number)

    with ThreadPoolExecutor(COPIES) as threads:
        return list(threads.map(go, range(COPIES)))


def one_and_its_replays(answers: list[httpx.Response]) -> httpx.Response:
    """One was accepted, the others got the same answer, or were told that it was not there yet."""
    assert {answer.status_code for answer in answers} <= {201, 409}
    accepted = [answer for answer in answers if answer.status_code == 201]
    assert len({answer.content for answer in accepted}) == 1
    assert sum("Idempotent-Replayed" not in answer.headers for answer in accepted) == 1
    return accepted[0]


def copies(service: Service, path: str, body: Any, headers: Mapping[str, str]) -> list[httpx.Response]:
    return at_once(service, lambda client, _: client.post(path, json=body, headers=headers))


def test_fifty_copies_of_a_command_are_one_commit(service: Service, match: Seated) -> None:
    headers = match.headers(match.acting, KEY)
    answer = one_and_its_replays(copies(service, f"{match.url}/commands", COLUMN, headers))
    assert [commit["version"] for commit in match.read("/log")["items"]] == [1, 2]
    assert match.read("/log")["items"][1]["hash"] == answer.json()["commits"][0]["hash"]


def test_fifty_copies_of_a_command_for_one_version_are_one_commit_and_none_is_stale(
    service: Service, match: Seated
) -> None:
    headers = match.headers(match.acting, {**KEY, "If-Match": '"v1"'})
    one_and_its_replays(copies(service, f"{match.url}/commands", COLUMN, headers))
    assert match.read()["version"] == 2


def test_fifty_copies_of_a_batch_are_the_commits_of_one(service: Service, match: Seated) -> None:
    who = match.acting
    batch = takes_after_column(match, who)
    one_and_its_replays(copies(service, f"{match.url}/commands", batch, match.headers(who, KEY)))
    log = match.read("/log")["items"]
    assert [commit["command"] for commit in log[2:]] == batch


def test_fifty_copies_of_a_creation_are_one_match_with_tokens_that_are_good(service: Service) -> None:
    with service.client() as client:
        headers = {"Idempotency-Key": "fifty-copies-of-one-creation"}
        answer = one_and_its_replays(copies(service, "/v1/matches", TABLE, headers))
        match = Seated(client, answer.headers["Location"], answer.json()["tokens"])
        assert [commit["version"] for commit in match.read("/log")["items"]] == [1]
        assert match.send(COLUMN, match.acting).status_code == 201


def test_fifty_copies_of_a_request_for_a_seat_are_one_seat_with_one_token(service: Service) -> None:
    with service.client() as client:
        match = laid(client, {"game": "whatnot", "seats": [{"open": True}] * 4})
        answer = one_and_its_replays(copies(service, f"{match.url}/seats", {"name": "Ann"}, KEY))
        assert [seat["name"] for seat in match.read()["seats"]].count("Ann") == 1
        assert match.read()["version"] == 2
        (token,) = answer.json()["tokens"].values()
        mine = client.get(match.url, headers={"Authorization": f"Bearer {token}"})
        assert mine.json()["viewer"] == 0


def test_fifty_requests_with_one_key_and_two_bodies_are_one_of_the_two(
    service: Service, match: Seated
) -> None:
    who, bodies = match.acting, [COLUMN, {"type": "choose_column", "column": 4}]
    headers = match.headers(who, KEY)
    answers = at_once(
        service, lambda client, n: client.post(f"{match.url}/commands", json=bodies[n % 2], headers=headers)
    )
    assert Counter(answer.status_code for answer in answers) == {201: COPIES // 2, 422: COPIES // 2}
    for answer in answers:
        if answer.status_code == 422:
            assert answer.json()["code"] == "idempotency_key_reused"
    assert [commit["version"] for commit in match.read("/log")["items"]] == [1, 2]


def test_of_fifty_different_batches_one_is_stored_whole_and_no_other_in_part(
    service: Service, match: Seated
) -> None:
    who = match.acting
    takes = takes_after_column(match, who)

    def send(client: httpx.Client, number: int) -> httpx.Response:
        batch = [*takes, *takes[: number % 2]]  # every other batch fails at its last command
        return client.post(f"{match.url}/commands", json=batch, headers=match.headers(who, {}))

    answers = at_once(service, send)
    assert Counter(answer.status_code for answer in answers) == {201: 1, 409: COPIES - 1}
    log = match.read("/log")["items"]
    assert [commit["command"] for commit in log[2:]] == takes


def test_a_retry_after_success_replays_through_every_process_however_stale_its_version_is(
    service: Service, match: Seated
) -> None:
    who = match.acting
    first = match.send(COLUMN, who, Idempotency_Key="first", If_Match='"v1"')
    take = match.client.get(f"{match.url}/legal", headers=match.headers(who, {})).json()["commands"][0]
    assert match.send(take, who, If_Match='"v2"').status_code == 201
    headers = match.headers(who, {"Idempotency-Key": "first", "If-Match": '"v1"'})
    for again in copies(service, f"{match.url}/commands", COLUMN, headers):
        assert (again.status_code, again.content) == (201, first.content)
        assert again.headers["Idempotent-Replayed"] == "true"
    assert match.send(COLUMN, who, If_Match='"v1"').status_code == 412, "without the key it is stale"
    assert match.read()["version"] == 3


def test_two_processes_share_a_quota_to_the_last_request(tmp_path: Path) -> None:
    with running(tmp_path, HTTP_WORKERS="2", LIMIT_READS="20/day") as limited:
        answers = at_once(limited, lambda client, _: client.get("/v1/games"))
        assert Counter(answer.status_code for answer in answers) == {200: 20, 429: COPIES - 20}
        with limited.client() as client:
            assert client.get("/livez").status_code == 200
            (reads,) = client.get("/v1/limits").json()["items"]
            assert (reads["name"], reads["quota"], reads["remaining"]) == ("reads", 20, 0)


def takes_after_column(match: Seated, who: str) -> list[Any]:
    """The rest of a turn that begins with COLUMN: two objects of the Outdoors, to two spaces."""
    assert match.send(COLUMN, who).status_code == 201
    commands = match.client.get(f"{match.url}/legal", headers=match.headers(who, {})).json()["commands"]
    takes = [command for command in commands if "row" in command]
    return [takes[0], next(take for take in reversed(takes) if take["tile"] != takes[0]["tile"])]
