"""A match as a viewer may see it: the table for all, the position without what the game hides."""

from collections.abc import Mapping

from domain.game import Json, SeatScore, Viewer
from domain.match.state import Match


def view(match: Match, viewer: Viewer) -> Mapping[str, Json]:
    """What a seat, or None for a spectator, may know; `position` is null until the match has started."""
    created = match.created
    return {
        "game": created.game,
        "rules_version": created.rules_version,
        "edition": {"name": created.edition, "hash": created.edition_hash},
        "options": dict(created.options),
        "private": created.private,
        "seed": {"by": created.seed_by, "commitment": created.seed_commitment, "revealed": match.seed},
        "sealing": {"commitment": created.sealing_commitment, "revealed": match.sealing_key},
        "status": match.status,
        "seats": _seats(match),
        "to_act": match.to_act,
        "position": match.game.view(match.position, viewer) if match.started else None,
    }


def lobby(match: Match) -> Mapping[str, Json]:
    """What lists of matches say of the table, to everybody alike; it changes seldom."""
    created, scored = match.created, match.scored
    return {
        "rules_version": created.rules_version,
        "edition": {"name": created.edition, "hash": created.edition_hash},
        "options": dict(created.options),
        "private": created.private,
        "seats": _seats(match),
        "winners": None if scored is None else scored.winners,
        "result": None if scored is None else scored.result,
    }


def score(match: Match, viewer: Viewer) -> Mapping[str, Json]:
    """The final score sheet, or before the end the live one as far as the viewer can know it."""
    scored = match.scored
    if scored is not None:
        return {
            "final": True,
            "seats": [_sheet(sheet) for sheet in scored.seats],
            "ranking": scored.ranking,
            "winners": scored.winners,
            "result": scored.result,
        }
    sheets = match.game.score(match.position, viewer)
    return {
        "final": False,
        "seats": list(map(_sheet, sheets)),
        "ranking": None,
        "winners": None,
        "result": None,
    }


def _seats(match: Match) -> list[Json]:
    return [
        {"seat": number, "kind": seat.kind, "name": seat.name, "entropy": seat.entropy}
        for number, seat in enumerate(match.seats)
    ]


def _sheet(sheet: SeatScore) -> Json:
    parts = [{"name": part.name, "points": part.points, "detail": part.detail} for part in sheet.parts]
    return {"seat": sheet.seat, "parts": parts, "total": sheet.total}
