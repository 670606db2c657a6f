"""Matches: create and read them (at any version); your legal commands; the score."""

from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any

from flask import Response, current_app

from domain.errors import OptionRefused, RuleBroken
from domain.game import Table, check_options
from domain.games import AnyGame, games
from domain.match.actors import HOST
from domain.match.commands import CreateMatch, Seat
from service.http.judgement.answers import CreatedDocument, with_tokens
from service.http.judgement.bot_matches import check_creation, limits_of_creation
from service.http.judgement.callers import api_key, find, newcomer, play, scoped
from service.http.judgement.reads import seat_of, versioned, viewed
from service.http.judgement.writes import Write
from service.http.openapi.blueprint import MATCHES, body_of
from service.http.openapi.request_headers import GUARDING_KEY, WAIT_OR_RETURN
from service.http.openapi.requests import AtQuery, CreateMatchRequest, LegalQuery
from service.http.protocol.common_headers import vary
from service.http.protocol.preferences import add_match, applied, waits
from service.http.protocol.problems import invalid
from service.http.protocol.rule_links import rule_members
from service.http.streaming.log_stream import turn_of
from service.matches.documents import LegalPage, MatchDocument, ScoreDocument
from service.matches.joining import Caller, create_match
from service.matches.requests import CommandRefusedError, Request, Result
from service.matches.views import legal_page, match_document, score_document
from service.strict_json import pointer_part

blueprint = MATCHES
FOREVER = "private, max-age=31536000, immutable"  # what a viewer saw at a past version is a fold of the log


@blueprint.route("", methods=["POST"])
@blueprint.operation(
    "createMatch",
    "scope_required",
    "person_required",
    requestBody=body_of(CreateMatchRequest, "The match to create."),
    headers=["Authorization", GUARDING_KEY],
    security=[{}, {"apiKey": []}],
)
@blueprint.response(201, CreatedDocument)
def create() -> Response:
    """Create a match.

    It starts at once if no seat is open. The answer contains a token for the host and one for each named
    seat; they are shown only once. With an API key that has the scope `create`, the match belongs to that
    key. An operator may require such a key for every match; by default, only a match that bots alone play
    needs one.

    If you choose the `seed`, you can know every draw before it happens: what comes from a bag or a deck, and
    what is dealt face down. You cannot see what a player chooses in secret, which is sealed with a key of the
    server. `seed.by` tells everyone that the creator chose the seed. Matches with one seed (a duplicate
    tournament) have the same draws, so keep them private (`"private": true`) until all are over.
    """
    return CreateMatchWrite().judge()


class CreateMatchWrite(Write[Mapping[str, Any]]):
    """A new match: its id comes with the key that its repeats are known by."""

    conditional, schema = False, CreateMatchRequest()

    def identify(self) -> None:
        key = api_key()
        if key is not None and "create" in key.scopes:
            self.owner = key.id
        else:
            opened = key is None and current_app.config["OPEN_CREATION"]
            self.owner = "" if opened else scoped("create").id

    def authorize(self) -> None:
        check_creation(self.body.unchecked, self.owner)

    def limits(self) -> tuple[str, ...]:
        return ("creations", *limits_of_creation(self.body.unchecked))

    @cached_property
    def caller(self) -> Caller:
        return newcomer(self.owner)

    def request(self) -> Request:
        self.match_id = self.caller.match_id
        return self.caller.asks(HOST)

    def parse(self) -> Mapping[str, Any]:
        asked = super().parse()
        check_creation(asked, self.owner)
        return asked

    def conclude(self, asked: Mapping[str, Any], request: Request) -> Response:
        try:
            return self.answer(self.decide(asked, request))
        except CommandRefusedError as refused:
            unfit = invalid((_pointer(refused.rule, asked), refused.rule.sentence))
            unfit.members |= rule_members(refused.rule.code, _game(asked))
            raise unfit from refused

    def decide(self, asked: Mapping[str, Any], _request: Request) -> Result:
        game = _game(asked)
        edition, options = asked.get("edition", game.default_edition), asked.get("options", {})
        seats, private = tuple(map(_seat, asked["seats"])), asked.get("private", False)
        command = CreateMatch(game.name, edition, options, seats, private, asked.get("rules_version"))
        seed = bytes.fromhex(asked["seed"]) if "seed" in asked else None
        return create_match(play(), game, command, self.caller, seed)

    def answer(self, result: Result) -> Response:
        return with_tokens(result, self.caller, None)


def _pointer(rule: RuleBroken, asked: Mapping[str, Any]) -> str:
    """The field of the request that a rule refuses."""
    if isinstance(rule, OptionRefused):
        return f"/options/{pointer_part(rule.option)}"
    if rule.code == "seats":
        return "/seats"
    unfit = (name for name in asked.get("options", {}) if _fits_without(asked, name))
    return next((f"/options/{pointer_part(name)}" for name in unfit), "/options")


def _fits_without(asked: Mapping[str, Any], option: str) -> bool:
    """Whether the table could be laid with this option at its default, and the others as asked."""
    game, kept = _game(asked), {name: value for name, value in asked["options"].items() if name != option}
    edition = game.editions[asked.get("edition", game.default_edition)]
    with suppress(RuleBroken):
        game.initial(game.box(edition), Table(len(asked["seats"]), check_options(game, kept)))
        return True
    return False


def _game(asked: Mapping[str, Any]) -> AnyGame:
    """The game that is asked for, by the rules that are asked for, the newest otherwise."""
    newest = games()[asked["game"]]
    return newest.versions[asked.get("rules_version") or newest.rules_version]


def _seat(given: Mapping[str, Any]) -> Seat:
    return (
        Seat("bot", given["bot"])
        if "bot" in given
        else Seat("human", given.get("name"), given.get("entropy"))
    )


@blueprint.route("/<match_id>")
@blueprint.operation("getMatch", "version_not_found", headers=["Authorization", "If-None-Match"])
@blueprint.arguments(AtQuery(), location="query")
@blueprint.response(200, MatchDocument)
@blueprint.not_modified()
def get_match(query: dict[str, Any], match_id: str) -> Response:
    """Read a match.

    With a seat's token you see what that seat may see; otherwise, what a spectator may see. With `at` you
    read the match as it was at an earlier version. The end of a match does not change what the rules show:
    hands and other hidden things stay null here. The log opens them.
    """
    loaded, viewer = viewed(match_id)
    if query.get("at", loaded.version) == loaded.version:
        return versioned(loaded, match_document(loaded, viewer))
    then = play().past(loaded, query["at"])
    return versioned(then, match_document(then, viewer), FOREVER)


@blueprint.route("/<match_id>/legal")
@blueprint.operation(
    "listLegalCommands",
    "seat_required",
    "too_many_streams",
    "streams_full",
    headers=["Authorization", "If-None-Match", WAIT_OR_RETURN],
)
@blueprint.arguments(LegalQuery(), location="query")
@blueprint.response(200, LegalPage)
@blueprint.not_modified()
def list_legal(query: dict[str, Any], match_id: str) -> Response:
    """List your legal commands.

    Each is a body ready to send. The list is empty while it is not your turn. It is always in the same order,
    and has at most `limit` commands: 200 by default, at most 1000. If there are others, `more` is true: raise
    `limit` to get them. Beyond 1000, make them by the schemas in the catalogue (`getGame`): every legal
    command is accepted, listed or not.

    With `wait`, the answer comes as soon as it is your turn or the match is over, at the latest after that
    many seconds. So a bot needs two requests a move: this one and `sendCommands`. A turn may need several
    commands: a list of them, as far as you can foresee, saves requests. With `Prefer: return=representation`
    the answer also has the match.
    """
    loaded = find(match_id)
    seat = seat_of(loaded)
    seconds, waited = waits(query)
    if seconds:
        loaded = turn_of(loaded, seat, seconds)
        seat = seat_of(loaded)
    document = legal_page(loaded, seat, query["limit"])
    add_match(document, loaded, seat)
    response = versioned(loaded, document)
    response.headers.update(waited)
    vary(response, "Prefer")
    return applied(response, document)


@blueprint.route("/<match_id>/score")
@blueprint.operation("getScore", headers=["Authorization", "If-None-Match"])
@blueprint.response(200, ScoreDocument)
@blueprint.not_modified()
def get_score(match_id: str) -> Response:
    """Read the score.

    It comes part by part. While the match is being played, it is the score so far, without anything that
    depends on what is hidden from you. Once `final` is true it does not change.
    """
    loaded, viewer = viewed(match_id)
    return versioned(loaded, score_document(loaded, viewer))
