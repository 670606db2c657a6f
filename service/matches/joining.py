"""Creating and joining a match: the requests that hand out tokens."""

from base64 import b32encode
from dataclasses import dataclass, field, replace
from itertools import chain
from secrets import token_bytes, token_hex
from typing import Any

from domain.chance import SEED_BYTES
from domain.errors import RuleBroken
from domain.games import AnyGame
from domain.match.commands import CreateMatch, ResumeSeat, TakeSeat
from domain.match.commitment import SECRET_BYTES, Secrets
from domain.match.reducer import fold
from domain.match.rules import HOST, Premises, create, seat_name
from domain.match.state import Match
from service.auth import tokens
from service.clock import iso
from service.log.edition import edition_hashes
from service.log.names import as_fields, taken_out
from service.log.record import GENESIS, Draft, seal
from service.matches.aggregate import Aggregate
from service.matches.play import Play
from service.matches.requests import CommandRefusedError, Request, Result
from service.matches.revision import Revision
from service.store.deployment import keyed
from service.store.journal import place_of


@dataclass(frozen=True, slots=True)
class Caller:
    """How a request without a token is known again: the key it carries, and what it asks.

    Its tokens are made from the key, or from random bits without one. Keys are often easy to guess, and ids
    made of them are public: `secret`, the deployment's, keeps anybody from trying keys against them. `owner`
    is the id of the API key that calls, if one does: then the same Idempotency-Key with another API key, or
    with none, is another request.
    """

    key: str | None = None
    fingerprint: str = ""
    owner: str = ""
    secret: bytes = field(default=b"", repr=False)
    random: bytes = field(default_factory=lambda: token_bytes(32), repr=False)

    def __post_init__(self) -> None:
        if self.key is not None and len(self.secret) < SECRET_BYTES:
            raise ValueError("what is made of a key needs the deployment's secret")

    @property
    def command_id(self) -> str | None:
        """The id that the log and the store know; the key itself is as secret as the tokens."""
        return None if self.key is None else self.keyed("key").hex()[:32]

    @property
    def match_id(self) -> str:
        """A new match's id: 128 random bits, or, with a key, the same again for the same key."""
        known = None if self.key is None else self.keyed("match")
        return "m_" + b32encode((known or self.random)[:16]).rstrip(b"=").decode().lower()

    def token(self, nonce: str, actor: str) -> str:
        """The token of an actor."""
        return tokens.token(self.random if self.key is None else self.keyed("token"), nonce, actor)

    def invite_code(self, nonce: str) -> str:
        """The code of an invite."""
        material = self.random if self.key is None else self.keyed("invite")
        return tokens.token(material, nonce, "invite", tokens.INVITE_PREFIX)

    def keyed(self, purpose: str) -> bytes:
        """What is made of the key for one purpose; no key that is sent has a blank in it."""
        own = f"{self.owner} {self.key}" if self.owner else f"{self.key}"
        return keyed(self.secret, purpose, own)

    def asks(self, by: str, **more: Any) -> Request:
        """The request as the pipe takes it."""
        return Request(by, self.command_id, self.fingerprint, **more)


def shown_tokens(result: Result, caller: Caller) -> dict[str, str]:
    """The tokens of those who sat down in a commit, the first time or again: by actor, `host` or `seat:0`."""
    entry = result.entries[0]
    record = entry.public()
    actors = [record["by"]]
    if record["version"] == 1:
        seats = enumerate(entry.whole()["command"]["seats"])
        actors += [seat_name(n) for n, seat in seats if seat["kind"] == "human" and seat["name"] is not None]
    return {actor: caller.token(result.nonce, actor) for actor in actors}


def create_match(
    play: Play, game: AnyGame, command: CreateMatch, caller: Caller, seed: bytes | None
) -> Result:
    """Create a match; host and named seats get tokens. CommandRefusedError, KeyReusedError."""
    edition, edition_hash = game.editions[command.edition], edition_hashes(game)[command.edition]
    secrets = Secrets(seed or play.random_bytes(SEED_BYTES), play.random_bytes(SECRET_BYTES))
    premises = Premises(game, edition, edition_hash, secrets, "server" if seed is None else "creator")
    handled, names = taken_out(command, 1, play.random_bytes)
    try:
        events = create(handled, premises)
    except RuleBroken as rule:
        raise CommandRefusedError(rule, 0, 0) from rule
    match, nonce, moment = caller.match_id, token_hex(32), play.clock()
    actors = [HOST, *(seat_name(number) for number, seat in enumerate(command.seats) if seat.player)]
    digests = {tokens.FIELD + actor: tokens.digest(caller.token(nonce, actor)) for actor in actors}
    kept = {"seed": secrets.seed.hex(), "sealing_key": secrets.sealing_key.hex(), **as_fields(names)}
    created = place_of(match, moment)
    listed = {"owner": caller.owner, "created": created, "place": "" if command.private else created}
    fields = {"game": game.name, **listed, **kept, **digests}
    command_id = caller.command_id or play.random_bytes(16).hex()
    draft = Draft(match, 1, iso(moment), HOST, handled, command_id, events, GENESIS, names)
    entry, own_hash = seal(draft, secrets.sealing_key)
    after = Aggregate(match, 1, own_hash, fold(game, edition, events), fields, draft.at)
    request = caller.asks(HOST, nonce=nonce, fields=fields)
    return play.begin(after, entry, request)


def take_seat(
    play: Play, loaded: Aggregate, command: TakeSeat | ResumeSeat, caller: Caller, expected: Revision | None
) -> Result:
    """Take an open seat, or return to one's own, and get its token. As `Play.do`."""
    actor, nonce = seat_name(command.seat), token_hex(32)
    fields = {tokens.FIELD + actor: tokens.digest(caller.token(nonce, actor))}
    request = caller.asks(actor, expected=expected, nonce=nonce, fields=fields)
    return play.do(loaded, [command], request)


def take_any_seat(
    play: Play, loaded: Aggregate, command: TakeSeat, caller: Caller, expected: Revision | None
) -> Result:
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
