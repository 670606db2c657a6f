"""The aggregate: a match at a version, frozen, with what is kept beside its log."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, reduce
from hashlib import sha256
from typing import Any, get_type_hints

import msgspec

from domain.errors import NotInstalled
from domain.games import AnyGame, rules_of
from domain.match.commitment import Secrets
from domain.match.events import MatchCreated
from domain.match.reducer import begin, evolve
from domain.match.state import Match
from service.errors import MatchUnreadableError
from service.log.codec import UnknownTypeError, codec, read_created
from service.log.edition import find_edition
from service.log.names import Names, names_of
from service.log.record import FORMAT, GENESIS, Entry
from service.matches.type_shape import shape_hash

SNAPSHOT_FORMAT = 4  # raise it when a field keeps its name and type, and changes its meaning
KEPT = {
    name: hint for name, hint in get_type_hints(Match).items() if name not in ("game", "edition", "position")
}

NAMED = (NotInstalled, UnknownTypeError, msgspec.ValidationError)  # they say what is missing


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A match at a version: `match` is None at version 0, `fields` are those of the head."""

    id: str
    version: int = 0
    hash: str = GENESIS
    match: Match | None = None
    fields: Mapping[str, str] = field(default_factory=dict, repr=False)
    at: str = ""  # when its last commit was made

    @property
    def state(self) -> Match:
        """The match; there is one from version 1 on."""
        assert self.match is not None
        return self.match

    @property
    def secrets(self) -> Secrets:
        """The seed and the sealing key, from the head or, once revealed, from the log.

        MatchUnreadableError where one is gone: a match is never played on with another.
        """
        seed = self.fields.get("seed") or self.state.seed
        sealing_key = self.fields.get("sealing_key") or self.state.sealing_key
        if not seed or not sealing_key:
            raise MatchUnreadableError(self.id, "its seed or sealing key is missing from its head")
        with self._of_the_head():
            return Secrets(bytes.fromhex(seed), bytes.fromhex(sealing_key))

    @property
    def revealed(self) -> bool:
        """Whether everything sealed is open to everyone: the sealing key stands in the log."""
        return self.match is not None and self.match.sealing_key is not None

    @property
    def names(self) -> Names:
        """The names of players that are remembered, by the handles that stand in the state."""
        with self._of_the_head():
            return names_of(self.fields)

    def check_head(self) -> None:
        """MatchUnreadableError if the head lacks a secret, or holds an invalid secret or name."""
        for part in ("secrets", "names"):
            getattr(self, part)

    @contextmanager
    def _of_the_head(self) -> Iterator[None]:
        try:
            yield
        except ValueError as wrong:
            raise MatchUnreadableError(self.id, "its head holds a secret or a name that is none") from wrong


def advance(loaded: Aggregate, entries: Sequence[Entry]) -> Aggregate:
    """The match after more commits.

    MatchUnreadableError where they do not follow one another, need what is not installed, or are no commits.
    """
    return reduce(_advance, entries, loaded)


def _advance(loaded: Aggregate, entry: Entry) -> Aggregate:
    try:
        return _follow(loaded, entry)
    except MatchUnreadableError:
        raise
    except Exception as error:  # whatever a record of any shape leads to harms this match alone
        named = str(error) if isinstance(error, NAMED) else type(error).__name__  # others may name secrets
        raise MatchUnreadableError(loaded.id, f"commit {entry.version} cannot be read: {named}") from error


def _follow(loaded: Aggregate, entry: Entry) -> Aggregate:
    record = entry.whole()
    if record["format"] != FORMAT:
        reason = f"version {entry.version} is written in format {record['format']}, not in {FORMAT}"
        raise MatchUnreadableError(loaded.id, reason)
    if entry.version != loaded.version + 1 or record["previous"] != loaded.hash:
        raise MatchUnreadableError(loaded.id, f"version {entry.version} does not follow {loaded.version}")
    match = loaded.match
    for raw in record["events"]:
        match = _begin(raw) if match is None else evolve(match, read_event(match.game, raw))
    return replace(loaded, version=entry.version, hash=record["hash"], match=match, at=record["at"])


def read_event(game: AnyGame, raw: Mapping[str, Any]) -> Any:
    """An event of today from an object of any age."""
    return codec(game).event(raw)


def _begin(raw: Mapping[str, Any]) -> Match:
    created = read_created(raw)
    game = rules_of(created.game, created.rules_version)
    return begin(game, find_edition(game, created.edition, created.edition_hash), created)


def snapshot(loaded: Aggregate) -> bytes:
    """A disposable copy of the state: `restore` makes it a match again, or says that it cannot."""
    match = loaded.state
    kept = {
        "format": SNAPSHOT_FORMAT,
        "rules": match.game.rules_version,
        "schema": _schema(match.game),
        "version": loaded.version,
        "hash": loaded.hash,
        "at": loaded.at,
        "match": {name: getattr(match, name) for name in KEPT},
        "position": match.position,
    }
    packed = msgspec.msgpack.encode(kept, enc_hook=lambda _box: None)
    return sha256(packed).digest() + packed


def restore(match: str, kept: bytes, fields: Mapping[str, str]) -> Aggregate | None:
    """The match of a snapshot, or None where it is of another format, schema or rules, or unreadable."""
    checksum, packed = kept[:32], kept[32:]
    if sha256(packed).digest() != checksum:
        return None
    try:
        raw = msgspec.msgpack.decode(packed)
        members = {name: msgspec.convert(raw["match"][name], hint) for name, hint in KEPT.items()}
        created: MatchCreated = members["created"]
        game = rules_of(created.game, created.rules_version)
        wanted = (SNAPSHOT_FORMAT, game.rules_version, _schema(game))
        if (raw["format"], raw["rules"], raw["schema"]) != wanted:
            return None
        edition = find_edition(game, created.edition, created.edition_hash)
        box = game.box(edition)
        position = msgspec.convert(raw["position"], game.state, dec_hook=lambda _kind, _none: box)
        state = Match(game=game, edition=edition, position=position, **members)
        return Aggregate(match, raw["version"], raw["hash"], state, fields, raw["at"])
    except (msgspec.MsgspecError, LookupError, TypeError, NotInstalled):
        return None  # a snapshot is a cache: the log has it all


@cache
def _schema(game: AnyGame) -> str:
    """What a snapshot holds, field by field: one that holds less would be filled up with defaults."""
    return shape_hash({**KEPT, "position": game.state})
