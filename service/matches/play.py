"""The only writer: load, decide, append; on a conflict catch up and decide again.

A cached state is a baseline, never an authority: the append is refused when it is stale, with the commits it
lacks. A refusal by the rules counts only if it was decided on the newest state. What is kept beside the log
changes with a commit only, and is never older than the state it is held with: so a token that was revoked
decides nothing, in whatever process.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from domain.game import Story
from domain.match.state import Match
from service.auth.tokens import revoked
from service.clock import Clock, iso, now
from service.log.names import added, as_fields, surplus, taken_out
from service.log.record import Draft, Entry, seal
from service.matches.aggregate import Aggregate
from service.matches.automation import Choose, due_command, first_legal
from service.matches.batch import Batch
from service.matches.loading import Matches
from service.matches.lobby import changed_facts
from service.matches.lookalikes import refuse_look_alike
from service.matches.requests import (
    CommandRefusedError,
    KeyReusedError,
    Request,
    Result,
    StaleVersionError,
    TokenRevokedError,
)
from service.matches.revision import Revision
from service.random_bytes import RandomBytes, random_bytes
from service.store.journal import Accepted, Append, Conflict, Done, Head, Journal


class Play(Matches):
    """The use cases of a match over a journal; what the server keeps secret comes from `random_bytes`."""

    def __init__(
        self, journal: Journal, clock: Clock = now, random_bytes: RandomBytes = random_bytes
    ) -> None:
        super().__init__(journal)
        self.clock, self.random_bytes = clock, random_bytes

    def do(self, loaded: Aggregate, commands: Sequence[Any], request: Request) -> Result:
        """Decide commands one after the other and store them, all or none, a commit each.

        Raises CommandRefusedError, StaleVersionError, KeyReusedError, TokenRevokedError; OutcomeUnknownError
        if the store is lost.
        """
        while True:
            try:
                after, entries = self._decide(loaded, commands, request)
            except (CommandRefusedError, StaleVersionError, TokenRevokedError):
                newest = self.load(loaded.id)
                if (newest.version, newest.hash) == (loaded.version, loaded.hash):
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
        self, base: Aggregate, after: Aggregate, entries: Sequence[Entry], request: Request
    ) -> Result | Aggregate:
        """Append commits that were decided on `base`; where it was stale, the match as it is now."""
        state, names = after.state, added(base.fields, after.fields)
        fields = dict(request.fields) | names
        if base.match is None or base.match.status != state.status:
            fields["status"] = state.status
        fields |= changed_facts(base.fields, state)
        if state.seed is not None and "seed" in base.fields:
            fields |= {"seed": "", "sealing_key": ""}  # from now on they stand in the log
        if base.match is not None:
            fields |= revoked(base.fields, base.match, state)
        if names:
            fields |= surplus(after.fields, state.seats)
        span = {"first": base.version + 1, "last": after.version}
        kept = {"of": request.fingerprint, "nonce": request.nonce, **span}
        append = Append(
            match=after.id,
            expected=Head(base.version, base.hash),
            entries=entries,
            hash=after.hash,
            fields=fields,
            due_task=state.due_task,
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
                return self.catch_up_after(base, conflict)

    def begin(self, after: Aggregate, entry: Entry, request: Request) -> Result:
        """Store the first commit of a match; KeyReusedError if there is one of this id already."""
        stored = self.store(Aggregate(after.id), after, [entry], request)
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
        if loaded.version != version or loaded.state.due_task != task:
            return False
        by, command = due_command(loaded.state, task, choose)
        try:
            self.do(loaded, [command], Request(by, key=f"{version}-{task}", expected=Revision(version)))
        except StaleVersionError:
            return False
        return True

    def _decide(
        self, loaded: Aggregate, commands: Sequence[Any], request: Request
    ) -> tuple[Aggregate, list[Entry]]:
        request.check(loaded.fields)
        if request.expected is not None and not request.expected.names(loaded):
            raise StaleVersionError(request.expected, Revision.of(loaded))
        entries, command_id = [], request.key or self.random_bytes(16).hex()
        batch = Batch(request.by, loaded.version, peopled=request.peopled)
        for index, command in enumerate(commands):
            with batch.following():
                handled, names = taken_out(command, loaded.version + 1, self.random_bytes)
                loaded = replace(loaded, fields={**loaded.fields, **as_fields(names)})
                story = batch.decide(loaded.state, handled, loaded.secrets)
                refuse_look_alike(loaded, command)
            named = command_id if index == 0 else f"{command_id}.{index}"
            loaded, entry = self.commit(loaded, story, handled, request.by, named)
            entries.append(entry)
        return loaded, entries

    def commit(
        self, loaded: Aggregate, story: Story[Match, Any], command: Any, by: str, command_id: str
    ) -> tuple[Aggregate, Entry]:
        """The next commit of a match, sealed, and the match after it; nothing is stored."""
        at, version = max(iso(self.clock()), loaded.at), loaded.version + 1  # a clock may be set back
        draft = Draft(
            loaded.id, version, at, by, command, command_id, story.events, loaded.hash, loaded.names
        )
        entry, own_hash = seal(draft, loaded.secrets.sealing_key)
        return Aggregate(loaded.id, version, own_hash, story.state, loaded.fields, at), entry

    def _known(self, fields: Mapping[str, str], match: str, request: Request) -> Result | None:
        answer = None if request.key is None else self.journal.answer(match, request.key)
        return None if answer is None else self._replay(fields, match, request, answer)

    def _replay(self, fields: Mapping[str, str], match: str, request: Request, answer: str) -> Result:
        if not request.ends:
            request.check(fields)
        kept = orjson.loads(answer)
        if kept["of"] != request.fingerprint:
            raise KeyReusedError("This Idempotency-Key was used with another request.")
        first, last = kept["first"], kept["last"]
        loaded = self.at(match, last)
        entries = self.history.commits(match, first - 1, last)
        return Result(loaded, entries, kept["nonce"], replayed=True)
