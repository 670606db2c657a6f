"""The shapes of queries, which check every parameter that comes in."""

from marshmallow import ValidationError, fields, validate

from domain.games import games
from domain.match.state import STATUSES
from service.http.openapi.requests import Strict, said
from service.http.protocol.integers import Digits


class Flag(fields.Boolean):
    """true or false in a query."""

    truthy = {"true"}  # noqa: RUF012  marshmallow's own form
    falsy = {"false"}  # noqa: RUF012


def installed(game: str) -> None:
    """ValidationError for a game that there is not; the description names none, for games may be added."""
    if game not in games():
        raise ValidationError(f"Must be one of: {', '.join(games())}.")


class AtQuery(Strict):
    """Time travel."""

    at = Digits(validate=validate.Range(1, 10**9), metadata=said("Read the match as it was at this version."))


class RulesQuery(Strict):
    """Which version of the rules."""

    rules_version = Digits(
        validate=validate.Range(1, 10**9), metadata=said("The version of the rules. By default, the newest.")
    )


class LegalQuery(Strict):
    """How many commands to list, and whether to wait for them."""

    limit = Digits(
        load_default=200,
        validate=validate.Range(1, 1000),
        metadata=said("The maximum number to list. There is no second page: raise it to get more."),
    )
    wait = Digits(
        validate=validate.Range(0, 25),
        metadata=said("How many seconds to wait for your turn; also as `Prefer: wait=<n>`."),
    )


def _last_event_id(longest: int) -> fields.String:
    return fields.String(
        validate=validate.Length(max=longest),
        metadata=said("Like the header Last-Event-ID, which has priority. Some polyfills send this instead."),
    )


class LiveQuery(Strict):
    """How to follow a log or a feed."""

    limit = Digits(
        load_default=100, validate=validate.Range(1, 500), metadata=said("The maximum number in a JSON page.")
    )
    wait = Digits(
        validate=validate.Range(0, 25),
        metadata=said(
            "Seconds to wait if the JSON page would be empty. You can also send `Prefer: wait=<n>`."
        ),
    )
    follow = Flag(metadata=said("true: the lines of JSON continue as commits are made."))
    ticket = fields.String(
        validate=validate.Length(1, 200),
        metadata=said("For an EventSource, which cannot send Authorization."),
    )


class LogQuery(LiveQuery):
    """Which commits."""

    until = fields.String(
        validate=validate.Equal("turn"),
        metadata=said("`turn`: with `wait`, the page comes when your seat is to act or the match is over."),
    )
    lastEventId = _last_event_id(100)  # noqa: N815  the polyfills' own word
    after = Digits(
        validate=validate.Range(0, 10**9),
        metadata=said("Only commits after this version. By default, all of them."),
    )
    after_hash = fields.String(
        validate=validate.Regexp(r"^[0-9a-f]{16}$(?!\n)", error="Must be 16 lower-case hexadecimal digits."),
        metadata=said("The first 16 digits of that commit's hash. You get 410 if the log has another one."),
    )


class FeedQuery(LiveQuery):
    """Where to start."""

    lastEventId = _last_event_id(7_900)  # noqa: N815  it is a cursor
    cursor = fields.String(
        validate=validate.Length(1, 7_900),
        metadata=said("The cursor from the answer before. Without one, the feed starts now."),
    )


class InvitesQuery(Strict):
    """Which invites."""

    limit = Digits(
        load_default=50, validate=validate.Range(1, 200), metadata=said("The maximum number in a page.")
    )
    cursor = fields.String(
        validate=validate.Regexp(
            r"^[0-9]{1,9}$(?!\n)", error="Unknown cursor. Use `next` from the page before."
        ),
        metadata=said("`next` from the page before."),
    )


class ListQuery(Strict):
    """Which matches."""

    mine = Flag(
        metadata=said(
            "true: your own matches, private ones too. With an API key, those created with it; with the token"
            " of a match, that match. The operator issues API keys, with `bricabrac keys add`."
        )
    )
    game = fields.String(validate=installed, metadata=said("Only matches of this game."))
    status = fields.String(validate=validate.OneOf(STATUSES), metadata=said("Only matches with this status."))
    limit = Digits(
        load_default=50, validate=validate.Range(1, 200), metadata=said("The maximum number in a page.")
    )
    cursor = fields.String(validate=validate.Length(max=100), metadata=said("`next` from the page before."))
