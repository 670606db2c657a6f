"""A log as lines: a header with the edition, a commit a line as a viewer may see it, the signed head."""

from collections.abc import Iterable, Iterator
from typing import Any

from domain.game import Viewer
from domain.match.state import Match
from service.log.canonical import canonical
from service.log.edition import edition_content
from service.log.names import Names
from service.log.record import FORMAT, Entry
from service.log.signed_head import TRAILER, SignedHead


def header(match_id: str, match: Match) -> dict[str, Any]:
    """What makes a log readable offline: whose it is, and the components it is played with."""
    edition = edition_content(match.edition)
    return {"format": FORMAT, "match": match_id, "game": match.game.name, "edition": edition}


def lines(
    match_id: str, match: Match, entries: Iterable[Entry], viewer: Viewer, names: Names
) -> Iterator[bytes]:
    """The header and the commits, a line each; everything is open once the sealing key is revealed."""
    yield canonical(header(match_id, match)) + b"\n"
    for entry in entries:
        yield entry.line(viewer, names, revealed=match.sealing_key is not None) + b"\n"


def trailer(signed_head: SignedHead | None) -> list[bytes]:
    """The line that ends the export of a whole log; none where nobody signs."""
    return [] if signed_head is None else [canonical({TRAILER: signed_head.document()}) + b"\n"]
