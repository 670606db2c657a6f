"""The messages that a commit sends to webhooks: thin, with nothing that a spectator could not see."""

from collections.abc import Iterator, Sequence
from typing import Annotated, NotRequired, TypeAlias, TypedDict

import orjson

from domain.match.state import Match, Status
from service.matches.aggregate import Aggregate
from service.webhooks.model import EVENTS, PING

Begun: TypeAlias = Annotated[Sequence[int], "For `match.turn`: the seats whose turn has just begun."]


class More(TypedDict, total=False):
    """What a type of message adds."""

    seats: Begun


class MatchNews(TypedDict):
    """What happened to a match; no more than a spectator sees."""

    match: str
    version: int
    status: Status
    to_act: Annotated[Sequence[int], "The seats whose turn it is."]
    seats: NotRequired[Begun]
    link: Annotated[str, "The match at this version."]


class PingNews(TypedDict):
    """What a test message says."""

    webhook: str


class MatchMessage(TypedDict):
    """The body of a message about a match."""

    type: Annotated[str, {"enum": [*EVENTS]}]
    timestamp: Annotated[str, "When it happened."]
    data: MatchNews


class PingMessage(TypedDict):
    """The body of a test message."""

    type: Annotated[str, {"enum": [PING]}]
    timestamp: str
    data: PingNews


def news(before: Match | None, after: Match) -> Iterator[tuple[str, More]]:
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


def body(type_: str, at: str, loaded: Aggregate, more: More) -> str:
    """The JSON that is sent: what, when, and a link to the rest."""
    state = loaded.state
    happened: MatchNews = {
        "match": loaded.id,
        "version": loaded.version,
        "status": state.status,
        "to_act": state.to_act,
        **more,
        "link": f"/v1/matches/{loaded.id}?at={loaded.version}",
    }
    message: MatchMessage = {"type": type_, "timestamp": at, "data": happened}
    return orjson.dumps(message).decode()


def ping_body(webhook: str, at: str) -> str:
    """The JSON of a test message."""
    message: PingMessage = {"type": PING, "timestamp": at, "data": {"webhook": webhook}}
    return orjson.dumps(message).decode()
