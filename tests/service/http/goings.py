"""Everything that changes who may do what at a table, and every reason not to let it."""

from flask.testing import FlaskClient

from service.matches.play import Play
from tests.service.http.table import Table, post, private_table

CLOSE = {"type": "close_match"}


def come_and_go(client: FlaskClient, play: Play) -> None:
    """A private match with invites, spectators, bots, a new token, an empty seat, and an early end."""
    seats = [{"name": "Ann"}, {"open": True}, {"bot": "random"}, {"open": True}]
    table = private_table(client, play, seats)
    url, host = table.url, table.bearer("host")
    codes = [table.invite(**body) for body in ({}, {"to": "spectator"}, {"seat": 1})]
    assert len(client.get(f"{url}/invites", headers=host).json["items"]) == 3
    assert client.delete(f"{url}/invites/3", headers=host).status_code == 200
    assert post(client, f"{url}/spectators", {"invite": codes[1]}).status_code == 201
    assert post(client, f"{url}/seats", {"name": "Bob", "invite": codes[0]}).status_code == 201
    assert table.send({"type": "seat_bot", "seat": 1, "bot": "random"}, "host").status_code == 201
    assert table.send({"type": "start_match"}, "host").status_code == 201
    while play.load(table.id).state.to_act != (0,):
        table.step()
    rehearsed = table.send(table.legal("seat:0")[0], "seat:0", part="/commands?dry_run=true")
    assert (
        rehearsed.status_code == table.send(CLOSE, "host", part="/commands?dry_run=true").status_code == 200
    )
    back = post(client, f"{url}/seats/0/invite", {}, host).json["invite"]["code"]
    returned = post(client, f"{url}/seats", {"invite": back})
    assert returned.status_code == 201
    table.tokens.update(returned.json["tokens"])
    token = post(client, f"{url}/tokens", {}, table.bearer("seat:0")).json["token"]
    left = client.delete(f"{url}/seats/0", headers={"Authorization": f"Bearer {token}"})
    assert left.status_code == 200
    assert table.send(CLOSE, "host").status_code == 201


def refuse_comings_and_goings(client: FlaskClient, play: Play) -> None:
    """Calls of a private match, and of tokens and seats, that are refused for every reason there is."""
    table = private_table(client, play, [{"name": "Ann"}, {"open": True}])
    for who in (None, "host", "seat:0"):
        for header in BAD:
            for path in PATHS:
                _call(table, path, table.bearer(who) | header)
    for who in (None, "host", "seat:0"):
        for path in ("seats/9", "seats/1/invite", "invites/7", "invites", "spectators", "seats"):
            for header in ({}, KEY, KEY):
                _call(table, path, table.bearer(who) | header)
    code = table.invite(to="spectator")
    (token,) = post(client, f"{table.url}/spectators", {"invite": code}).json["tokens"].values()
    _call(table, "tokens", {"Authorization": f"Bearer {token}"})
    assert table.send(CLOSE, "host").status_code == 201
    for path in ("invites", "seats/0/invite"):
        _call(table, path, table.bearer("host"))
    for path in ("seats/0", "tokens"):
        for _ in range(2):
            _call(table, path, table.bearer("seat:0") | KEY)


PATHS = (
    "tokens",
    "seats/0",
    "seats/9",
    "seats/0/invite",
    "invites/1",
    "invites",
    "spectators",
    "seats",
)
BAD = (
    {"If-Match": "seven"},
    {"If-Match": '"v999"'},
    {"Idempotency-Key": "a b"},
    {"Authorization": "Bearer of-nobody"},
)
KEY = {"Idempotency-Key": "a-key-of-sixteen-or-more"}


def _call(table: Table, path: str, headers: dict[str, str]) -> None:
    """Every method on a path."""
    for body in ({}, {"name": "Eve", "invite": "x"}, {"invite": "x"}, b"{"):
        post(table.client, f"{table.url}/{path}", body, headers)
    table.client.delete(f"{table.url}/{path}", headers=headers)
    table.client.get(f"{table.url}/{path}", headers=headers)
