"""The messages that a commit sends to webhooks: thin, with nothing that a spectator could not see."""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from domain.match.state import Match
from service.matches.aggregate import Aggregate
from service.webhooks.model import PING


def news(before: Match | None, after: Match) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What has happened between two versions, by type, with what the type adds.

    `match.turn` means that a player has to act who did not have to before.
    """
    if after.started and (before is None or not before.started):
        yield "match.started", {}
    if after.over and (before is None or not before.over):
        yield f"match.{after.status}", {}
    were = () if before is None else before.to_act
    seats = [seat for seat in after.to_act if seat not in were and after.seats[seat].kind == "human"]
    if seats and not after.over:
        yield "match.turn", {"seats": seats}


def body(type_: str, at: str, loaded: Aggregate, more: Mapping[str, Any]) -> str:
    """The JSON that is sent: what, when, and a link to the rest."""
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
    """The JSON of a test message."""
    return orjson.dumps({"type": PING, "timestamp": at, "data": {"webhook": hook}}).decode()
