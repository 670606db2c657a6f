"""Every write with an Idempotency-Key gives its first answer for a day, whatever has happened since.

Who calls is asked first, as ever: a token that is revoked, or an API key, gets nothing any more. Where the
very request ends its token (leaving a seat, a new token) its repeat with the old one is answered even so.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.matches.play import Play
from tests.service.http.contract import Contract
from tests.service.http.table import Headers, Table, lay, named, post, private_table, problem

KEY = {"Idempotency-Key": "6f1f8a52-7d7c-4b9e-9d0e-1c2b3a4d5e6f"}
COLUMN = {"type": "choose_column", "column": 3}
CLOSE = {"type": "close_match"}
URL = "https://1.1.1.1/hook"
HOOKS = "/v1/webhooks"


@dataclass(frozen=True)
class Write:
    """A request that can be sent again, something to do after it, and a request that is another."""

    send: Callable[[], TestResponse]
    undo: Callable[[TestResponse], Any]
    other: Callable[[], TestResponse]


def asked(client: FlaskClient, path: str, body: Any, headers: Headers, method: str = "POST") -> TestResponse:
    return client.open(path, method=method, json=body, headers={**headers, **KEY})


def create(client: FlaskClient, play: Play) -> Write:
    body = {"game": "whatnot", "seats": named("Ann", "Bob")}

    def undo(first: TestResponse) -> None:
        table = Table(client, play, first.json["match"]["id"], first.json["tokens"])
        assert table.send({}, "seat:0", part="/tokens").status_code == 201
        assert table.send(CLOSE, "host").status_code == 201

    def send(**more: Any) -> TestResponse:
        return post(client, "/v1/matches", body | more, KEY)

    return Write(send, undo, lambda: send(private=True))


def sit_down(client: FlaskClient, play: Play) -> Write:
    table = lay(client, play, [{"open": True}, {"open": True}])

    def undo(first: TestResponse) -> None:
        own = {"Authorization": f"Bearer {first.json['tokens']['seat:0']}"}
        assert client.delete(f"{table.url}/seats/0", headers=own).status_code == 200
        assert post(client, f"{table.url}/seats", {"name": "Eve", "seat": 0}).status_code == 201
        assert post(client, f"{table.url}/seats", {"name": "Bob", "seat": 1}).status_code == 201
        assert table.send(CLOSE, "host").status_code == 201

    def send(name: str = "Ann") -> TestResponse:
        return asked(client, f"{table.url}/seats", {"name": name}, {})

    return Write(send, undo, lambda: send("Eve"))


def get_up(client: FlaskClient, play: Play) -> Write:
    table = lay(client, play)

    def send(seat: int = 0) -> TestResponse:
        return client.delete(f"{table.url}/seats/{seat}", headers={**table.bearer("seat:0"), **KEY})

    def undo(_: TestResponse) -> None:
        assert post(client, f"{table.url}/seats", {"name": "Eve", "seat": 0}).status_code == 201
        table.send(CLOSE, "host")

    return Write(send, undo, lambda: send(1))


def rotate(client: FlaskClient, play: Play) -> Write:
    table = lay(client, play)

    def send(part: str = "/tokens") -> TestResponse:
        return client.post(table.url + part, headers={**table.bearer("seat:0"), **KEY})

    def undo(first: TestResponse) -> None:
        newer = {"Authorization": f"Bearer {first.json['token']}"}
        assert client.post(f"{table.url}/tokens", headers=newer).status_code == 201
        table.send(CLOSE, "host")

    return Write(send, undo, lambda: table.send(COLUMN, "seat:0", KEY))


def invite(client: FlaskClient, play: Play) -> Write:
    table = private_table(client, play)

    def send(to: str = "seat") -> TestResponse:
        return asked(client, f"{table.url}/invites", {"to": to}, table.bearer("host"))

    def undo(first: TestResponse) -> None:
        path = f"{table.url}/invites/{first.json['invite']['id']}"
        assert client.delete(path, headers=table.bearer("host")).status_code == 200
        table.send(CLOSE, "host")

    return Write(send, undo, lambda: send("spectator"))


def hand_back(client: FlaskClient, play: Play) -> Write:
    table = lay(client, play)

    def send(seat: int = 1) -> TestResponse:
        return client.post(f"{table.url}/seats/{seat}/invite", headers={**table.bearer("host"), **KEY})

    def undo(first: TestResponse) -> None:
        code = first.json["invite"]["code"]
        assert post(client, f"{table.url}/seats", {"invite": code}).status_code == 201
        table.send(CLOSE, "host")

    return Write(send, undo, lambda: send(0))


def take_back(client: FlaskClient, play: Play) -> Write:
    table = private_table(client, play)
    for _ in range(2):
        table.invite(to="seat")

    def send(number: int = 1) -> TestResponse:
        return client.delete(f"{table.url}/invites/{number}", headers={**table.bearer("host"), **KEY})

    return Write(send, lambda _: table.send(CLOSE, "host"), lambda: send(2))


def look_on(client: FlaskClient, play: Play) -> Write:
    table = private_table(client, play)
    code, another = table.invite(to="spectator"), table.invite(to="spectator")

    def send(with_: str = code) -> TestResponse:
        return asked(client, f"{table.url}/spectators", {"invite": with_}, {})

    def undo(_: TestResponse) -> None:
        assert client.delete(f"{table.url}/invites/1", headers=table.bearer("host")).status_code == 200

    return Write(send, undo, lambda: send(another))


def command(client: FlaskClient, play: Play) -> Write:
    table = lay(client, play)
    who = table.acting

    def undo(_: TestResponse) -> None:
        table.step()
        table.send(CLOSE, "host")

    return Write(
        lambda: table.send(COLUMN, who, KEY), undo, lambda: table.send(COLUMN | {"column": 4}, who, KEY)
    )


def register(client: FlaskClient, play: Play) -> Write:
    who, match = hooked(client, play)

    def undo(first: TestResponse) -> None:
        own = f"{HOOKS}/{first.json['id']}"
        assert client.post(f"{own}/rotate", headers=who).status_code == 200
        assert client.patch(own, json={"enabled": False}, headers=who).status_code == 200
        assert client.delete(own, headers=who).status_code == 204

    def send(**more: Any) -> TestResponse:
        return asked(client, HOOKS, {"url": URL, "match": match, **more}, who)

    return Write(send, undo, lambda: send(events=["match.turn"]))


def turn_secret(client: FlaskClient, play: Play) -> Write:
    return of_a_hook(client, play, "rotate", "ping")


def ping(client: FlaskClient, play: Play) -> Write:
    return of_a_hook(client, play, "ping", "rotate")


def of_a_hook(client: FlaskClient, play: Play, what: str, another: str) -> Write:
    who, match = hooked(client, play)
    own = f"{HOOKS}/{post(client, HOOKS, {'url': URL, 'match': match}, who).json['id']}"

    def send(part: str = what) -> TestResponse:
        return client.post(f"{own}/{part}", headers={**who, **KEY})

    def undo(_: TestResponse) -> None:
        assert client.post(f"{own}/rotate", headers=who).status_code == 200
        assert (
            client.patch(own, json={"url": "https://1.0.0.1/", "enabled": False}, headers=who).status_code
            == 200
        )
        assert client.delete(own, headers=who).status_code == 204

    return Write(send, undo, lambda: send(another))


def hooked(client: FlaskClient, play: Play) -> tuple[dict[str, str], str]:
    table = lay(client, play)
    return table.bearer("host"), table.id


WRITES: dict[str, Callable[[FlaskClient, Play], Write]] = {
    "createMatch": create,
    "takeSeat": sit_down,
    "leaveSeat": get_up,
    "rotateToken": rotate,
    "issueInvite": invite,
    "reinviteSeat": hand_back,
    "revokeInvite": take_back,
    "admitSpectator": look_on,
    "sendCommands": command,
    "registerWebhook": register,
    "rotateWebhookSecret": turn_secret,
    "pingWebhook": ping,
}


def test_every_write_that_takes_a_key_is_tried_here(client: FlaskClient) -> None:
    keyed = {
        operation["operationId"]
        for _, _, operation in Contract(client.application).operations()
        if "Idempotency-Key" in {parameter.get("name") for parameter in operation.get("parameters", ())}
    }
    assert keyed == WRITES.keys()


@pytest.mark.parametrize("name", WRITES)
def test_a_late_repeat_gets_the_first_answer_whatever_happened_since(
    client: FlaskClient, play: Play, name: str
) -> None:
    write = WRITES[name](client, play)
    first = write.send()
    assert first.status_code in (200, 201, 202), first.text
    assert "Idempotent-Replayed" not in first.headers
    write.undo(first)
    before = sorted(play.journal.client.scan_iter())  # type: ignore[attr-defined]
    again = write.send()
    assert (again.status_code, again.data) == (first.status_code, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers.get("Location") == first.headers.get("Location")
    assert sorted(play.journal.client.scan_iter()) == before, "nothing is done once more"  # type: ignore[attr-defined]


@pytest.mark.parametrize("late", [False, True], ids=["at once", "late"])
@pytest.mark.parametrize("name", [name for name in WRITES if name not in ("leaveSeat", "rotateToken")])
def test_another_request_with_its_key_is_refused(
    client: FlaskClient, play: Play, name: str, late: bool
) -> None:
    write = WRITES[name](client, play)
    first = write.send()
    if late:
        write.undo(first)
    problem(write.other(), 422, "idempotency_key_reused")


@pytest.mark.parametrize("name", ["leaveSeat", "rotateToken"])
def test_a_token_that_ended_itself_gets_that_answer_again_and_nothing_else(
    client: FlaskClient, play: Play, name: str
) -> None:
    write = WRITES[name](client, play)
    assert write.send().status_code in (200, 201)
    problem(write.other(), 401, "token_unknown")
