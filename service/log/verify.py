"""The proof of a log, with no help from the server: chain, seals, secrets, every draw and every decision.

A log whose secrets are revealed is decided again, command by command: the same events must come out, and so
every draw is redone. A log that still has secrets is checked as far as it can be: chain and whatever seals
the reader may open. A name that is not opened, because it was forgotten, takes nothing from the proof.

The rules are those of the version that commit 1 states: what is not installed here is no flaw of the log, and
is told apart from one.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
import orjson

from domain.errors import NotInstalled, RuleBroken
from domain.game import Edition
from domain.games import AnyGame, rules_of
from domain.match.commands import CreateMatch
from domain.match.commitment import Secrets
from domain.match.events import MatchCreated
from domain.match.names import named_pointers
from domain.match.reducer import fold
from domain.match.rules import HOST, Premises, create, decide
from domain.match.state import Match
from service.log.canonical import canonical, digest
from service.log.chain import FlawError, Record, check_chain, check_shape, parse
from service.log.codec import UnknownTypeError, codec, dump, dump_command, read_created, read_creation
from service.log.edition import edition_hashes, edition_of
from service.log.names import FORGOTTEN
from service.log.record import FORMAT, put, salt_of
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
        _decide_again(game, edition, records, secrets)
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


def _decide_again(game: AnyGame, edition: Edition, records: Sequence[Record], secrets: Secrets) -> None:
    match: Match | None = None
    for record in records:
        version, whole = record["version"], _opened(record)
        try:
            command = codec(game).command(whole["command"])
            recorded = [codec(game).events.lift(raw) for raw in whole["events"]]
            if match is None:
                events = _created_again(game, edition, whole, command, secrets)
                after = fold(game, edition, events)
            else:
                story = decide(match, command, whole["by"], secrets)
                events, after = story.events, story.state
        except NotInstalled:
            raise
        except (RuleBroken, UnknownTypeError, LookupError, ValueError, msgspec.MsgspecError) as refusal:
            raise FlawError(version, f"the command cannot be decided again: {refusal}") from refusal
        _compare(version, recorded, events)
        if canonical(codec(game).commands.lift(whole["command"])) != canonical(dump_command(command)):
            raise FlawError(version, "the command has fields that its type does not have")
        _check_seals(whole, set(_secrets(game, whole)), named_pointers(command, events), secrets.sealing_key)
        match = after


def _created_again(
    game: AnyGame, edition: Edition, whole: Record, command: Any, secrets: Secrets
) -> tuple[Any, ...]:
    stated = read_created(whole["events"][0])
    if stated.sealing_commitment != secrets.sealing_commitment:
        raise ValueError("the revealed sealing key is not the one that was committed to")
    if stated.seed_commitment != secrets.seed_commitment:
        raise ValueError("the revealed seed is not the one that was committed to")
    if whole["by"] != HOST or not isinstance(command, CreateMatch):
        raise ValueError("the first commit is the host's, and creates the match")
    return create(command, Premises(game, edition, stated.edition_hash, secrets, stated.seed_by))


def _compare(version: int, recorded: Sequence[Record], events: Sequence[Any]) -> None:
    """The same events as were recorded."""
    for index, (told, again) in enumerate(_longest(recorded, [dump(event) for event in events])):
        if canonical(told) != canonical(again):
            raise FlawError(version, f"event {index} is {_brief(told)}; decided again it is {_brief(again)}")


def _secrets(game: AnyGame, whole: Record) -> Iterator[str]:
    """The pointers that the rules hide in a commit, by the versions of the types that it was written with."""
    read = codec(game)
    yield from (f"/command/{name}" for name in read.commands.secrets(whole["command"]))
    for index, raw in enumerate(whole["events"]):
        yield from (f"/events/{index}/{name}" for name in read.events.secrets(raw))


def _longest(told: Sequence[Any], again: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    for index in range(max(len(told), len(again))):
        yield told[index] if index < len(told) else None, again[index] if index < len(again) else None


def _opened(record: Record) -> Record:
    """The record with every sealed value in place, and FORGOTTEN for a name that is not opened."""
    whole: Record = orjson.loads(canonical(record))
    opened: Mapping[str, Any] = whole.get("opened", {})
    for pointer in whole["sealed"]:
        if pointer not in opened and not pointer.endswith("/name"):
            raise _still_sealed(record["version"], pointer)
        try:  # whether a name is one indeed is seen once the commit is decided again
            put(whole, pointer, opened[pointer]["value"] if pointer in opened else FORGOTTEN)
        except (LookupError, TypeError, ValueError) as nowhere:
            raise FlawError(record["version"], f"{pointer}, which is sealed, leads nowhere") from nowhere
    return whole


def _check_seals(whole: Record, hidden: set[str], named: Iterable[str], sealing_key: bytes) -> None:
    """Sealed is what the rules hide, and the names; of what they hide each salt is the sealing key's."""
    version, opened = whole["version"], whole.get("opened", {})
    if whole["sealed"].keys() != hidden.union(named):
        raise FlawError(version, "sealed is what the rules do not hide, or open is what they do")
    for pointer in hidden:
        if pointer not in opened:
            raise _still_sealed(version, pointer)
        if opened[pointer]["salt"] != salt_of(sealing_key, whole["match"], version, pointer):
            raise FlawError(version, f"the salt of {pointer} does not come from the sealing key")


def _still_sealed(version: int, pointer: str) -> FlawError:
    return FlawError(version, f"{pointer} is still sealed though the sealing key is revealed")


def _brief(event: Any) -> str:
    return "nothing" if event is None else canonical(event).decode()[:200]
