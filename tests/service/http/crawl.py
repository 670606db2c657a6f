"""Reads everything that a viewer of a match can read, and says what that viewer must not find there."""

from collections.abc import Iterator
from typing import Any

import orjson
from werkzeug.test import TestResponse

from domain.games.whatnot.state import State
from service.log.record import Entry
from service.matches.aggregate import Aggregate
from tests.service.http.stream_reader import SSE
from tests.service.http.table import NDJSON, Table

Viewer = int | None


def seat_of(who: str | None) -> Viewer:
    """The seat number of an actor; None for the host and strangers."""
    return int(who.removeprefix("seat:")) if who and who.startswith("seat:") else None


def answers(table: Table, who: str | None) -> Iterator[TestResponse]:
    """Every read path of a match, and what is answered to commands that are none or not this viewer's."""
    version = table.play.peek(table.id).version
    parts = ("", f"?at={max(1, version - 1)}", "/log", "/score", "/legal", "/invites")
    for part in (*parts, "?at=9999", "/log?limit=0"):
        yield table.get(part, who)
    yield table.get("/log", who, {"Accept": NDJSON})
    yield table.get("/log?follow=true", who, {"Accept": NDJSON})
    yield table.get("/log", who, {"Accept": SSE})
    yield table.get("/log?after=0", who, {"Accept": SSE})
    yield table.get("/log?after=99999", who, {"Accept": SSE})
    yield table.get("/log?after=0&wait=1", who)
    yield table.get("/log", who, {"Accept": "image/png"})
    yield table.client.get("/v1/matches")
    yield table.client.get("/v1/matches?mine=true", headers=table.bearer(who))
    yield table.client.get("/readyz")
    acting = {f"seat:{seat}" for seat in table.play.peek(table.id).state.to_act}
    if who not in acting:
        for tile in (1, 85):
            yield table.send({"type": "take_tile", "tile": tile, "row": 0, "column": 0}, who)
    for command in ({"type": "take_tile", "tile": 1, "row": 0, "column": 0}, *_legal(table, who)):
        yield table.send(command, who, part="/commands?dry_run=true")
    for host_command in ({"type": "close_match"}, {"type": "seat_bot", "seat": 0, "bot": "random"}):
        yield table.send(host_command, who, part="/commands?dry_run=true")
    yield table.send({"type": "choose_column", "column": 9}, who)
    yield table.client.delete(f"{table.url}/seats/9", headers=table.bearer(who))
    yield table.send({"type": "release_seed"}, who if who != "host" else "seat:0")
    yield table.send({"type": "choose_column", "column": 1}, who, {"If-Match": '"v0"'})


def _legal(table: Table, who: str | None) -> list[dict[str, Any]]:
    """Some of the commands that a viewer may give, if any."""
    return table.legal(who, 3) if who is not None and who.startswith("seat:") else []


def forbidden_words(table: Table, who: str | None, loaded: Aggregate, entries: list[Entry]) -> set[str]:
    """Strings that a viewer must not be shown: the secrets, tokens, and the salts of what is not his to open.

    Nor ever the key of a name.
    """
    words = {*table.tokens.values(), *(name.key.hex() for name in loaded.names.values())}
    if not loaded.revealed:
        words |= {loaded.secrets.seed.hex(), loaded.secrets.sealing_key.hex()}
        for entry in entries:
            for secret in orjson.loads(entry.secrets or b"{}").values():
                if "handle" not in secret and seat_of(who) not in secret["seats"]:
                    words.add(secret["salt"])
    return words


def hidden_tiles(state: State, viewer: Viewer) -> set[int]:
    """The tiles of which a viewer cannot know where they are."""
    others = {card.tile for card in state.face_down if card.seat != viewer}
    drawn = state.turn.drawn if state.turn is not None and state.turn.seat != viewer else ()
    return {*state.bag, *drawn, *others}


def shown_tiles(position: Any) -> set[int]:
    """The tiles that a view of a position names, wherever it does."""
    turn = position["turn"] or {"drawn": {"tiles": None}, "found": None}
    tiles = [
        *position["outdoors"],
        *position["discards"]["known"],
        turn["found"],
        *(turn["drawn"]["tiles"] or []),
    ]
    tiles += [card["tile"] for card in position["face_down"]]
    for cabinet in position["cabinets"]:
        tiles += [*cabinet["kept"], *(tile for row in cabinet["rows"] for tile in row)]
    return {tile for tile in tiles if tile is not None}


def numbers(value: Any) -> Iterator[int]:
    """Every number in a JSON value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from numbers(item)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield value
