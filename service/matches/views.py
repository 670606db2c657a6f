"""What a viewer gets to see of a match, ready to be written as JSON; never a raw event that is not theirs."""

from collections.abc import Iterable
from itertools import islice

from orjson import Fragment

from domain.game import Viewer
from domain.match.actors import Seat, read_actor
from domain.match.events import MatchCreated
from domain.match.state import Match
from domain.score import SeatScore
from service.log.codec import dump_command
from service.log.names import Names, shown
from service.log.record import Entry
from service.matches.aggregate import Aggregate
from service.matches.documents import (
    CommandAnswer,
    EditionName,
    LegalPage,
    MatchDocument,
    PartDocument,
    ScoreDocument,
    SeatDocument,
    SheetDocument,
    Turn,
)

PARTS = ("legal", "commands", "log", "score", "seats", "tokens", "invites", "spectators", "tickets")


def viewer_of(actor: str | None) -> Viewer:
    """The seat of an actor; the host and a stranger look on as spectators."""
    found = None if actor is None else read_actor(actor)
    return found.number if isinstance(found, Seat) else None


def links(match: str) -> dict[str, str]:
    """Where the parts of a match are."""
    own = f"/v1/matches/{match}"
    return {"self": own, **{part: f"{own}/{part}" for part in PARTS}}


def match_document(loaded: Aggregate, viewer: Viewer) -> MatchDocument:
    """The match at its version, as the viewer may see it; `position` is null until it has started."""
    match, created = loaded.state, loaded.state.created
    return {
        "id": loaded.id,
        "version": loaded.version,
        "hash": loaded.hash,
        "viewer": viewer,
        "game": created.game,
        "rules_version": created.rules_version,
        "edition": edition_name(created),
        "options": dict(created.options),
        "private": created.private,
        "seed": {"by": created.seed_by, "commitment": created.seed_commitment, "revealed": match.seed},
        "sealing": {"commitment": created.sealing_commitment, "revealed": match.sealing_key},
        "status": match.status,
        "seats": with_names(seats(match), loaded.names),
        "to_act": match.to_act,
        "position": match.game.view(match.position, viewer) if match.started else None,
        "links": links(loaded.id),
    }


def edition_name(created: MatchCreated) -> EditionName:
    """The edition that a match is played with."""
    return {"name": created.edition, "hash": created.edition_hash}


def seats(match: Match) -> list[SeatDocument]:
    """The seats, with handles in place of players' names."""
    return [
        {"seat": number, "kind": seat.kind, "name": seat.name, "entropy": seat.entropy}
        for number, seat in enumerate(match.seats)
    ]


def with_names(seats: Iterable[SeatDocument], names: Names) -> list[SeatDocument]:
    """The seats as they are shown: with the names that are remembered."""
    return [{**seat, "name": shown(seat["kind"], seat["name"], names)} for seat in seats]


def lines(entries: Iterable[Entry], loaded: Aggregate, viewer: Viewer) -> list[bytes]:
    """Commits as the viewer may see them, a line each."""
    names, revealed = loaded.names, loaded.revealed
    return [entry.line(viewer, names, revealed=revealed) for entry in entries]


def commits(entries: Iterable[Entry], loaded: Aggregate, viewer: Viewer) -> list[Fragment]:
    """Commits as the viewer may see them."""
    return list(map(Fragment, lines(entries, loaded, viewer)))


def whose_turn(loaded: Aggregate) -> Turn:
    """How the match stands at its version, and which seats owe a decision."""
    return {"version": loaded.version, "status": loaded.state.status, "to_act": loaded.state.to_act}


def answer(loaded: Aggregate, entries: Iterable[Entry], viewer: Viewer) -> CommandAnswer:
    """What a command has caused: the same words for the first answer and for every repeat of it."""
    names = loaded.names
    return {
        "version": loaded.version,
        "status": loaded.state.status,
        "to_act": loaded.state.to_act,
        "commits": [Fragment(entry.line(viewer, names, revealed=False)) for entry in entries],
        "legal": f"/v1/matches/{loaded.id}/legal",
    }


def legal_page(loaded: Aggregate, seat: int, most: int) -> LegalPage:
    """The commands of a seat, each ready to send; `more` says whether there are others beyond these."""
    match = loaded.state
    found = match.game.legal(match.position, seat) if match.status == "playing" else iter(())
    listed = [dump_command(command) for command in islice(found, most)]
    more = len(listed) == most and next(found, None) is not None
    return {
        "version": loaded.version,
        "status": match.status,
        "to_act": match.to_act,
        "seat": seat,
        "commands": listed,
        "more": more,
    }


def score_document(loaded: Aggregate, viewer: Viewer) -> ScoreDocument:
    """The final score sheet, or before the end the live one as far as the viewer can know it."""
    match = loaded.state
    scored = match.scored
    sheets = match.game.score(match.position, viewer) if scored is None else scored.seats
    return {
        "version": loaded.version,
        "final": scored is not None,
        "seats": list(map(_sheet, sheets)),
        "ranking": scored.ranking if scored else None,
        "winners": scored.winners if scored else None,
        "result": scored.result if scored else None,
    }


def _sheet(sheet: SeatScore) -> SheetDocument:
    parts: list[PartDocument] = [
        {"name": part.name, "points": part.points, "detail": part.detail} for part in sheet.parts
    ]
    return {"seat": sheet.seat, "parts": parts, "total": sheet.total}
