"""The shapes of answers, for the OpenAPI description; tests compare real answers with them.

One table of shapes, hence its length.
"""

from marshmallow import Schema, fields, validate

from domain.match.state import STATUSES
from service.http.openapi.requests import said


class Error(Schema):
    """One thing that is wrong with a request."""

    pointer = fields.String(required=True, metadata=said("A JSON pointer into the body, or /<parameter>."))
    detail = fields.String(required=True)


class ProblemDocument(Schema):
    """A problem document (RFC 9457)."""

    type = fields.String(required=True, metadata=said("Explains this kind of problem: /problems/<code>."))
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    code = fields.String(required=True)
    request_id = fields.String(required=True)
    errors = fields.List(
        fields.Nested(Error), metadata=said("For a validation error: each field that is wrong.")
    )
    rule = fields.String(metadata={"x-is": "Rule"})
    rule_url = fields.String(metadata=said("Where the rules explain `rule`."))
    pointer = fields.String(metadata=said("For a list of commands: the one that was refused."))
    legal = fields.String(metadata=said("For a refused command of a seat: where to list its legal commands."))
    score = fields.String(metadata=said("For a match that is over: its score."))
    version = fields.Integer(metadata=said("The version of the match at which the command was refused."))
    current_version = fields.Integer(metadata=said("For a stale version: the current version."))
    violated_policies = fields.List(
        fields.String(), metadata=said("For `rate_limited`: the limits you have reached.")
    )
    checks = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        metadata=said("For `not_ready`: the result of each check."),
    )
    figures = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        metadata=said("For `not_ready`: the figures of `/readyz`."),
    )
    changes = fields.String(metadata=said("For a stale version: the commits you are missing."))


class SeatDocument(Schema):
    """A seat of a match."""

    seat = fields.Integer(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(["human", "bot", "automaton"]))
    name = fields.String(
        required=True,
        allow_none=True,
        metadata=said(
            "The player, or the kind of bot. `(forgotten)` if the player's name was forgotten; null if the"
            " seat is open or empty, so you can take it."
        ),
    )
    entropy = fields.String(required=True, allow_none=True)


class EditionName(Schema):
    """An edition by name and content."""

    name = fields.String(required=True)
    hash = fields.String(required=True, metadata=said("SHA-256 over the RFC 8785 form of the edition."))


class SeedDocument(Schema):
    """What is public about the seed, which decides all draws."""

    by = fields.String(
        required=True,
        validate=validate.OneOf(["server", "creator"]),
        metadata=said("Who chose it. `creator`: the creator of the match can know every draw in advance."),
    )
    commitment = fields.String(required=True, metadata=said("SHA-256(sealing key ‖ seed)."))
    revealed = fields.String(required=True, allow_none=True, metadata=said("The seed, once it is revealed."))


class SealingDocument(Schema):
    """What is public about the key that seals hidden things; it is always random."""

    commitment = fields.String(required=True, metadata=said("SHA-256(sealing key)."))
    revealed = fields.String(
        required=True, allow_none=True, metadata=said("The sealing key, once it is revealed, with the seed.")
    )


STATUS = (
    "`open` while seats are free, `playing`, `scoring` from the last move until the score is stored (usually"
    " milliseconds: wait for `finished`), `finished`, or `closed` without a score."
)


def _status(summary: str) -> fields.String:
    return fields.String(required=True, validate=validate.OneOf(STATUSES), metadata=said(summary))


def _to_act(summary: str) -> "fields.List[int]":
    return fields.List(fields.Integer(), required=True, metadata=said(summary))


class MatchDocument(Schema):
    """A match, as you may see it."""

    id = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True, metadata=said("The hash of the commit with this version."))
    viewer = fields.Integer(required=True, allow_none=True, metadata=said("Your seat; null for a spectator."))
    game = fields.String(required=True)
    rules_version = fields.Integer(required=True)
    edition = fields.Nested(EditionName, required=True)
    options = fields.Dict(required=True)
    private = fields.Boolean(required=True)
    seed = fields.Nested(SeedDocument, required=True)
    sealing = fields.Nested(SealingDocument, required=True)
    status = _status(STATUS)
    seats = fields.List(fields.Nested(SeatDocument), required=True)
    to_act = _to_act("The seats whose turn it is.")
    position = fields.Dict(
        required=True,
        allow_none=True,
        metadata=said(
            "The position as you see it; null before the start. Its fields depend on the game: the section"
            " `Position` of its rules explains each (`/v1/games/{game}/rules#position`). It shows what the"
            " rules show; the log has what is opened after the end."
        ),
    )
    links = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


def _preferred_match() -> fields.Nested:
    return fields.Nested(
        MatchDocument, metadata=said("The match at `version`, with `Prefer: return=representation`.")
    )


class CreatedDocument(Schema):
    """A match and its tokens, which are shown only once."""

    match = fields.Nested(MatchDocument, required=True)
    tokens = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=said("By actor: `host`, `seat:0`, `spectator:1`, … The service stores only their digests."),
    )


OLDER = "null: an older release wrote the match's last commit; read the match itself."


class Listed(Schema):
    """A match in a list, as a spectator sees it."""

    id = fields.String(required=True)
    version = fields.Integer(required=True)
    game = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    rules_version = fields.Integer(required=True, allow_none=True, metadata=said(OLDER))
    edition = fields.Nested(EditionName, required=True, allow_none=True, metadata=said(OLDER))
    options = fields.Dict(required=True, allow_none=True, metadata=said(OLDER))
    private = fields.Boolean(required=True, allow_none=True, metadata=said(OLDER))
    seats = fields.List(fields.Nested(SeatDocument), required=True, allow_none=True, metadata=said(OLDER))
    open_seats = fields.Integer(
        required=True,
        allow_none=True,
        metadata=said("How many seats can be taken, at the start or from a player who left. " + OLDER),
    )
    to_act = fields.List(
        fields.Integer(),
        required=True,
        allow_none=True,
        metadata=said("The seats that must act. " + OLDER),
    )
    winners = fields.List(
        fields.Integer(),
        required=True,
        allow_none=True,
        metadata=said("As in the score; null before the end."),
    )
    result = fields.String(
        required=True, allow_none=True, metadata=said("As in the score; null before the end.")
    )
    created_at = fields.String(required=True, allow_none=True, metadata=said(OLDER))
    self = fields.String(required=True)


class MatchPage(Schema):
    """A page of a list of matches, newest first."""

    items = fields.List(fields.Nested(Listed), required=True)
    next = fields.String(
        required=True, allow_none=True, metadata=said("The cursor of the next page; null on the last page.")
    )


class Commit(Schema):
    """One accepted command and its events. [Verifying](/docs/verifying) explains hashing and sealing."""

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
        metadata=said(
            "The sealed values that you may see: salt and value by pointer. Players' names are open to"
            " everyone, unless they were forgotten."
        )
    )
    previous = fields.String(required=True)
    hash = fields.String(required=True)


class LogPage(Schema):
    """A page of the log."""

    items = fields.List(fields.Nested(Commit), required=True)
    version = fields.Integer(required=True, metadata=said("The newest version of the match."))
    status = _status("The match's status at `version`.")
    to_act = _to_act("The seats that must act at `version`.")
    next = fields.String(
        required=True, allow_none=True, metadata=said("The next page; null on the last page.")
    )


class FeedPage(Schema):
    """Commits of all matches, as spectators see them; (`match`, `version`) identifies duplicates."""

    items = fields.List(fields.Nested(Commit), required=True)
    cursor = fields.String(required=True, metadata=said("Continue from here; it works for an hour."))


class TicketDocument(Schema):
    """A ticket."""

    ticket = fields.String(required=True, metadata=said("Send it as `?ticket=`, once."))
    expires_at = fields.String(required=True)


class CommandAnswer(Schema):
    """What your commands caused."""

    version = fields.Integer(required=True)
    commits = fields.List(fields.Nested(Commit), required=True)
    status = _status("The match's status at `version`.")
    to_act = _to_act("The seats that must act at `version`.")
    legal = fields.String(required=True, metadata=said("For a seat: links to the commands you can send."))
    match = _preferred_match()


class RehearsalDocument(Schema):
    """What commands would cause, in all of 8 simulated matches consistent with what you can see."""

    dry_run = fields.Boolean(required=True, metadata=said("Always true: nothing happened."))
    version = fields.Integer(required=True, metadata=said("The version of the match, which does not change."))
    accepted = fields.Integer(
        required=True, metadata=said("How many of the commands are certain to be accepted.")
    )
    events = fields.List(
        fields.Dict(), required=True, metadata=said("What is certain to happen, as you would see it.")
    )
    certain = fields.Boolean(
        required=True, metadata=said("false: what follows depends on chance or on something hidden.")
    )
    status = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf([*STATUSES, None]),
        metadata=said("Afterwards; null if uncertain."),
    )
    to_act = fields.List(
        fields.Integer(),
        required=True,
        allow_none=True,
        metadata=said("Afterwards; null if uncertain."),
    )


class RotatedDocument(Schema):
    """A new token, which is shown only once. The old one is revoked."""

    version = fields.Integer(required=True)
    actor = fields.String(required=True, metadata=said("Whose token it is: `host`, `seat:0`, …"))
    token = fields.String(required=True)


class InviteDocument(Schema):
    """An open invite."""

    id = fields.Integer(required=True)
    to = fields.String(
        required=True,
        validate=validate.OneOf(["seat", "return", "spectator"]),
        metadata=said("What it is for: taking a seat, returning to your own seat, or watching."),
    )
    seat = fields.Integer(
        required=True, allow_none=True, metadata=said("null: for any seat, or for a spectator.")
    )


class IssuedInvite(InviteDocument):
    """An invite with its code, which is shown only once."""

    code = fields.String(required=True, metadata=said("The invite code. It works once."))


class InviteAnswer(Schema):
    """The new invite."""

    version = fields.Integer(required=True)
    invite = fields.Nested(IssuedInvite, required=True)


class InviteList(Schema):
    """A page of the open invites of a match, oldest first."""

    items = fields.List(fields.Nested(InviteDocument), required=True)
    version = fields.Integer(required=True)
    next = fields.String(
        required=True, allow_none=True, metadata=said("The cursor of the next page; null on the last page.")
    )


class LegalPage(Schema):
    """Your legal commands, each a body ready to send."""

    version = fields.Integer(required=True)
    status = _status("The match's status at `version`.")
    to_act = _to_act("The seats that must act at `version`.")
    seat = fields.Integer(required=True)
    commands = fields.List(fields.Dict(metadata={"x-is": "Command"}), required=True)
    more = fields.Boolean(
        required=True,
        metadata=said(
            "true: there are more legal commands than listed. They are accepted too; ask again with a higher"
            " `limit` to list them."
        ),
    )
    match = _preferred_match()


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
    """The score, part by part. Before the end, it leaves out what depends on hidden things."""

    version = fields.Integer(required=True)
    final = fields.Boolean(required=True)
    seats = fields.List(fields.Nested(SheetDocument), required=True)
    ranking = fields.List(fields.List(fields.Integer()), required=True, allow_none=True)
    winners = fields.List(fields.Integer(), required=True, allow_none=True)
    result = fields.String(required=True, allow_none=True)


LENGTH = "How many words the option has if it is a list, unless it is left at its default."


class OptionDocument(Schema):
    """An option of a game."""

    name = fields.String(required=True)
    summary = fields.String(required=True)
    default = fields.Raw(
        required=True,
        metadata=said("The value without your choice. Its type is that of the option, and it always fits."),
    )
    choices = fields.List(
        fields.String(),
        required=True,
        metadata=said("The words that the option can be. If it is a list, those that can be in it."),
    )
    minimum = fields.Integer(required=True, allow_none=True)
    maximum = fields.Integer(required=True, allow_none=True)
    min_items = fields.Integer(required=True, allow_none=True, metadata=said(LENGTH))
    max_items = fields.Integer(required=True, allow_none=True, metadata=said(LENGTH))


class GameSummary(Schema):
    """A game of the catalogue."""

    name = fields.String(required=True)
    title = fields.String(required=True)
    rules_version = fields.Integer(required=True)
    rules_versions = fields.List(
        fields.Integer(),
        required=True,
        metadata=said(
            "The versions of the rules that you can play, newest first. A match never changes its version."
        ),
    )
    seats = fields.List(fields.Integer(), required=True, metadata=said("The possible numbers of players."))
    bots = fields.List(
        fields.String(), required=True, metadata=said('The bots that can play a seat: `{"bot": …}`.')
    )
    self = fields.String(required=True)
    rules = fields.String(required=True, metadata=said("The rules of the game, as Markdown or as a page."))


class EditionDocument(EditionName):
    """An edition with its components."""

    components = fields.Dict(required=True, metadata=said("Tables of rows, each row with its `source`."))


class GlossaryEntry(Schema):
    """What a component or a term of a game means."""

    kind = fields.String(required=True, metadata=said("What it is: a `column`, a `curiosity`, a `card`, …"))
    id = fields.String(required=True, metadata=said("Its id among those of its kind."))
    points = fields.Integer(
        required=True, allow_none=True, metadata=said("The points it scores, if it scores.")
    )
    text = fields.String(required=True)


class GameDocument(GameSummary):
    """A game in full."""

    options = fields.List(fields.Nested(OptionDocument), required=True)
    default_edition = fields.String(required=True)
    editions = fields.List(fields.Nested(EditionDocument), required=True)
    commands = fields.Dict(required=True, metadata=said("The JSON Schema of every command, by type."))
    events = fields.Dict(
        required=True,
        metadata=said(
            "The JSON Schema of every event of a log, by type, as written today. `v` is the version of its"
            " fields, and is left out if it is 1. Fields under `x-sealed` are left out where they are sealed;"
            " you find them under `opened` if you may see them."
        ),
    )
    score_parts = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    glossary = fields.List(fields.Nested(GlossaryEntry), required=True)
    refusals = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=said("Every `rule` that can refuse a command in this game, and what it means."),
    )


class GameList(Schema):
    """The catalogue."""

    items = fields.List(fields.Nested(GameSummary), required=True)


class Index(Schema):
    """Where to start."""

    name = fields.String(required=True)
    links = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class Liveness(Schema):
    """The process is running."""

    status = fields.String(required=True, validate=validate.Equal("alive"))
    version = fields.String(required=True, metadata=said("The version of the service."))


class Readiness(Schema):
    """Whether the service is ready, check by check."""

    status = fields.String(required=True, validate=validate.Equal("ready"))
    checks = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    figures = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata=said(
            "Ages (in ms) of what has waited longest, and the number of running processes of each kind."
        ),
    )


class KindDocument(Schema):
    """A kind of problem."""

    code = fields.String(required=True)
    status = fields.Integer(required=True)
    title = fields.String(required=True)
    meaning = fields.String(required=True)
    remedy = fields.String(required=True, metadata=said("What you can do about it."))
    example = fields.Nested(ProblemDocument, required=True)


class KindList(Schema):
    """Every kind of problem."""

    items = fields.List(fields.Nested(KindDocument), required=True)


class PolicyDocument(Schema):
    """A rate limit, and what you have left of it."""

    name = fields.String(required=True)
    what = fields.String(required=True, metadata=said("What is counted, and per what."))
    quota = fields.Integer(required=True, metadata=said("Requests per window: `q` of RateLimit-Policy."))
    window = fields.Integer(required=True, metadata=said("The window in seconds: `w` of RateLimit-Policy."))
    remaining = fields.Integer(required=True, metadata=said("Requests you have left: `r` of RateLimit."))
    reset = fields.Integer(required=True, metadata=said("Seconds until the window ends: `t` of RateLimit."))


class LimitList(Schema):
    """The rate limits that apply."""

    items = fields.List(fields.Nested(PolicyDocument), required=True)
