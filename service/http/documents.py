"""The shapes of answers, for the OpenAPI page; tests hold real answers against them.

One table of shapes, hence its length.
"""

from marshmallow import Schema, fields, validate

from domain.match.state import STATUSES
from service.http.requests import said


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
    violated_policies = fields.List(
        fields.String(), metadata=said("Of what is rate limited: the policies that are used up.")
    )
    checks = fields.Dict(keys=fields.String(), values=fields.String(), metadata=said("Of what is not ready."))
    figures = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        metadata=said("Of what is not ready: as `/readyz` has them."),
    )
    changes = fields.String(metadata=said("Of a stale version: where the commits are that the caller lacks."))


class SeatDocument(Schema):
    """A seat of a match."""

    seat = fields.Integer(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(["human", "bot", "automaton"]))
    name = fields.String(
        required=True,
        allow_none=True,
        metadata=said(
            "Of a bot, which one; `(forgotten)` of a player whose name was forgotten; null where nobody sits:"
            " the seat can be taken."
        ),
    )
    entropy = fields.String(required=True, allow_none=True)


class EditionName(Schema):
    """An edition by name and content."""

    name = fields.String(required=True)
    hash = fields.String(required=True, metadata=said("SHA-256 over the RFC 8785 form of the edition."))


class SeedDocument(Schema):
    """What is known of the seed, from which all draws come."""

    by = fields.String(
        required=True,
        validate=validate.OneOf(["server", "creator"]),
        metadata=said("Who chose it. `creator`: whoever created the match can know every draw in advance."),
    )
    commitment = fields.String(required=True, metadata=said("SHA-256(sealing key ‖ seed)."))
    revealed = fields.String(required=True, allow_none=True, metadata=said("The seed, once it is revealed."))


class SealingDocument(Schema):
    """What is known of the key that hidden things are sealed with; nobody chooses it."""

    commitment = fields.String(required=True, metadata=said("SHA-256(sealing key)."))
    revealed = fields.String(
        required=True, allow_none=True, metadata=said("The sealing key, once it is revealed, with the seed.")
    )


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
    sealing = fields.Nested(SealingDocument, required=True)
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
        metadata=said(
            "By actor: `host`, `seat:0`, `spectator:1`, … They are not kept; only their digests are."
        ),
    )


OLDER = "null: an older release wrote the match's last commit; read the match itself."


class Listed(Schema):
    """A match of a list, as anybody who may look on sees it."""

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
        metadata=said("The seats that owe a decision. " + OLDER),
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
        metadata=said(
            "What the caller may see of what is sealed: salt and value by pointer. Players' names are among"
            " it for everybody, unless they were forgotten."
        )
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


class FeedPage(Schema):
    """Commits of all matches, as spectators see them; (`match`, `version`) tells doubles."""

    items = fields.List(fields.Nested(Commit), required=True)
    cursor = fields.String(required=True, metadata=said("From where to go on; it leads there for an hour."))


class TicketDocument(Schema):
    """A ticket."""

    ticket = fields.String(required=True, metadata=said("To be sent as `?ticket=`, once."))
    expires_at = fields.String(required=True)


class CommandAnswer(Schema):
    """What a command, or a batch of them, has caused."""

    version = fields.Integer(required=True)
    commits = fields.List(fields.Nested(Commit), required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    to_act = fields.List(fields.Integer(), required=True)
    legal = fields.String(required=True)


class RehearsalDocument(Schema):
    """What commands would cause: what comes out alike in 8 imagined matches that look alike to the caller."""

    dry_run = fields.Boolean(required=True, metadata=said("Always true: nothing has happened."))
    version = fields.Integer(required=True, metadata=said("Where the match is; it stays there."))
    accepted = fields.Integer(required=True, metadata=said("How many of the commands are sure of that."))
    events = fields.List(
        fields.Dict(), required=True, metadata=said("What is sure to happen, as the caller would see it.")
    )
    certain = fields.Boolean(
        required=True, metadata=said("false: what follows depends on chance, or on what is hidden.")
    )
    status = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf([*STATUSES, None]),
        metadata=said("After all that; null where it is not certain."),
    )
    to_act = fields.List(
        fields.Integer(),
        required=True,
        allow_none=True,
        metadata=said("After all that; null where it is not certain."),
    )


class RotatedDocument(Schema):
    """A token in place of an old one, shown this once."""

    version = fields.Integer(required=True)
    actor = fields.String(required=True, metadata=said("Whose token it is: `host`, `seat:0`, …"))
    token = fields.String(required=True)


class InviteDocument(Schema):
    """An invite that nobody has used."""

    id = fields.Integer(required=True)
    to = fields.String(
        required=True,
        validate=validate.OneOf(["seat", "return", "spectator"]),
        metadata=said("What it is for: to take a seat, to return to your own seat, or to look on."),
    )
    seat = fields.Integer(required=True, allow_none=True, metadata=said("null: to any seat, or to look on."))


class IssuedInvite(InviteDocument):
    """An invite with its code, shown this once."""

    code = fields.String(required=True, metadata=said("For whoever is invited: good for one use."))


class InviteAnswer(Schema):
    """What issuing an invite has caused."""

    version = fields.Integer(required=True)
    invite = fields.Nested(IssuedInvite, required=True)


class InviteList(Schema):
    """A page of the open invites of a match, the oldest first."""

    items = fields.List(fields.Nested(InviteDocument), required=True)
    version = fields.Integer(required=True)
    next = fields.String(required=True, allow_none=True, metadata=said("The cursor of the next page."))


class LegalPage(Schema):
    """The legal commands of the caller's seat, each a body ready to send."""

    version = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    commands = fields.List(fields.Dict(metadata={"x-is": "Command"}), required=True)
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
    rules_versions = fields.List(
        fields.Integer(),
        required=True,
        metadata=said(
            "The rules that matches can be played by, the newest first; a match keeps its own for ever."
        ),
    )
    seats = fields.List(fields.Integer(), required=True, metadata=said("The numbers of players it is for."))
    bots = fields.List(fields.String(), required=True, metadata=said('Who may play a seat: `{"bot": …}`.'))
    self = fields.String(required=True)
    rules = fields.String(required=True, metadata=said("The rules, as Markdown or as a page."))


class EditionDocument(EditionName):
    """An edition with its components."""

    components = fields.Dict(required=True, metadata=said("Tables of rows, each row with its `source`."))


class GlossaryEntry(Schema):
    """What a component or a term of a game means."""

    kind = fields.String(required=True, metadata=said("What it is: a `column`, a `curiosity`, a `card`, …"))
    id = fields.String(required=True, metadata=said("Its id among those of its kind."))
    points = fields.Integer(required=True, allow_none=True, metadata=said("What it pays, where it pays."))
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
            "The JSON Schema of every event of a log, by type, as written today: `v` is the version of its"
            " fields, and is left out while that is 1. Fields under `x-sealed` are left out where"
            " they are sealed, and come under `opened` to whoever may see them."
        ),
    )
    score_parts = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    glossary = fields.List(fields.Nested(GlossaryEntry), required=True)
    refusals = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=said("Every `rule` that can refuse a command of this game, and what it means."),
    )


class GameList(Schema):
    """The catalogue."""

    items = fields.List(fields.Nested(GameSummary), required=True)


class Index(Schema):
    """Where to begin."""

    name = fields.String(required=True)
    links = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class Liveness(Schema):
    """The process is alive."""

    status = fields.String(required=True, validate=validate.Equal("alive"))
    version = fields.String(required=True, metadata=said("Of the service."))


class Readiness(Schema):
    """Whether requests can be served, check by check."""

    status = fields.String(required=True, validate=validate.Equal("ready"))
    checks = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    figures = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata=said("Ages (ms) of what waits longest, and how many processes of each kind are at work."),
    )


class KindDocument(Schema):
    """A kind of problem."""

    code = fields.String(required=True)
    status = fields.Integer(required=True)
    title = fields.String(required=True)
    meaning = fields.String(required=True)
    remedy = fields.String(required=True, metadata=said("What can be done about it."))
    example = fields.Nested(ProblemDocument, required=True)


class KindList(Schema):
    """The kinds of problems."""

    items = fields.List(fields.Nested(KindDocument), required=True)


class PolicyDocument(Schema):
    """A policy, and where the caller stands by it."""

    name = fields.String(required=True)
    what = fields.String(required=True, metadata=said("What is counted, and by whom."))
    quota = fields.Integer(required=True, metadata=said("Requests in a window: `q` of RateLimit-Policy."))
    window = fields.Integer(required=True, metadata=said("Its length in seconds: `w` of RateLimit-Policy."))
    remaining = fields.Integer(required=True, metadata=said("What is left of it: `r` of RateLimit."))
    reset = fields.Integer(required=True, metadata=said("Seconds until its end: `t` of RateLimit."))


class LimitList(Schema):
    """The policies that are on."""

    items = fields.List(fields.Nested(PolicyDocument), required=True)
