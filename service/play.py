"""The only writer: load, decide, append; on a conflict catch up and decide again.

A cached state is a baseline, never an authority: the append is refused when it is stale, with the commits it
lacks. A refusal by the rules counts only if it was decided on the newest state. What is kept beside the log
changes with a commit only, and is never older than the state it is held with: so a token that was revoked
decides nothing, in whatever process. (Longer than other files, for this is the one loop that must be read as
a whole.)
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from secrets import token_hex
from threading import Lock
from typing import Any

import orjson
from cachetools import LRUCache

from domain.errors import RuleBroken
from domain.game import Story
from domain.match.rules import decide
from domain.match.state import Match
from service.asking import (
    CommandRefusedError,
    KeyReusedError,
    MatchNotFoundError,
    Request,
    Result,
    StaleVersionError,
    TokenRevokedError,
)
from service.called import Choose, called_for, first_legal
from service.clock import Clock, iso, now
from service.loaded import Loaded, QuarantinedError, advance, restore, snapshot
from service.log.record import Draft, Entry, seal
from service.store.journal import Accepted, Append, Conflict, Done, Head, Journal
from service.tokens import revoked

CACHED_MATCHES = 2048
CACHED_MILESTONES = 256
MILESTONE = 64  # a past version is folded from a multiple of this on
PAGE = 500  # commits read in one trip
SNAPSHOT_EVERY = 64  # commits folded on a cold load that are worth a snapshot


class Play:
    """The use cases of a match over a journal."""

    def __init__(self, journal: Journal, clock: Clock = now) -> None:
        self.journal = journal
        self.clock = clock
        self._cache: LRUCache[str, Loaded] = LRUCache(CACHED_MATCHES)
        self._past: LRUCache[tuple[str, int], Loaded] = LRUCache(CACHED_MILESTONES)
        self._lock = Lock()

    def peek(self, match: str) -> Loaded:
        """The match as this process saw it last, or at its newest version; MatchNotFoundError."""
        return self._cache.get(match) or self.load(match)

    def load(self, match: str) -> Loaded:
        """The match at its newest version; MatchNotFoundError, QuarantinedError."""
        cached = self._cache.get(match)
        base = loaded = cached or self._open(match)
        while True:
            head, entries = self.journal.catch_up(match, loaded.version, PAGE)
            loaded = replace(advance(loaded, entries), fields=head.fields)
            if not entries or (len(entries) < PAGE and head.version >= loaded.version):
                break  # else there is more, or the head, which is read before the log, is older than it
        behind = not base.version <= head.version <= loaded.version
        if behind or (head.version == loaded.version and head.hash != loaded.hash):
            seen = f"{base.version} was seen, the head is at {head.version}, the log ends at {loaded.version}"
            raise QuarantinedError(f"{match}: {seen}")
        if cached is None and loaded.version - base.version >= SNAPSHOT_EVERY:
            self.journal.save_snapshot(match, snapshot(loaded))
        return self._remember(loaded)

    def at(self, match: str, version: int) -> Loaded:
        """The match at a version; MatchNotFoundError if it has not come so far."""
        loaded = self.peek(match)
        if version > loaded.version:
            loaded = self.load(match)
        if not 1 <= version <= loaded.version:
            raise MatchNotFoundError(f"{match} is at version {loaded.version}.")
        if version == loaded.version:
            return loaded
        return replace(self._past_of(match, version), fields=loaded.fields)

    def _past_of(self, match: str, version: int) -> Loaded:
        """A past version, folded from the milestone before it: a replay does not fold all at each step."""
        nearest = version // MILESTONE * MILESTONE
        known = (self._past.get((match, stone)) for stone in range(nearest, 0, -MILESTONE))
        past = next((found for found in known if found is not None), None) or Loaded(match)
        for stone in range(past.version + MILESTONE, nearest + 1, MILESTONE):
            past = self._read_on(past, stone)
            if past.version < stone:
                raise QuarantinedError(f"{match}: the log ends at {past.version}, before {version}")
            with self._lock:
                self._past[match, stone] = past
        return self._read_on(past, version) if past.version < version else past

    def do(self, loaded: Loaded, commands: Sequence[Any], request: Request) -> Result:
        """Decide commands one after the other and store them, all or none, a commit each.

        Raises CommandRefusedError, StaleVersionError, KeyReusedError, TokenRevokedError; OutcomeUnknownError
        if the store is lost.
        """
        while True:
            try:
                after, entries = self._decide(loaded, commands, request)
            except (CommandRefusedError, StaleVersionError, TokenRevokedError):
                newest = self.load(loaded.id)
                if newest.version == loaded.version:
                    if known := self._known(newest.fields, loaded.id, request):
                        return known
                    raise
                loaded = newest
                continue
            stored = self.store(loaded, after, entries, request)
            if isinstance(stored, Result):
                return stored
            loaded = stored

    def store(
        self, base: Loaded, after: Loaded, entries: Sequence[Entry], request: Request
    ) -> Result | Loaded:
        """Append commits that were decided on `base`; where it was stale, the match as it is now."""
        state, fields = after.state, dict(request.fields)
        if base.match is None or base.match.status != state.status:
            fields["status"] = state.status
        if state.seed is not None and "seed" in base.fields:
            fields["seed"] = ""  # from now on it stands in the log
        if base.match is not None:
            fields |= revoked(base.fields, base.match, state)
        span = {"first": base.version + 1, "last": after.version}
        kept = {"of": request.fingerprint, "nonce": request.nonce, **span}
        append = Append(
            match=after.id,
            expected=Head(base.version, base.hash),
            entries=entries,
            hash=after.hash,
            now=self.clock(),
            fields=fields,
            calls=state.calls,
            alone=not state.attended,
            key=request.key,
            answer=orjson.dumps(kept).decode(),
        )
        match self.journal.append(append):
            case Accepted():
                left = {name: value for name, value in {**base.fields, **fields}.items() if value}
                return Result(self._remember(replace(after, fields=left)), entries, request.nonce)
            case Done(answer):
                return self._replay(self.journal.head(after.id).fields, after.id, request, answer)
            case Conflict() as conflict:
                return self._reconcile(base, conflict)

    def begin(self, after: Loaded, entry: Entry, request: Request) -> Result:
        """Store the first commit of a match; KeyReusedError if there is one of this id already."""
        stored = self.store(Loaded(after.id), after, [entry], request)
        if isinstance(stored, Result):
            return stored
        raise KeyReusedError("A match was created with this Idempotency-Key; its answer is no longer kept.")

    def known(self, match: str, request: Request) -> Result | None:
        """What an earlier request with the same key stored; KeyReusedError if it was another request.

        TokenRevokedError, whatever is known, if the token it came with is revoked.
        """
        fields = self.journal.head(match).fields if request.token else {}
        if not request.ends:
            request.check(fields)
        return self._known(fields, match, request)

    def run(self, match: str, version: int, task: str, choose: Choose = first_legal) -> bool:
        """Do the job that version calls for; False, with nothing changed, if the match has gone on.

        `choose` makes the choice of a bot, of its own seat's view and legal commands.
        """
        loaded = self.load(match)
        if loaded.version != version or loaded.state.calls != task:
            return False
        by, command = called_for(loaded.state, task, choose)
        try:
            self.do(loaded, [command], Request(by, key=f"{version}-{task}", expected=version))
        except StaleVersionError:
            return False
        return True

    def _decide(
        self, loaded: Loaded, commands: Sequence[Any], request: Request
    ) -> tuple[Loaded, list[Entry]]:
        request.check(loaded.fields)
        if request.expected not in (None, loaded.version):
            raise StaleVersionError(request.expected or 0, loaded.version)
        entries, base, command_id = [], loaded, request.key or token_hex(16)
        for index, command in enumerate(commands):
            try:
                story = decide(loaded.state, command, request.by, loaded.seed)
            except RuleBroken as rule:
                raise CommandRefusedError(rule, index, base.version) from rule
            named = command_id if index == 0 else f"{command_id}.{index}"
            loaded, entry = self.commit(loaded, story, command, request.by, named)
            entries.append(entry)
        return loaded, entries

    def commit(
        self, loaded: Loaded, story: Story[Match, Any], command: Any, by: str, command_id: str
    ) -> tuple[Loaded, Entry]:
        """The next commit of a match, sealed, and the match after it; nothing is stored."""
        at, version = iso(self.clock()), loaded.version + 1
        draft = Draft(loaded.id, version, at, by, command, command_id, story.events, loaded.hash)
        entry, own_hash = seal(draft, loaded.seed)
        return Loaded(loaded.id, version, own_hash, story.state, loaded.fields), entry

    def _known(self, fields: Mapping[str, str], match: str, request: Request) -> Result | None:
        answer = None if request.key is None else self.journal.answer(match, request.key)
        return None if answer is None else self._replay(fields, match, request, answer)

    def _replay(self, fields: Mapping[str, str], match: str, request: Request, answer: str) -> Result:
        if not request.ends:
            request.check(fields)
        kept = orjson.loads(answer)
        if kept["of"] != request.fingerprint:
            raise KeyReusedError("This Idempotency-Key came before with another request.")
        first, last = kept["first"], kept["last"]
        loaded = self.at(match, last)
        return Result(loaded, self.journal.read(match, first - 1, last), kept["nonce"], replayed=True)

    def _reconcile(self, base: Loaded, conflict: Conflict) -> Loaded:
        if conflict.version <= base.version or not conflict.missing:
            raise QuarantinedError(f"{base.id}: the head is at {conflict.version}, the log at {base.version}")
        if base.version == 0:
            return base
        return self._remember(replace(advance(base, conflict.missing), fields=conflict.fields))

    def _open(self, match: str) -> Loaded:
        head, kept = self.journal.open(match)
        if head.version == 0:
            raise MatchNotFoundError(f"There is no match {match}.")
        restored = restore(match, kept, head.fields) if kept else None
        return restored or Loaded(match, fields=head.fields)

    def _read_on(self, loaded: Loaded, upto: int | None = None) -> Loaded:
        while entries := self.journal.read(loaded.id, loaded.version, upto, PAGE):
            loaded = advance(loaded, entries)
            if len(entries) < PAGE:
                break
        return loaded

    def _remember(self, loaded: Loaded) -> Loaded:
        with self._lock:
            cached = self._cache.get(loaded.id)
            if cached is None or cached.version <= loaded.version:
                self._cache[loaded.id] = loaded
        return loaded
