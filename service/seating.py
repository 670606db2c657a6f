"""Laying a table and sitting down: the two requests that hand out tokens."""

from base64 import b32encode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from secrets import token_bytes, token_hex

from domain.chance import SEED_BYTES
from domain.errors import RuleBroken
from domain.game import Edition
from domain.games import AnyGame
from domain.match.commands import CreateMatch, TakeSeat
from domain.match.reducer import fold
from domain.match.rules import HOST, Premises, create, seat_name
from service import tokens
from service.clock import iso
from service.loaded import Loaded
from service.log.edition import edition_hashes
from service.log.record import GENESIS, Draft, seal
from service.play import CommandRefusedError, KeyReusedError, Play, Request, Result
from service.store.journal import place_of


@dataclass(frozen=True, slots=True)
class Seated:
    """A result with the tokens that are shown this once: by actor, `host` or `seat:0`."""

    result: Result
    tokens: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Caller:
    """How a request without a token is known again: the raw key it carries, and what it asks."""

    key: str | None = None
    fingerprint: str = ""

    @property
    def material(self) -> bytes:
        """What its tokens are made from."""
        return token_bytes(32) if self.key is None else self.key.encode()

    @property
    def command_id(self) -> str | None:
        """The id that the log and the store know; the key itself is as secret as the tokens."""
        return None if self.key is None else sha256(f"key/{self.key}".encode()).hexdigest()[:32]


def match_id(caller: Caller) -> str:
    """A new match's id: 128 random bits, or, with a key, the same again for the same key."""
    bits = token_bytes(16) if caller.key is None else sha256(f"match/{caller.key}".encode()).digest()[:16]
    return "m_" + b32encode(bits).rstrip(b"=").decode().lower()


def create_match(
    play: Play, game: AnyGame, command: CreateMatch, caller: Caller, seed: bytes | None
) -> Seated:
    """Lay a table; tokens for the host and for every named seat. CommandRefusedError, KeyReusedError."""
    edition: Edition = game.editions[command.edition]
    chosen, edition_hash = seed or token_bytes(SEED_BYTES), edition_hashes(game)[command.edition]
    premises = Premises(game, edition, edition_hash, chosen, "creator" if seed else "server")
    material, nonce, match = caller.material, token_hex(32), match_id(caller)
    try:
        events = create(command, premises)
    except RuleBroken as rule:
        raise CommandRefusedError(rule, 0, 0) from rule
    actors = [
        HOST,
        *(seat_name(number) for number, seat in enumerate(command.seats) if seat.name is not None),
    ]
    shown = {actor: tokens.token(material, nonce, actor) for actor in actors}
    moment = play.clock()
    fields = {
        "game": game.name,
        "seed": chosen.hex(),
        **{tokens.FIELD + actor: tokens.digest(token) for actor, token in shown.items()},
    }
    place = "" if command.private else place_of(match, moment)
    request = Request(HOST, caller.command_id, caller.fingerprint, None, nonce, fields, place)
    draft = Draft(match, 1, iso(moment), HOST, command, caller.command_id or token_hex(16), events, GENESIS)
    entry, own_hash = seal(draft, chosen)
    after = Loaded(match, 1, own_hash, fold(game, edition, events), fields)
    stored = play.store(Loaded(match), after, [entry], request)
    if isinstance(stored, Loaded):
        raise KeyReusedError(
            "A match was created with this Idempotency-Key, and its answer is no longer kept."
        )
    return Seated(stored, {actor: tokens.token(material, stored.nonce, actor) for actor in actors})


def take_seat(play: Play, loaded: Loaded, command: TakeSeat, caller: Caller, expected: int | None) -> Seated:
    """Sit down on an open seat; its token. CommandRefusedError, StaleVersionError, KeyReusedError."""
    actor, material, nonce = seat_name(command.seat), caller.material, token_hex(32)
    fields = {tokens.FIELD + actor: tokens.digest(tokens.token(material, nonce, actor))}
    request = Request(actor, caller.command_id, caller.fingerprint, expected, nonce, fields)
    result = play.do(loaded, [command], request)
    seated = result.entries[0].public()["by"]  # a repeat names whoever sat down the first time
    return Seated(result, {seated: tokens.token(material, result.nonce, seated)})
