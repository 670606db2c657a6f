"""The proof of a log, with no help from the server: chain, seals, secrets, every draw and every decision.

A log whose secrets are revealed is decided again, command by command: the same events must come out, and so
every draw is redone. A log that still has secrets is checked as far as it can be: chain and whatever seals
the reader may open. A name that is not opened, because it was forgotten, takes nothing from the proof.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import orjson

from domain.errors import RuleBroken
from domain.game import Edition
from domain.games import AnyGame, games
from domain.match.commands import CreateMatch
from domain.match.commitment import Secrets
from domain.match.events import MatchCreated
from domain.match.names import named_pointers
from domain.match.reducer import fold
from domain.match.rules import HOST, Premises, create, decide
from domain.match.state import Match
from service.log.canonical import canonical
from service.log.chain import FlawError, Record, check_chain, check_shape, parse
from service.log.codec import UnknownTypeError, codec, dump, dump_command
from service.log.edition import edition_hash, edition_hashes, edition_of
from service.log.names import FORGOTTEN
from service.log.record import FORMAT, put, salt_of, sealed_pointers
from service.log.upcasters import upcast

HEADER = {"format", "match", "game", "edition"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """A log without a flaw; `complete` if its secrets were open and every draw and decision was redone."""

    match: str
    game: str
    commits: int
    complete: bool


def verify(lines: Iterable[bytes]) -> Verdict:
    """The verdict on an exported log; FlawError names the first flaw."""
    try:
        return _verify(lines)
    except (LookupError, TypeError, ValueError, RecursionError, AttributeError, msgspec.MsgspecError) as flaw:
        raise FlawError(0, f"this is not a log: {flaw}") from flaw


def _verify(lines: Iterable[bytes]) -> Verdict:
    head, *records = parse(lines)
    if head.keys() != HEADER or head["format"] != FORMAT or not records:
        raise FlawError(
            0, f"a log has a header line of format {FORMAT}, and commits; this begins with {sorted(head)}"
        )
    game, edition = games()[head["game"]], edition_of(head["edition"])
    check_chain(records, head["match"])
    for record in records:
        check_shape(record)
    _check_header(game, edition, records[0])
    secrets = _revealed(records)
    if secrets is not None:
        _decide_again(game, edition, records, secrets)
    return Verdict(head["match"], game.name, len(records), secrets is not None)


def _check_header(game: AnyGame, edition: Edition, first: Record) -> None:
    """The header has the game and components that commit 1 states; if it is an installed one, that lies."""
    created, command, own_hash = first["events"][0], first["command"], edition_hash(edition)
    if (created["game"], created["edition"]) != (command["game"], command["edition"]):
        raise FlawError(1, "the match is not of the game and edition that it was asked for")
    if (created["game"], created["edition"], created["edition_hash"]) != (game.name, edition.name, own_hash):
        installed = own_hash == edition_hashes(game).get(edition.name)
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
            command = codec(game).command(upcast(game.name, whole["command"]))
            if match is None:
                events = _created_again(game, edition, whole, command, secrets)
                after = fold(game, edition, events)
            else:
                story = decide(match, command, whole["by"], secrets)
                events, after = story.events, story.state
        except (RuleBroken, UnknownTypeError, LookupError, ValueError, msgspec.MsgspecError) as refusal:
            raise FlawError(version, f"the command cannot be decided again: {refusal}") from refusal
        _compare(version, whole, command, events, game)
        _check_seals(whole, command, events, secrets.sealing_key)
        match = after


def _created_again(
    game: AnyGame, edition: Edition, whole: Record, command: Any, secrets: Secrets
) -> tuple[Any, ...]:
    stated: MatchCreated = codec(game).event(upcast(game.name, whole["events"][0]))
    if stated.sealing_commitment != secrets.sealing_commitment:
        raise ValueError("the revealed sealing key is not the one that was committed to")
    if stated.seed_commitment != secrets.seed_commitment:
        raise ValueError("the revealed seed is not the one that was committed to")
    if whole["by"] != HOST or not isinstance(command, CreateMatch):
        raise ValueError("the first commit is the host's, and creates the match")
    return create(command, Premises(game, edition, stated.edition_hash, secrets, stated.seed_by))


def _compare(version: int, whole: Record, command: Any, events: Sequence[Any], game: AnyGame) -> None:
    """The same command, written alike, and the same events."""
    recorded = [upcast(game.name, raw) for raw in whole["events"]]
    for index, (told, again) in enumerate(_longest(recorded, [dump(event) for event in events])):
        if canonical(told) != canonical(again):
            raise FlawError(version, f"event {index} is {_brief(told)}; decided again it is {_brief(again)}")
    if canonical(upcast(game.name, whole["command"])) != canonical(dump_command(command)):
        raise FlawError(version, "the command has fields that its type does not have")


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


def _check_seals(whole: Record, command: Any, events: Sequence[Any], sealing_key: bytes) -> None:
    """Sealed is what the rules hide, and the names; of what they hide each salt is the sealing key's."""
    version, opened = whole["version"], whole.get("opened", {})
    hidden = sealed_pointers(whole["by"], command, events).keys()
    if whole["sealed"].keys() != hidden | named_pointers(command, events).keys():
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
