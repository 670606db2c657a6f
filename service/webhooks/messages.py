"""What a commit is worth telling: thin news, in which stands nothing but what a spectator sees."""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from domain.match.state import Match
from service.matches.aggregate import Loaded
from service.webhooks.model import PING


def news(before: Match | None, after: Match) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What has happened between two versions, by type, with what the type adds.

    A turn is told when a player comes to owe a decision that he did not owe before.
    """
    if after.started and (before is None or not before.started):
        yield "match.started", {}
    if after.over and (before is None or not before.over):
        yield f"match.{after.status}", {}
    were = () if before is None else before.to_act
    seats = [seat for seat in after.to_act if seat not in were and after.seats[seat].kind == "human"]
    if seats and not after.over:
        yield "match.turn", {"seats": seats}


def body(type_: str, at: str, loaded: Loaded, more: Mapping[str, Any]) -> str:
    """The JSON that is sent: what, when, and where to read the rest as whoever one is."""
    state = loaded.state
    told = {
        "match": loaded.id,
        "version": loaded.version,
        "status": state.status,
        "to_act": state.to_act,
        **more,
        "link": f"/v1/matches/{loaded.id}?at={loaded.version}",
    }
    return orjson.dumps({"type": type_, "timestamp": at, "data": told}).decode()


def ping_body(hook: str, at: str) -> str:
    """The JSON of a test."""
    return orjson.dumps({"type": PING, "timestamp": at, "data": {"webhook": hook}}).decode()
