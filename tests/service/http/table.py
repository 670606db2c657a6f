"""A small client for the tests: lays a table, holds its tokens, sends commands, plays random legal moves."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import orjson
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from domain.games import games
from service.bootstrap import bootstrap
from service.http.app import create_app
from service.matches.play import Play
from service.redis_store.client import connect
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer

NAMES = ("Ann", "Bob", "Cy", "Dot")
JSON = "application/json"
NDJSON = "application/x-ndjson"
PROBLEM = "application/problem+json"
Headers = Mapping[str, str]
NONE: Headers = MappingProxyType({})


def another_process(server: EmbeddedServer) -> tuple[FlaskClient, Play]:
    """What a second worker has: its own connections, use cases, cache and application, over one journal."""
    client = connect(server.url)
    play = Play(RedisJournal(client))
    return create_app(bootstrap(client, play=play)).test_client(), play


def post(client: FlaskClient, path: str, body: Any, headers: Headers = NONE) -> TestResponse:
    """Post a JSON value, or bytes as they are; `Content-Type` is JSON unless the headers say otherwise."""
    sent = body if isinstance(body, bytes) else orjson.dumps(body)
    return client.post(path, data=sent, headers={"Content-Type": JSON, **headers})


def named(*names: str) -> list[dict[str, Any]]:
    """Seats that are taken from the beginning."""
    return [{"name": name} for name in names]


@dataclass(frozen=True)
class Table:
    """A match with the tokens of everybody at it; `who` is an actor (`seat:0`, `host`) or None."""

    client: FlaskClient
    play: Play
    id: str
    tokens: dict[str, str]
    dice: random.Random = field(default_factory=lambda: random.Random(7))

    @property
    def url(self) -> str:
        return f"/v1/matches/{self.id}"

    @property
    def version(self) -> int:
        return self.get().json["version"]

    @property
    def acting(self) -> str:
        """The first seat that is to act."""
        return f"seat:{self.get().json['to_act'][0]}"

    @property
    def waiting(self) -> str:
        """The first seat that is not to act."""
        seated = sorted(who for who in self.tokens if who.startswith("seat:"))
        return next(who for who in seated if who != self.acting)

    @property
    def viewers(self) -> list[str | None]:
        return [*self.tokens, None]

    def bearer(self, who: str | None) -> dict[str, str]:
        return {} if who is None else {"Authorization": f"Bearer {self.tokens[who]}"}

    def get(self, part: str = "", who: str | None = None, headers: Headers = NONE) -> TestResponse:
        """Read a part of the match as somebody."""
        return self.client.get(
            self.url + part, headers={"Accept": JSON, **self.bearer(who), **headers}, buffered=True
        )

    def send(
        self, body: Any, who: str | None, headers: Headers = NONE, part: str = "/commands"
    ) -> TestResponse:
        """Send a command, or whatever else the body is."""
        return post(self.client, self.url + part, body, {**self.bearer(who), **headers})

    def invite(self, **body: Any) -> str:
        """The code of a new invite."""
        issued = self.send(body, "host", part="/invites")
        assert issued.status_code == 201, issued.json
        code: str = issued.json["invite"]["code"]
        return code

    def legal(self, who: str, limit: int = 200) -> list[dict[str, Any]]:
        """The listed commands of a seat."""
        return self.get(f"/legal?limit={limit}", who).json["commands"]

    def step(self) -> TestResponse | None:
        """One random legal command of somebody who is to act, or the job that the match waits for.

        Nothing once the match is over: how soon that is, the draws decide.
        """
        loaded = self.play.load(self.id)
        if loaded.state.over:
            return None
        if loaded.state.due_task:
            assert self.play.run(self.id, loaded.version, loaded.state.due_task)
            return None
        who = f"seat:{self.dice.choice(loaded.state.to_act)}"
        answer = self.send(self.dice.choice(self.legal(who)), who)
        assert answer.status_code == 201, answer.json
        return answer

    def steps(self) -> Iterator[TestResponse | None]:
        """Play to the end, a step at a time."""
        while not self.play.load(self.id).state.over:
            yield self.step()

    def finish(self) -> "Table":
        """Play to the end."""
        for _ in self.steps():
            pass
        return self

    def export(self, who: str | None = None) -> list[bytes]:
        """The log as somebody may see it, line by line, without the signed head, which tells the time."""
        return self.signed_export(who)[:-1]

    def signed_export(self, who: str | None = None) -> list[bytes]:
        """The log as somebody may keep it, line by line."""
        return self.get("/log", who, {"Accept": NDJSON}).data.splitlines()


def every_game() -> list[tuple[str, int]]:
    """Every game that is found, with few players and with more."""
    return [
        (name, seats)
        for name, game in games().items()
        for seats in {game.seats[0], min(game.seats[0] + 2, game.seats[-1])}
    ]


def lay(client: FlaskClient, play: Play, seats: Any = 2, headers: Headers = NONE, **body: Any) -> Table:
    """A new match (of Whatnot, if the body names no game) for so many players, or with seats as given."""
    asked = {"game": "whatnot", "seats": named(*NAMES[:seats]) if isinstance(seats, int) else seats, **body}
    created = post(client, "/v1/matches", asked, headers)
    assert created.status_code == 201, created.json
    return Table(client, play, created.json["match"]["id"], created.json["tokens"])


def private_table(client: FlaskClient, play: Play, seats: Any = 2, **body: Any) -> Table:
    """A new match that is not for everybody's eyes."""
    return lay(client, play, seats, private=True, **body)


def problem(answer: TestResponse, status: int, code: str) -> dict[str, Any]:
    """The problem document of a refusal that has to have this status and code."""
    assert (answer.status_code, answer.content_type) == (status, PROBLEM), answer.text
    document = answer.json
    assert document["code"] == code, document
    assert document["status"] == status
    assert document["request_id"] == answer.headers["X-Request-ID"]
    assert all(isinstance(document[name], str) for name in ("type", "title", "detail"))
    assert document["title"]
    assert document["detail"]
    return document
