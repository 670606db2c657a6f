"""Many requests at once: nothing is doubled, nothing is lost, and everybody is told the truth."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.matches.play import Play
from service.run.embedded import EmbeddedServer
from tests.service.http.table import Table, another_process, lay, named, post, problem

COLUMN = {"type": "choose_column", "column": 3}


def at_once(
    clients: Sequence[FlaskClient], send: Callable[[FlaskClient, int], TestResponse]
) -> list[TestResponse]:
    """Everybody sends at the same moment; `send` gets a client and its number."""
    ready = Barrier(len(clients))

    def go(number: int) -> TestResponse:
        ready.wait()
        return send(clients[number], number)

    with ThreadPoolExecutor(len(clients)) as threads:
        return list(threads.map(go, range(len(clients))))


@pytest.fixture
def crowd(app: Flask, server: EmbeddedServer, play: Play) -> list[FlaskClient]:
    """Twenty-five clients of one process and twenty-five of another."""
    other, _ = another_process(server)
    return [made for _ in range(25) for made in (app.test_client(), other.application.test_client())]


def test_fifty_copies_of_a_command_with_one_key_are_one_commit(
    client: FlaskClient, play: Play, crowd: list[FlaskClient]
) -> None:
    table = lay(client, play)
    who, headers = table.acting, {"Idempotency-Key": "fifty", "If-Match": '"v1"'}
    answers = at_once(crowd, lambda by, _: Table(by, play, table.id, table.tokens).send(COLUMN, who, headers))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.data for answer in answers}) == 1
    assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1
    assert table.version == 2
    assert len(table.get("/log").json["items"]) == 2


def test_of_many_commands_for_one_version_exactly_one_is_accepted(
    client: FlaskClient, play: Play, crowd: list[FlaskClient]
) -> None:
    table = lay(client, play)
    who = table.acting

    def choose(by: FlaskClient, number: int) -> TestResponse:
        command = {"type": "choose_column", "column": number % 5 + 1}
        return Table(by, play, table.id, table.tokens).send(command, who, {"If-Match": '"v1"'})

    answers = at_once(crowd[:20], choose)
    assert Counter(answer.status_code for answer in answers) == {201: 1, 412: 19}
    for answer in answers:
        if answer.status_code != 201:
            assert problem(answer, 412, "stale_version")["current_version"] == 2
    assert table.version == 2


def test_of_many_commands_without_a_version_one_is_accepted_and_the_rest_are_told_why_not(
    client: FlaskClient, play: Play, crowd: list[FlaskClient]
) -> None:
    table = lay(client, play)
    who = table.acting
    answers = at_once(crowd[:20], lambda by, _: Table(by, play, table.id, table.tokens).send(COLUMN, who))
    refusals = [answer for answer in answers if answer.status_code != 201]
    assert len(refusals) == 19
    assert {problem(refusal, 409, "illegal_command")["rule"] for refusal in refusals} == {"not_now"}
    assert table.version == 2


def test_twenty_creations_with_one_key_are_one_match_with_the_same_tokens(
    client: FlaskClient, crowd: list[FlaskClient]
) -> None:
    body = {"game": "whatnot", "seats": named("Ann", "Bob")}
    answers = at_once(
        crowd[:20], lambda by, _: post(by, "/v1/matches", body, {"Idempotency-Key": "one-creation-only"})
    )
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.data for answer in answers}) == 1
    assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1
    assert len(client.get("/v1/matches").json["items"]) == 1
    table = Table(
        client,
        client.application.extensions["dependencies"].play,
        answers[0].json["match"]["id"],
        answers[0].json["tokens"],
    )
    assert table.step() is not None, "the tokens of the answer are good"


def test_creations_without_a_key_are_matches_of_their_own(client: FlaskClient, play: Play) -> None:
    first, second = lay(client, play), lay(client, play)
    assert first.id != second.id
    assert not {*first.tokens.values()} & {*second.tokens.values()}
    assert play.load(first.id).secrets != play.load(second.id).secrets


def test_everybody_who_may_act_at_the_same_time_is_heard(
    client: FlaskClient, play: Play, crowd: list[FlaskClient]
) -> None:
    table = lay(client, play, 4, game="drawer")
    acting = table.get().json["to_act"]
    assert len(acting) == 4
    moves = [table.legal(f"seat:{seat}")[seat] for seat in acting]
    answers = at_once(
        crowd[:4],
        lambda by, seat: Table(by, play, table.id, table.tokens).send(moves[seat], f"seat:{seat}"),
    )
    assert [answer.status_code for answer in answers] == [201] * 4
    assert sorted(answer.json["version"] for answer in answers) == [2, 3, 4, 5]


def test_of_two_who_want_the_same_seat_one_gets_it(
    client: FlaskClient, play: Play, crowd: list[FlaskClient]
) -> None:
    table = lay(client, play, [{"name": "Ann"}, {"open": True}])
    path = f"{table.url}/seats"
    answers = at_once(crowd[:10], lambda by, number: post(by, path, {"name": f"No {number}", "seat": 1}))
    assert Counter(answer.status_code for answer in answers) == {201: 1, 409: 9}
    (seated,) = (answer for answer in answers if answer.status_code == 201)
    assert table.get().json["seats"][1]["name"] == seated.json["match"]["seats"][1]["name"]
    mine = Table(client, play, table.id, seated.json["tokens"])
    assert mine.get(who="seat:1").json["viewer"] == 1


def test_twenty_requests_for_any_seat_with_one_key_are_one_seat_with_one_token(
    client: FlaskClient, play: Play, crowd: list[FlaskClient]
) -> None:
    table = lay(client, play, [{"open": True}] * 4)
    path, key = f"{table.url}/seats", {"Idempotency-Key": "one-seat-for-me-only"}
    answers = at_once(crowd[:20], lambda by, _: post(by, path, {"name": "Ann"}, key))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.data for answer in answers}) == 1
    assert [seat["name"] for seat in table.get().json["seats"]].count("Ann") == 1


@pytest.mark.parametrize("_again", range(4))
def test_whoever_takes_any_open_seat_gets_one_while_there_are_enough(
    client: FlaskClient, play: Play, crowd: list[FlaskClient], _again: int
) -> None:
    table = lay(client, play, [{"open": True}] * 4)
    answers = at_once(crowd[:4], lambda by, number: post(by, f"{table.url}/seats", {"name": f"No {number}"}))
    assert [answer.status_code for answer in answers] == [201] * 4
    assert len({actor for answer in answers for actor in answer.json["tokens"]}) == 4
    assert table.get().json["status"] == "playing"


def test_of_many_who_come_with_one_invite_one_gets_a_seat(
    client: FlaskClient, play: Play, crowd: list[FlaskClient]
) -> None:
    table = lay(client, play, [{"name": "Ann"}, *[{"open": True}] * 3], private=True)
    path, code = f"{table.url}/seats", table.invite()
    answers = at_once(crowd[:12], lambda by, _: post(by, path, {"name": "Zoe", "invite": code}))
    assert Counter(answer.status_code for answer in answers) == {201: 1, 409: 11}
    assert [seat["name"] for seat in table.get(who="host").json["seats"]].count("Zoe") == 1


def test_a_move_and_a_kick_at_once_are_one_after_the_other_or_the_kick_alone(
    client: FlaskClient, play: Play, crowd: list[FlaskClient]
) -> None:
    for _ in range(6):
        table = lay(client, play)
        who = table.acting
        kick = {"type": "seat_bot", "seat": int(who[-1]), "bot": "random"}
        sent = [(kick, "host"), (COLUMN, who)]
        moved = at_once(
            crowd[:2],
            lambda by, number, table=table, sent=sent: Table(by, play, table.id, table.tokens).send(
                *sent[number]
            ),
        )
        assert moved[0].status_code == 201
        assert moved[1].status_code in (201, 401)
        commits = table.get("/log").json["items"]
        by = [commit["by"] for commit in commits[1:]]
        assert by == ([who, "host"] if moved[1].status_code == 201 else ["host"])
