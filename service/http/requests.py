"""The shapes of requests: what comes in is checked by these."""

from collections.abc import Callable
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates_schema

from domain.games import games
from domain.match.commands import BOTS
from domain.match.state import STATUSES
from service.http.digits import Digits
from service.http.fields import MOST, Truth, Whole
from service.names.lookalikes import look_alike
from service.names.visible import LONGEST, flaw


def readable(name: str) -> None:
    """ValidationError with what is wrong with a name, where something cannot be seen."""
    if wrong := flaw(name):
        raise ValidationError(wrong)


NAME: list[Callable[[str], Any]] = [validate.Length(min=1, max=LONGEST), readable]
HEX = validate.Regexp(
    r"^(?:[0-9a-f]{2}){1,32}$(?!\n)", error="Must be 2 to 64 lower-case hexadecimal digits."
)
SEED = validate.Regexp(r"^[0-9a-f]{64}$(?!\n)", error="Must be 64 lower-case hexadecimal digits.")

CODE = validate.Length(min=1, max=200)


def said(text: str) -> dict[str, str]:
    """A field's description."""
    return {"description": text}


class Strict(Schema):
    """Refuses fields it does not know."""

    class Meta:
        unknown = RAISE


def _only_true(value: bool) -> None:
    """As a check of our own it leaves the type alone: generators make strings of what can only be `true`."""
    if not value:
        raise ValidationError("Must be true, or be left out.")


class SeatRequest(Strict):
    """A seat to be laid: taken by a name, open, or played by a bot."""

    name = fields.String(validate=NAME, metadata=said("Who sits here; the answer has the seat's token."))
    open = Truth(validate=_only_true, metadata=said("true: anybody may take the seat later."))
    bot = fields.String(validate=validate.OneOf(BOTS), metadata=said("A bot plays here."))
    entropy = fields.String(validate=HEX, metadata=said("Mixed into the seed before the first draw."))

    @validates_schema
    def taken_or_open(self, given: dict[str, Any], **_: Any) -> None:
        """One of the three."""
        if len(given.keys() & {"name", "open", "bot"}) != 1:
            raise ValidationError("A seat has one of: a name, open: true, a bot.")
        if "name" not in given and "entropy" in given:
            raise ValidationError("Who takes the seat brings the entropy.", "entropy")


class Flag(fields.Boolean):
    """true or false in a query."""

    truthy = {"true"}  # noqa: RUF012  marshmallow's own form
    falsy = {"false"}  # noqa: RUF012


class Options(fields.Dict):
    """Option values by name: booleans, integers and words."""

    def _deserialize(self, value: Any, *more: Any, **named: Any) -> dict[str, Any]:
        options = super()._deserialize(value, *more, **named)
        wrong = {
            name: ["Must be a boolean, an integer or a string."]
            for name, v in options.items()
            if not _plain(v)
        }
        if wrong:
            raise ValidationError(wrong)
        return dict(options)


def _plain(value: Any) -> bool:
    return isinstance(value, bool | str) or (isinstance(value, int) and abs(value) <= MOST)


class CreateMatchRequest(Strict):
    """A match to be created."""

    game = fields.String(required=True, metadata=said("The name of a game of the catalogue."))
    seats = fields.List(fields.Nested(SeatRequest), required=True, validate=validate.Length(1, 16))
    options = Options(metadata=said("As the catalogue says; defaults are filled in."))
    edition = fields.String(metadata=said("The components to play with; the game's default otherwise."))
    rules_version = Whole(
        metadata=said("The rules to play by, of those in the catalogue; the newest otherwise.")
    )
    private = Truth(metadata=said("true: not listed; looking on and sitting down takes an invite."))
    seed = fields.String(
        validate=SEED,
        metadata=said(
            "32 bytes in hex, for duplicate tournaments: every draw of the match comes from it. Whoever knows"
            " it can know the draws in advance, but can open nobody's sealed choice. The log says that the"
            " creator chose it, and it is revealed by the host's `release_seed` only."
        ),
    )

    @validates_schema
    def known_game(self, given: dict[str, Any], **_: Any) -> None:
        """A game, a version of its rules, and an edition that are there."""
        newest = games().get(given["game"])
        if newest is None:
            raise ValidationError(f"Must be one of: {', '.join(games())}.", "game")
        game = newest.versions.get(given.get("rules_version", newest.rules_version))
        if game is None:
            raise ValidationError(f"Must be one of: {', '.join(map(str, newest.versions))}.", "rules_version")
        if given.get("edition", game.default_edition) not in game.editions:
            raise ValidationError(f"Must be one of: {', '.join(game.editions)}.", "edition")

    @validates_schema
    def names_apart(self, given: dict[str, Any], **_: Any) -> None:
        """No two names that look the same."""
        names = [seat.get("name") for seat in given["seats"]]
        for number, name in enumerate(names):
            if name is not None and look_alike(name, names[:number]):
                told = ["Must not look the same as another name at the table."]
                raise ValidationError({"seats": {number: {"name": told}}})


class TakeSeatRequest(Strict):
    """A seat to be taken."""

    name = fields.String(
        validate=NAME,
        metadata=said("Required, except with an invite back to your own seat, which keeps its name."),
    )
    seat = Whole(validate=validate.Range(0, 15), metadata=said("Which one; the first open seat otherwise."))
    entropy = fields.String(validate=HEX, metadata=said("Mixed into the seed before the first draw."))
    invite = fields.String(
        validate=CODE, metadata=said("The code of an invite: to a private match, or back to your own seat.")
    )

    @validates_schema
    def named_or_invited(self, given: dict[str, Any], **_: Any) -> None:
        """A name, unless an invite may say whose seat it is."""
        if not given.keys() & {"name", "invite"}:
            raise ValidationError("Missing data for required field.", "name")


class InviteRequest(Strict):
    """An invite to be issued."""

    to = fields.String(
        validate=validate.OneOf(["seat", "spectator"]),
        load_default="seat",
        metadata=said("To take a seat, or to look on."),
    )
    seat = Whole(validate=validate.Range(0, 15), metadata=said("To this seat only; to any otherwise."))


class SpectatorRequest(Strict):
    """Somebody who comes to look on."""

    invite = fields.String(required=True, validate=CODE, metadata=said("The code of an invite to look on."))


class AtQuery(Strict):
    """Time travel."""

    at = Digits(validate=validate.Range(1, 10**9), metadata=said("The match as it was at this version."))


class RulesQuery(Strict):
    """Which rules of a game."""

    rules_version = Digits(
        validate=validate.Range(1, 10**9), metadata=said("The rules of this version; the newest otherwise.")
    )


class LegalQuery(Strict):
    """How many commands to list."""

    limit = Digits(load_default=200, validate=validate.Range(1, 1000), metadata=said("The most to list."))


def _last_event_id(longest: int) -> fields.String:
    return fields.String(
        validate=validate.Length(max=longest),
        metadata=said("As the header Last-Event-ID, which goes before it: some polyfills send this instead."),
    )


class LiveQuery(Strict):
    """How a log or a feed is followed."""

    limit = Digits(
        load_default=100, validate=validate.Range(1, 500), metadata=said("The most in a JSON page.")
    )
    wait = Digits(
        validate=validate.Range(0, 25),
        metadata=said("Seconds for which an empty JSON page is waited for; also as `Prefer: wait=<n>`."),
    )
    follow = Flag(metadata=said("true: the lines of JSON go on as commits come."))
    ticket = fields.String(
        validate=validate.Length(1, 200),
        metadata=said("For an EventSource, which can send no Authorization."),
    )


class LogQuery(LiveQuery):
    """Which commits."""

    lastEventId = _last_event_id(100)  # noqa: N815  the polyfills' own word
    after = Digits(
        validate=validate.Range(0, 10**9), metadata=said("Commits after this version; all of them otherwise.")
    )
    after_hash = fields.String(
        validate=validate.Regexp(r"^[0-9a-f]{16}$(?!\n)", error="Must be 16 lower-case hexadecimal digits."),
        metadata=said("The first 16 digits of that commit's hash: 410 where the log has another one."),
    )


class FeedQuery(LiveQuery):
    """From where on."""

    lastEventId = _last_event_id(7_900)  # noqa: N815  it is a cursor
    cursor = fields.String(
        validate=validate.Length(1, 7_900), metadata=said("From the answer before; from now on without one.")
    )


class InvitesQuery(Strict):
    """Which invites."""

    limit = Digits(load_default=50, validate=validate.Range(1, 200), metadata=said("The most in a page."))
    cursor = fields.String(
        validate=validate.Regexp(r"^[0-9]{1,9}$(?!\n)", error="This cursor is of no page."),
        metadata=said("From `next` of the page before."),
    )


class ListQuery(Strict):
    """Which matches."""

    mine = Flag(
        metadata=said(
            "true: your own matches, private ones too. With an API key, those created with it; with the token"
            " of a match, that match."
        )
    )
    game = fields.String(metadata=said("Only matches of this game."))
    status = fields.String(validate=validate.OneOf(STATUSES), metadata=said("Only matches of this status."))
    limit = Digits(load_default=50, validate=validate.Range(1, 200), metadata=said("The most in a page."))
    cursor = fields.String(
        validate=validate.Length(max=100), metadata=said("From `next` of the page before.")
    )
