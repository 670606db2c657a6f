"""Laying a table and sitting down: the two requests that hand out tokens."""

from base64 import b32encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import chain
from secrets import token_bytes, token_hex
from typing import Any

from domain.chance import SEED_BYTES
from domain.errors import RuleBroken
from domain.games import AnyGame
from domain.match.commands import CreateMatch, TakeSeat
from domain.match.reducer import fold
from domain.match.rules import HOST, Premises, create, seat_name
from domain.match.state import Match
from service import tokens
from service.asking import CommandRefusedError, Request, Result
from service.clock import iso
from service.loaded import Loaded
from service.log.edition import edition_hashes
from service.log.record import GENESIS, Draft, seal
from service.play import Play
from service.store.journal import place_of


@dataclass(frozen=True, slots=True)
class Caller:
    """How a request without a token is known again: the key it carries, and what it asks.

    Its tokens are made from the key, or from random bits without one. `owner` is the id of the API key that
    calls, if one does: then the same Idempotency-Key with another API key, or with none, is another request.
    """

    key: str | None = None
    fingerprint: str = ""
    owner: str = ""
    random: bytes = field(default_factory=lambda: token_bytes(32), repr=False)

    @property
    def command_id(self) -> str | None:
        """The id that the log and the store know; the key itself is as secret as the tokens."""
        return None if self.key is None else sha256(f"key/{self._own_key}".encode()).hexdigest()[:32]

    @property
    def match_id(self) -> str:
        """A new match's id: 128 random bits, or, with a key, the same again for the same key."""
        known = None if self.key is None else sha256(f"match/{self._own_key}".encode()).digest()
        return "m_" + b32encode((known or self.random)[:16]).rstrip(b"=").decode().lower()

    def token(self, nonce: str, actor: str) -> str:
        """The token of an actor."""
        return tokens.token(self.random if self.key is None else self._own_key.encode(), nonce, actor)

    @property
    def _own_key(self) -> str:
        """The key among those of its owner; no key that is sent has a blank in it."""
        return f"{self.owner} {self.key}" if self.owner else f"{self.key}"

    def invite_code(self, nonce: str) -> str:
        """The code of an invite."""
        material = self.random if self.key is None else self.key.encode()
        return tokens.token(material, nonce, "invite", tokens.INVITE_PREFIX)

    def asks(self, by: str, **more: Any) -> Request:
        """The request as the pipe takes it."""
        return Request(by, self.command_id, self.fingerprint, **more)


@dataclass(frozen=True, slots=True)
class Seated:
    """A result with the tokens that are shown this once: by actor, `host` or `seat:0`."""

    result: Result
    tokens: Mapping[str, str]


def seated(result: Result, caller: Caller) -> Seated:
    """The tokens of those who sat down in a commit, the first time or again."""
    record = result.entries[0].public()
    actors = [record["by"]]
    if record["version"] == 1:
        seats = enumerate(record["command"]["seats"])
        actors += [seat_name(n) for n, seat in seats if seat["kind"] == "human" and seat["name"] is not None]
    return Seated(result, {actor: caller.token(result.nonce, actor) for actor in actors})


def create_match(
    play: Play, game: AnyGame, command: CreateMatch, caller: Caller, seed: bytes | None
) -> Seated:
    """Lay a table; tokens for the host and for every named seat. CommandRefusedError, KeyReusedError."""
    edition, edition_hash = game.editions[command.edition], edition_hashes(game)[command.edition]
    chosen = token_bytes(SEED_BYTES) if seed is None else seed
    premises = Premises(game, edition, edition_hash, chosen, "server" if seed is None else "creator")
    try:
        events = create(command, premises)
    except RuleBroken as rule:
        raise CommandRefusedError(rule, 0, 0) from rule
    match, nonce, moment = caller.match_id, token_hex(32), play.clock()
    actors = [
        HOST,
        *(
            seat_name(n)
            for n, seat in enumerate(command.seats)
            if seat.kind == "human" and seat.name is not None
        ),
    ]
    digests = {tokens.FIELD + actor: tokens.digest(caller.token(nonce, actor)) for actor in actors}
    place = "" if command.private else place_of(match, moment)
    fields = {"game": game.name, "seed": chosen.hex(), "owner": caller.owner, "place": place, **digests}
    draft = Draft(match, 1, iso(moment), HOST, command, caller.command_id or token_hex(16), events, GENESIS)
    entry, own_hash = seal(draft, chosen)
    after = Loaded(match, 1, own_hash, fold(game, edition, events), fields)
    request = caller.asks(HOST, nonce=nonce, fields=fields)
    return seated(play.begin(after, entry, request), caller)


def take_seat(play: Play, loaded: Loaded, command: TakeSeat, caller: Caller, expected: int | None) -> Seated:
    """Sit down on an open seat; its token. CommandRefusedError, StaleVersionError, KeyReusedError."""
    actor, nonce = seat_name(command.seat), token_hex(32)
    fields = {tokens.FIELD + actor: tokens.digest(caller.token(nonce, actor))}
    request = caller.asks(actor, expected=expected, nonce=nonce, fields=fields)
    return seated(play.do(loaded, [command], request), caller)


def take_any_seat(
    play: Play, loaded: Loaded, command: TakeSeat, caller: Caller, expected: int | None
) -> Seated:
    """Sit down on the first open seat, or on the next where somebody was quicker; as `take_seat`."""
    while True:
        free = _first_free(loaded.state, command.invite)
        try:
            return take_seat(play, loaded, replace(command, seat=free or 0), caller, expected)
        except CommandRefusedError:
            newest = play.load(loaded.id)
            if free is None or newest.version == loaded.version:
                raise
            loaded = newest


def _first_free(match: Match, invite: str | None) -> int | None:
    """The first open seat, or the one that an invite is to."""
    invited = (each.seat for each in match.invites if each.digest == invite and each.seat is not None)
    return next(chain(invited, match.free), None)
