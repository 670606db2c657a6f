"""The proof of a log, with no help from the server: chain, seals, secrets, every draw and every decision.

A log whose secrets are revealed is decided again, command by command: the same events must come out, and so
every draw is redone. A log that still has secrets is checked as far as it can be: chain and whatever seals
the reader may open. A name that is not opened, because it was forgotten, takes nothing from the proof.

The rules are those of the version that commit 1 states: what is not installed here is no flaw of the log, and
is told apart from one.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from domain.errors import NotInstalled
from domain.games import AnyGame, rules_of
from domain.match.commitment import Secrets
from domain.match.events import MatchCreated
from service.log.canonical import digest
from service.log.chain import FlawError, Record, check_chain, check_shape, parse
from service.log.codec import read_created, read_creation
from service.log.decide_again import decide_again
from service.log.edition import edition_hashes, edition_of
from service.log.record import FORMAT
from service.log.signed_head import SignedHead
from service.log.trailer import check_continued, take_trailer

HEADER = {"format", "match", "game", "edition"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """A log without a flaw; `complete` if its secrets were open and every draw and decision was redone.

    `head` is the hash of its last commit: two copies of a log with one head are the same. `signed_head` is
    what an export ends with; its signature is not checked here.
    """

    match: str
    game: str
    rules_version: int
    commits: int
    complete: bool
    seed_by: Literal["server", "creator"]
    head: str
    signed_head: SignedHead | None


def verify(lines: Iterable[bytes], since: Collection[SignedHead] = ()) -> Verdict:
    """The verdict on an exported log, which leads on from earlier heads; FlawError names the first flaw.

    NotInstalled if it cannot be judged here: its game or rules are not installed, or it is of newer software.
    """
    try:
        return _verify(lines, since)
    except NotInstalled:
        raise
    except (LookupError, TypeError, ValueError, RecursionError, AttributeError, msgspec.MsgspecError) as flaw:
        raise FlawError(0, f"this is not a log: {flaw}") from flaw


def _verify(lines: Iterable[bytes], since: Collection[SignedHead]) -> Verdict:
    head, *records = parse(lines)
    if head.keys() != HEADER or head["format"] != FORMAT or not records:
        raise FlawError(
            0, f"a log has a header line of format {FORMAT}, and commits; this begins with {sorted(head)}"
        )
    signed_head = take_trailer(records)
    check_chain(records, head["match"])
    check_continued(since, head["match"], records)
    for record in records:
        check_shape(record)
    created = _creation(records[0])
    if head["game"] != created.game:
        raise FlawError(0, f"the header's game is {head['game']!r}, the match is of {created.game!r}")
    game, edition = rules_of(created.game, created.rules_version), edition_of(head["edition"])
    _check_edition(game, head["edition"], created)
    secrets = _revealed(records)
    if secrets is not None:
        decide_again(game, edition, records, secrets)
    return Verdict(
        match=head["match"],
        game=game.name,
        rules_version=game.rules_version,
        commits=len(records),
        complete=secrets is not None,
        seed_by=created.seed_by,
        head=records[-1]["hash"],
        signed_head=signed_head,
    )


def _creation(first: Record) -> MatchCreated:
    """What commit 1 states, of whatever game it is: that which was asked for."""
    try:
        created, asked = read_created(first["events"][0]), read_creation(first["command"])
    except NotInstalled:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, msgspec.MsgspecError) as flaw:
        raise FlawError(1, f"the first commit creates no match: {flaw}") from flaw
    if (created.game, created.edition) != (asked.game, asked.edition):
        raise FlawError(1, "the match is not of the game and edition that it was asked for")
    return created


def _check_edition(game: AnyGame, edition: Record, created: MatchCreated) -> None:
    """The header has the components that commit 1 states; if it is an installed edition, commit 1 lies."""
    own_hash = digest(edition)
    if (created.edition, created.edition_hash) != (edition["name"], own_hash):
        installed = own_hash == edition_hashes(game).get(edition["name"])
        raise FlawError(int(installed), "the header's edition is not the one that the match is played with")


def _revealed(records: Sequence[Record]) -> Secrets | None:
    """Seed and sealing key, where the last commits reveal them."""
    revealed = (event for record in records[::-1] for event in record["events"] if event.get("sealing_key"))
    event = next(revealed, None)
    return event and Secrets(bytes.fromhex(event["seed"]), bytes.fromhex(event["sealing_key"]))
