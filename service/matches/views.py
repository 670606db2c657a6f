"""What a viewer gets to see of a match, ready to be written as JSON; never a raw event that is not theirs."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import orjson

from domain.game import Viewer
from domain.match.actors import Seat, read_actor
from domain.match.view import score, view
from service.log.codec import dump_command
from service.log.names import shown
from service.log.record import Entry
from service.matches.aggregate import Aggregate

PARTS = ("legal", "commands", "log", "score", "seats", "tokens", "invites", "spectators", "tickets")


def viewer_of(actor: str | None) -> Viewer:
    """The seat of an actor; the host and a stranger look on as spectators."""
    found = None if actor is None else read_actor(actor)
    return found.number if isinstance(found, Seat) else None


def links(match: str) -> dict[str, str]:
    """Where the parts of a match are."""
    own = f"/v1/matches/{match}"
    return {"self": own, **{part: f"{own}/{part}" for part in PARTS}}


def match_document(loaded: Aggregate, viewer: Viewer) -> dict[str, Any]:
    """The match at its version, as the viewer may see it."""
    stands = {"id": loaded.id, "version": loaded.version, "hash": loaded.hash, "viewer": viewer}
    seen: dict[str, Any] = dict(view(loaded.state, viewer))
    names = loaded.names
    seats = [shown(seat, names) for seat in seen["seats"]]
    return stands | seen | {"seats": seats, "links": links(loaded.id)}


def lines(entries: Sequence[Entry], loaded: Aggregate, viewer: Viewer) -> list[bytes]:
    """Commits as the viewer may see them, a line each."""
    names, revealed = loaded.names, loaded.revealed
    return [entry.line(viewer, names, revealed=revealed) for entry in entries]


def commits(entries: Sequence[Entry], loaded: Aggregate, viewer: Viewer) -> list[orjson.Fragment]:
    """Commits as the viewer may see them."""
    return list(map(orjson.Fragment, lines(entries, loaded, viewer)))


def whose_turn(loaded: Aggregate) -> dict[str, Any]:
    """How the match stands at its version, and which seats owe a decision."""
    return {"version": loaded.version, "status": loaded.state.status, "to_act": loaded.state.to_act}


def answer(loaded: Aggregate, entries: Sequence[Entry], viewer: Viewer) -> dict[str, Any]:
    """What a command has caused: the same words for the first answer and for every repeat of it."""
    names = loaded.names
    return whose_turn(loaded) | {
        "commits": [orjson.Fragment(entry.line(viewer, names, revealed=False)) for entry in entries],
        "legal": f"/v1/matches/{loaded.id}/legal",
    }


def legal_page(loaded: Aggregate, seat: int, most: int) -> dict[str, Any]:
    """The commands of a seat, each ready to send; `more` says whether there are others beyond these."""
    match = loaded.state
    found = match.game.legal(match.position, seat) if match.status == "playing" else iter(())
    listed = [dump_command(command) for command in islice(found, most)]
    more = len(listed) == most and next(found, None) is not None
    return whose_turn(loaded) | {"seat": seat, "commands": listed, "more": more}


def score_document(loaded: Aggregate, viewer: Viewer) -> Mapping[str, Any]:
    """The score sheets as far as the viewer can know them."""
    return {"version": loaded.version, **score(loaded.state, viewer)}
