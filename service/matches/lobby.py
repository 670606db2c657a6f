"""The row of a match in lists, kept in its head and changed with the commit that changes it.

So a page of a list folds no match. A head that an older release wrote lacks these facts until its next
commit: they are null in its row.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypedDict

import orjson

from domain.match.state import Match, Status
from service.clock import iso
from service.errors import MatchUnreadableError
from service.log.names import names_of
from service.matches.documents import EditionName, NextPage, SeatDocument
from service.matches.views import edition_name, seats, with_names
from service.store import journal

JOINABLE = ("open", "playing")
OLDER = "null: an older release wrote the match's last commit; read the match itself."


class Listed(TypedDict):
    """A match in a list, as a spectator sees it."""

    id: str
    version: int
    game: str
    status: Status
    rules_version: Annotated[int | None, OLDER]
    edition: Annotated[EditionName | None, OLDER]
    options: Annotated[Mapping[str, Any] | None, OLDER]
    private: Annotated[bool | None, OLDER]
    seats: Annotated[Sequence[SeatDocument] | None, OLDER]
    open_seats: Annotated[
        int | None, f"How many seats can be taken, at the start or from a player who left. {OLDER}"
    ]
    to_act: Annotated[Sequence[int] | None, f"The seats that must act. {OLDER}"]
    winners: Annotated[Sequence[int] | None, "As in the score; null before the end."]
    result: Annotated[str | None, "As in the score; null before the end."]
    created_at: Annotated[str | None, OLDER]
    self: str


class MatchPage(TypedDict):
    """A page of a list of matches, newest first."""

    items: Sequence[Listed]
    next: NextPage


def changed_facts(before: Mapping[str, str], match: Match) -> dict[str, str]:
    """The fields of a head that say something else of a match than before; an empty value removes one."""
    facts = {
        "lobby": orjson.dumps(_lobby(match)).decode(),
        "to_act": " ".join(map(str, match.to_act)),
    }
    return {name: value for name, value in facts.items() if value != before.get(name, "")}


def _lobby(match: Match) -> dict[str, Any]:
    """What changes seldom of what the head keeps for the list; names are not among it, but their handles."""
    created, scored = match.created, match.scored
    return {
        "rules_version": created.rules_version,
        "edition": edition_name(created),
        "options": dict(created.options),
        "private": created.private,
        "seats": seats(match),
        "winners": scored.winners if scored else None,
        "result": scored.result if scored else None,
    }


def match_row(listed: journal.Listed) -> Listed:
    """A match as a list shows it: what everybody who sees it in the list may know. MatchUnreadableError."""
    if not listed.sound:
        raise MatchUnreadableError(listed.match, "it is in a list, and its head is gone")
    try:
        return _row(listed)
    except (ValueError, LookupError, TypeError) as wrong:
        raise MatchUnreadableError(listed.match, "its head says nothing sound for the list") from wrong


def _row(listed: journal.Listed) -> Listed:
    fields = listed.fields
    facts: Any = orjson.loads(fields["lobby"]) if "lobby" in fields else None
    status: Any = fields["status"]
    table = None if facts is None else with_names(facts["seats"], names_of(fields))
    free = None if table is None else sum(seat["name"] is None for seat in table)
    created_ms = (listed.place or fields.get("created", "")).partition("-")[0]
    return {
        "id": listed.match,
        "version": int(fields["version"]),
        "game": fields["game"],
        "status": status,
        "rules_version": facts["rules_version"] if facts else None,
        "edition": facts["edition"] if facts else None,
        "options": facts["options"] if facts else None,
        "private": facts["private"] if facts else None,
        "seats": table,
        "open_seats": free if free is None or status in JOINABLE else 0,
        "to_act": None if facts is None else [int(seat) for seat in fields.get("to_act", "").split()],
        "winners": facts["winners"] if facts else None,
        "result": facts["result"] if facts else None,
        "created_at": iso(int(created_ms)) if created_ms else None,
        "self": f"/v1/matches/{listed.match}",
    }
