"""What is wrong with what is stored: `bricabrac doctor` lists it. It reads, and changes nothing.

Matches are gone through one at a time, however many there are.
"""

from collections.abc import Iterator

from service.errors import MatchUnreadableError
from service.matches.aggregate import Aggregate
from service.matches.history import catch_up
from service.store.journal import LISTED_FIELDS, Journal


def findings(journal: Journal) -> Iterator[str]:
    """A sentence for each thing that is wrong."""
    for name, found in journal.checks().items():
        if found != "ok":
            yield f"{name}: {found}"
    yield from unreadable_matches(journal)


def unreadable_matches(journal: Journal) -> Iterator[str]:
    """A sentence for each match that cannot be read."""
    known = set[str]()  # these alone are remembered: a match may be found twice
    for match in journal.matches():
        if match in known:
            continue
        try:
            examine(journal, match)
        except MatchUnreadableError as why:
            known.add(match)
            yield str(why)


def examine(journal: Journal, match: str) -> None:
    """Fold a match from its first commit to its last; MatchUnreadableError."""
    head, _ = journal.open(match)
    if head.version == 0:
        raise MatchUnreadableError(match, "it is on the public list, and its head is gone")
    if missing := [name for name in LISTED_FIELDS if name not in head.fields]:
        raise MatchUnreadableError(match, f"its head lacks {' and '.join(missing)}")
    catch_up(journal, Aggregate(match))
