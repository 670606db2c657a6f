"""Creating matches."""

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
from service.http.judgement.callers import api_key, newcomer, play, scoped
from service.http.judgement.writes import Write
from service.http.openapi.blueprint import MATCHES, body_of
from service.http.openapi.request_headers import GUARDING_KEY
from service.http.openapi.requests import CreateMatchRequest
from service.http.protocol.problems import invalid
from service.http.protocol.rule_links import rule_members
from service.matches.joining import Caller, create_match
from service.matches.requests import CommandRefusedError, Request, Result
from service.strict_json import pointer_part

blueprint = MATCHES


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
