"""Deciding a log again, command by command: the same events must come out, and so every draw is redone.

What the rules hide must be sealed, and nothing else but names, with salts from the sealing key. A name that
is not opened, because it was forgotten, takes nothing from the proof.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import orjson

from domain.errors import NotInstalled, RuleBroken
from domain.game import Edition
from domain.games import AnyGame
from domain.match.commands import CreateMatch
from domain.match.commitment import Secrets
from domain.match.names import named_pointers
from domain.match.reducer import fold
from domain.match.rules import HOST, Premises, create, decide
from domain.match.state import Match
from service.log.canonical import canonical
from service.log.chain import FlawError, Record
from service.log.codec import UnknownTypeError, codec, dump, dump_command, read_created
from service.log.names import FORGOTTEN
from service.log.record import put, salt_of


def decide_again(game: AnyGame, edition: Edition, records: Sequence[Record], secrets: Secrets) -> None:
    """Decide every command of a log whose secrets are revealed; FlawError where it comes out otherwise."""
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
