"""The row of a match in lists, kept in its head and changed with the commit that changes it.

So a page of a list folds no match. A head that an older release wrote lacks these facts until its next
commit: they are null in its row.
"""

from collections.abc import Mapping
from typing import Any

import orjson

from domain.match.state import Match
from domain.match.view import lobby
from service.clock import iso
from service.errors import MatchUnreadableError
from service.log.names import names_of, shown
from service.store.journal import Listed

FACTS = ("rules_version", "edition", "options", "private", "seats", "winners", "result")
JOINABLE = ("open", "playing")


def changed_facts(before: Mapping[str, str], match: Match) -> dict[str, str]:
    """The fields of a head that say something else of a match than before; an empty value removes one."""
    facts = {
        "lobby": orjson.dumps(lobby(match)).decode(),
        "to_act": " ".join(map(str, match.to_act)),
    }
    return {name: value for name, value in facts.items() if value != before.get(name, "")}


def match_row(listed: Listed) -> dict[str, Any]:
    """A match as a list shows it: what everybody who sees it in the list may know. MatchUnreadableError."""
    if not listed.sound:
        raise MatchUnreadableError(listed.match, "it is in a list, and its head is gone")
    try:
        return _row(listed)
    except (ValueError, LookupError, TypeError) as wrong:
        raise MatchUnreadableError(listed.match, "its head says nothing sound for the list") from wrong


def _row(listed: Listed) -> dict[str, Any]:
    fields = listed.fields
    facts = orjson.loads(fields["lobby"]) if "lobby" in fields else None
    told = dict.fromkeys(FACTS) if facts is None else {name: facts[name] for name in FACTS}
    names, status = names_of(fields), fields["status"]
    seats = None if facts is None else [shown(seat, names) for seat in facts["seats"]]
    free = None if seats is None else sum(seat["name"] is None for seat in seats)
    created_ms = (listed.place or fields.get("created", "")).partition("-")[0]
    return {
        "id": listed.match,
        "version": int(fields["version"]),
        "game": fields["game"],
        "status": status,
        **told,
        "seats": seats,
        "open_seats": free if free is None or status in JOINABLE else 0,
        "to_act": None if facts is None else [int(seat) for seat in fields.get("to_act", "").split()],
        "created_at": iso(int(created_ms)) if created_ms else None,
        "self": f"/v1/matches/{listed.match}",
    }
