"""The shapes of requests and answers, for checking what comes in and for the OpenAPI page."""

import unicodedata
from collections.abc import Callable
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates_schema

from domain.games import games
from domain.match.state import STATUSES
from service.http.fields import MOST, Truth, Whole

BIDI = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)  # turn text around


def readable(name: str) -> None:
    """ValidationError where a name is blank at an end, or has characters that are not to be seen."""
    if name != name.strip():
        raise ValidationError("Must not begin or end with a blank.")
    if any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") or sign in BIDI for sign in name):
        raise ValidationError("Must have no control characters.")


NAME: list[Callable[[str], Any]] = [validate.Length(min=1, max=60), readable]
HEX = validate.Regexp(
    r"^(?:[0-9a-f]{2}){1,32}$(?!\n)", error="Must be 2 to 64 lower-case hexadecimal digits."
)
SEED = validate.Regexp(r"^[0-9a-f]{64}$(?!\n)", error="Must be 64 lower-case hexadecimal digits.")


def said(text: str) -> dict[str, str]:
    """A field's description."""
    return {"description": text}


class Strict(Schema):
    """Refuses fields it does not know."""

    class Meta:
        unknown = RAISE


class SeatRequest(Strict):
    """A seat to be laid: taken by a name, or open."""

    name = fields.String(validate=NAME, metadata=said("Who sits here; the answer has the seat's token."))
    open = Truth(validate=validate.Equal(True), metadata=said("true: anybody may take the seat later."))
    entropy = fields.String(validate=HEX, metadata=said("Mixed into the seed before the first draw."))

    @validates_schema
    def taken_or_open(self, given: dict[str, Any], **_: Any) -> None:
        """One of the two."""
        if ("name" in given) == ("open" in given):
            raise ValidationError("A seat has either a name or open: true.")
        if "open" in given and "entropy" in given:
            raise ValidationError("Who takes the seat brings the entropy.", "entropy")


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
    private = Truth(metadata=said("true: not listed; whoever knows the id may look on and sit down."))
    seed = fields.String(
        validate=SEED,
        metadata=said(
            "32 bytes in hex, for tournaments: the log says that the creator chose it, and it is revealed by"
            " the host's `release_seed` only."
        ),
    )

    @validates_schema
    def known_game(self, given: dict[str, Any], **_: Any) -> None:
        """A game and an edition that are there."""
        game = games().get(given["game"])
        if game is None:
            raise ValidationError(f"Must be one of: {', '.join(games())}.", "game")
        if given.get("edition", game.default_edition) not in game.editions:
            raise ValidationError(f"Must be one of: {', '.join(game.editions)}.", "edition")


class TakeSeatRequest(Strict):
    """A seat to be taken."""

    name = fields.String(required=True, validate=NAME)
    seat = Whole(validate=validate.Range(0, 15), metadata=said("Which one; the first open seat otherwise."))
    entropy = fields.String(validate=HEX, metadata=said("Mixed into the seed before the first draw."))


class AtQuery(Strict):
    """Time travel."""

    at = fields.Integer(
        validate=validate.Range(1, 10**9), metadata=said("The match as it was at this version.")
    )


class LegalQuery(Strict):
    """How many commands to list."""

    limit = fields.Integer(
        load_default=200, validate=validate.Range(1, 1000), metadata=said("The most to list.")
    )


class LogQuery(Strict):
    """Which commits."""

    after = fields.Integer(
        load_default=0, validate=validate.Range(0, 10**9), metadata=said("Commits after this version.")
    )
    limit = fields.Integer(
        load_default=100, validate=validate.Range(1, 500), metadata=said("The most in a JSON page.")
    )


class ListQuery(Strict):
    """Which matches."""

    game = fields.String(metadata=said("Only matches of this game."))
    status = fields.String(validate=validate.OneOf(STATUSES), metadata=said("Only matches of this status."))
    limit = fields.Integer(
        load_default=50, validate=validate.Range(1, 200), metadata=said("The most in a page.")
    )
    cursor = fields.String(
        validate=validate.Length(max=100), metadata=said("From `next` of the page before.")
    )


class Error(Schema):
    """One thing that is wrong with a request."""

    pointer = fields.String(required=True, metadata=said("A JSON pointer into the body, or /<parameter>."))
    detail = fields.String(required=True)


class ProblemDocument(Schema):
    """A problem document (RFC 9457)."""

    type = fields.String(
        required=True, metadata=said("Where the kind of problem is explained: /problems/<code>.")
    )
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    code = fields.String(required=True)
    request_id = fields.String(required=True)
    errors = fields.List(fields.Nested(Error), metadata=said("Of a validation error."))
    rule = fields.String(metadata=said("The id of the rule that refused a command."))
    pointer = fields.String(metadata=said("Which command of a batch was refused."))
    legal = fields.String(metadata=said("Where the legal commands are."))
    version = fields.Integer(metadata=said("The version on which the refusal was decided."))
    current_version = fields.Integer(metadata=said("Of a stale version: where the match is."))
    checks = fields.Dict(keys=fields.String(), values=fields.String(), metadata=said("Of what is not ready."))
    changes = fields.String(metadata=said("Of a stale version: where the commits are that the caller lacks."))


class SeatDocument(Schema):
    """A seat of a match."""

    seat = fields.Integer(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(["human", "automaton"]))
    name = fields.String(required=True, allow_none=True, metadata=said("null while the seat is open."))
    entropy = fields.String(required=True, allow_none=True)


class EditionName(Schema):
    """An edition by name and content."""

    name = fields.String(required=True)
    hash = fields.String(required=True, metadata=said("SHA-256 over the RFC 8785 form of the edition."))


class SeedDocument(Schema):
    """What is known of the seed."""

    by = fields.String(required=True, validate=validate.OneOf(["server", "creator"]))
    commitment = fields.String(required=True, metadata=said("SHA-256 of the seed."))
    revealed = fields.String(required=True, allow_none=True, metadata=said("The seed, once it is revealed."))


class MatchDocument(Schema):
    """A match as the caller may see it."""

    id = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True, metadata=said("The hash of the commit of this version."))
    viewer = fields.Integer(
        required=True, allow_none=True, metadata=said("The caller's seat; null for a spectator.")
    )
    game = fields.String(required=True)
    rules_version = fields.Integer(required=True)
    edition = fields.Nested(EditionName, required=True)
    options = fields.Dict(required=True)
    private = fields.Boolean(required=True)
    seed = fields.Nested(SeedDocument, required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    seats = fields.List(fields.Nested(SeatDocument), required=True)
    to_act = fields.List(fields.Integer(), required=True, metadata=said("The seats that owe a decision."))
    position = fields.Dict(
        required=True, allow_none=True, metadata=said("The game's own; null before the start.")
    )
    links = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class CreatedDocument(Schema):
    """A match with the tokens that are shown this once."""

    match = fields.Nested(MatchDocument, required=True)
    tokens = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=said("By actor: `host`, `seat:0`, … They are not kept; only their digests are."),
    )


class Listed(Schema):
    """A match of the public list."""

    id = fields.String(required=True)
    game = fields.String(required=True)
    status = fields.String(required=True)
    created_at = fields.String(required=True)
    self = fields.String(required=True)


class MatchPage(Schema):
    """A page of the public list, newest first; it may hold fewer than asked for and still have a next one."""

    items = fields.List(fields.Nested(Listed), required=True)
    next = fields.String(required=True, allow_none=True, metadata=said("The cursor of the next page."))


class Commit(Schema):
    """One accepted command with what it caused; see the README for hashing and sealing."""

    format = fields.Integer(required=True)
    match = fields.String(required=True)
    version = fields.Integer(required=True)
    at = fields.String(required=True)
    by = fields.String(required=True)
    command = fields.Dict(required=True)
    command_id = fields.String(required=True)
    events = fields.List(fields.Dict(), required=True)
    sealed = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    opened = fields.Dict(
        metadata=said("What the caller may see of what is sealed: salt and value by pointer.")
    )
    previous = fields.String(required=True)
    hash = fields.String(required=True)


class LogPage(Schema):
    """A page of the log."""

    items = fields.List(fields.Nested(Commit), required=True)
    version = fields.Integer(required=True, metadata=said("The newest version of the match."))
    next = fields.String(
        required=True, allow_none=True, metadata=said("Where the next page is, if there is more.")
    )


class CommandAnswer(Schema):
    """What a command, or a batch of them, has caused."""

    version = fields.Integer(required=True)
    commits = fields.List(fields.Nested(Commit), required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    to_act = fields.List(fields.Integer(), required=True)
    legal = fields.String(required=True)


class LegalPage(Schema):
    """The legal commands of the caller's seat, each a body ready to send."""

    version = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    commands = fields.List(fields.Dict(), required=True)
    more = fields.Boolean(
        required=True, metadata=said("true if there are others beyond these; any legal one is accepted.")
    )


class PartDocument(Schema):
    """A line of a score sheet."""

    name = fields.String(required=True)
    points = fields.Integer(required=True)
    detail = fields.Raw(required=True, allow_none=True)


class SheetDocument(Schema):
    """A score sheet."""

    seat = fields.Integer(required=True)
    parts = fields.List(fields.Nested(PartDocument), required=True)
    total = fields.Integer(required=True)


class ScoreDocument(Schema):
    """The score, part by part; before the end as far as nothing hidden decides it."""

    version = fields.Integer(required=True)
    final = fields.Boolean(required=True)
    seats = fields.List(fields.Nested(SheetDocument), required=True)
    ranking = fields.List(fields.List(fields.Integer()), required=True, allow_none=True)
    winners = fields.List(fields.Integer(), required=True, allow_none=True)
    result = fields.String(required=True, allow_none=True)


class OptionDocument(Schema):
    """An option of a game."""

    name = fields.String(required=True)
    summary = fields.String(required=True)
    default = fields.Raw(required=True)
    choices = fields.List(fields.String(), required=True)
    minimum = fields.Integer(required=True, allow_none=True)
    maximum = fields.Integer(required=True, allow_none=True)


class GameSummary(Schema):
    """A game of the catalogue."""

    name = fields.String(required=True)
    title = fields.String(required=True)
    rules_version = fields.Integer(required=True)
    seats = fields.List(fields.Integer(), required=True, metadata=said("The numbers of players it is for."))
    self = fields.String(required=True)


class EditionDocument(EditionName):
    """An edition with its components."""

    components = fields.Dict(required=True, metadata=said("Tables of rows, each row with its `source`."))


class GameDocument(GameSummary):
    """A game in full."""

    options = fields.List(fields.Nested(OptionDocument), required=True)
    default_edition = fields.String(required=True)
    editions = fields.List(fields.Nested(EditionDocument), required=True)
    commands = fields.Dict(required=True, metadata=said("The JSON Schema of every command, by type."))
    score_parts = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class GameList(Schema):
    """The catalogue."""

    items = fields.List(fields.Nested(GameSummary), required=True)


class Liveness(Schema):
    """The process is alive."""

    status = fields.String(required=True, validate=validate.Equal("alive"))
    version = fields.String(required=True, metadata=said("Of the service."))


class Readiness(Schema):
    """Whether requests can be served, check by check."""

    status = fields.String(required=True, validate=validate.Equal("ready"))
    checks = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class KindDocument(Schema):
    """A kind of problem."""

    code = fields.String(required=True)
    status = fields.Integer(required=True)
    title = fields.String(required=True)
    remedy = fields.String(required=True)
