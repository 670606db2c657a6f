"""The shapes of the bodies of requests, which check everything that comes in."""

from collections.abc import Callable
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates_schema

from domain.games import games
from domain.match.commands import BOTS
from service.auth.visible_names import LONGEST, flaw
from service.http.openapi.command_schemas import MOST, Truth, Whole
from service.matches.lookalikes import look_alike


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
    """Refuses unknown fields."""

    class Meta:
        unknown = RAISE


def _only_true(value: bool) -> None:
    """As a check of our own it leaves the type alone: generators make strings of what can only be `true`."""
    if not value:
        raise ValidationError("Must be true, or left out.")


class SeatRequest(Strict):
    """A seat of a new match: named, open, or played by a bot."""

    name = fields.String(
        validate=NAME, metadata=said("The player who sits here. The answer has the seat's token.")
    )
    open = Truth(validate=_only_true, metadata=said("true: someone can take the seat later."))
    bot = fields.String(validate=validate.OneOf(BOTS), metadata=said("The bot that plays here."))
    entropy = fields.String(validate=HEX, metadata=said("Mixed into the seed before the first draw."))

    @validates_schema
    def taken_or_open(self, given: dict[str, Any], **_: Any) -> None:
        """Refuses a seat that is not exactly one of the three."""
        if len(given.keys() & {"name", "open", "bot"}) != 1:
            raise ValidationError("Give exactly one of name, open and bot.")
        if "name" not in given and "entropy" in given:
            raise ValidationError(
                "Only a named seat can have entropy. The player can send it when taking the seat.", "entropy"
            )


class Options(fields.Dict):
    """Option values by name: booleans, integers, words and lists of words."""

    def _deserialize(self, value: Any, *more: Any, **named: Any) -> dict[str, Any]:
        options = super()._deserialize(value, *more, **named)
        wrong = {
            name: ["Must be a boolean, an integer, a string or a list of strings."]
            for name, v in options.items()
            if not _plain(v)
        }
        if wrong:
            raise ValidationError(wrong)
        return {name: tuple(v) if isinstance(v, list) else v for name, v in options.items()}


def _plain(value: Any) -> bool:
    if isinstance(value, list):
        return all(isinstance(word, str) for word in value)
    return isinstance(value, bool | str) or (isinstance(value, int) and abs(value) <= MOST)


class CreateMatchRequest(Strict):
    """A match to create."""

    game = fields.String(required=True, metadata=said("The name of a game in the catalogue."))
    seats = fields.List(fields.Nested(SeatRequest), required=True, validate=validate.Length(1, 16))
    options = Options(
        metadata=said("The options of the game, as in the catalogue. Missing ones get their default.")
    )
    edition = fields.String(
        metadata=said("The edition to play with. By default, the game's default edition.")
    )
    rules_version = Whole(metadata=said("The version of the rules to play by. By default, the newest."))
    private = Truth(metadata=said("true: the match is not listed, and you need an invite to play or watch."))
    seed = fields.String(
        validate=SEED,
        metadata=said(
            "32 bytes in hex, for duplicate tournaments: it decides every draw of the match. Anyone who knows"
            " it can know the draws in advance, but cannot see what players choose in secret. The log says"
            " that the creator chose it, and it is revealed only when the host sends `release_seed`."
        ),
    )

    @validates_schema
    def known_game(self, given: dict[str, Any], **_: Any) -> None:
        """Refuses a game, a version of its rules or an edition that does not exist."""
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
        """Refuses two names that look the same."""
        names = [seat.get("name") for seat in given["seats"]]
        for number, name in enumerate(names):
            if name is not None and look_alike(name, names[:number]):
                flaw = ["Looks the same as another name in this match."]
                raise ValidationError({"seats": {number: {"name": flaw}}})


class TakeSeatRequest(Strict):
    """A seat to take."""

    name = fields.String(
        validate=NAME,
        metadata=said("Required, except with an invite back to your own seat, which keeps its name."),
    )
    seat = Whole(
        validate=validate.Range(0, 15), metadata=said("The seat you want. By default, the first open one.")
    )
    entropy = fields.String(validate=HEX, metadata=said("Mixed into the seed before the first draw."))
    invite = fields.String(
        validate=CODE, metadata=said("Your invite code: to a private match, or back to your own seat.")
    )

    @validates_schema
    def named_or_invited(self, given: dict[str, Any], **_: Any) -> None:
        """Require a name, unless an invite may say whose seat it is."""
        if not given.keys() & {"name", "invite"}:
            raise ValidationError("Missing data for required field.", "name")


class InviteRequest(Strict):
    """An invite to issue."""

    to = fields.String(
        validate=validate.OneOf(["seat", "spectator"]),
        load_default="seat",
        metadata=said("Whether the invite is to take a seat or to watch."),
    )
    seat = Whole(
        validate=validate.Range(0, 15), metadata=said("Only for this seat. By default, for any seat.")
    )


class SpectatorRequest(Strict):
    """A spectator of a private match."""

    invite = fields.String(required=True, validate=CODE, metadata=said("Your invite code, for a spectator."))
