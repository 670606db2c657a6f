"""The one way to play a match: commands, judged in the order of the contract, or as a dry run."""

from dataclasses import replace
from typing import Any

from flask import Response, request
from marshmallow import ValidationError

from domain.games import AnyGame
from domain.match.actors import Host, Seat, read_actor
from domain.match.commands import HOST_COMMANDS
from service.http.judgement.answers import committed
from service.http.judgement.bot_matches import limits_of_commands, stays_peopled
from service.http.judgement.callers import find, play, required_actor, shown_digest
from service.http.judgement.writes import HeldWrite
from service.http.openapi.blueprint import Blueprint, body_of
from service.http.openapi.command_schemas import LONGEST_BATCH, command_schemas, load_command
from service.http.openapi.request_headers import RETURN
from service.http.protocol.json_answers import json_response
from service.http.protocol.problems import Problem, invalid
from service.http.protocol.refusals import pointed, refusing
from service.log.codec import type_name
from service.matches.documents import CommandAnswer, RehearsalDocument
from service.matches.dry_run import dry_run
from service.matches.requests import Request, Result, StaleVersionError
from service.matches.revision import Revision

blueprint = Blueprint("commands", __name__, url_prefix="/v1/matches", description="Send commands.")

REQUIRED: dict[type, str] = {Host: "host_required", Seat: "seat_required"}
HOST_TYPES = frozenset(map(type_name, HOST_COMMANDS))


@blueprint.route("/<match_id>/commands", methods=["POST"])
@blueprint.operation(
    "sendCommands",
    "seat_required",
    "host_required",
    "person_required",
    "not_your_turn",
    "match_over",
    "illegal_command",
    "batch_reaches_past_chance",
    requestBody=body_of(
        "Commands",
        "One command, or a list of up to 50. A list is accepted whole, one commit each, or not at all.",
    ),
    headers=["Authorization", "Idempotency-Key", "If-Match", RETURN, "dry_run"],
)
@blueprint.response(201, CommandAnswer)
@blueprint.alt_response(
    200, schema=RehearsalDocument, description="With `dry_run=true`: what would happen.", success=True
)
def send(match_id: str) -> Response:
    """Send commands.

    Send one command, or a list. A list is accepted whole or not at all, and it may only go as far as you can
    foresee: after a command that draws, reveals something or lets another seat act, the next command is
    refused with `batch_reaches_past_chance`, whatever it is. In Junk Drawer every placement does one of
    these: send placements one by one.

    Send a new `Idempotency-Key` with each request. If no answer arrives, send the same request again: it
    takes effect once. Where seats move at the same time, another seat's hidden move changes the version too:
    `If-Match` may then be refused though you see no change. A refusal names the rule that was broken and
    changes nothing. With `Prefer: return=representation` the answer also has the match, as you see it at the
    version of the answer. With `dry_run=true` nothing happens, and the Idempotency-Key is ignored.
    """
    return (DryRun if _dry() else SendCommands)(match_id).judge()


def _dry() -> bool:
    return request.args.get("dry_run") == "true"


class SendCommands(HeldWrite[list[Any]]):
    """Commands, all or none."""

    def identify(self) -> None:
        self.loaded = find(self.match_id, newest=False)  # where it has gone on, the append will find out
        self.by = required_actor(self.loaded)

    def authorize(self) -> None:
        """403 if a command for seats does not come from a seat, or one for the host not from the host.

        Only the type is read, before anything else in the body; an unknown type is refused later.
        """
        game, by = self.loaded.state.game, read_actor(self.by)
        for named in self._types():
            wanted = Host if named in HOST_TYPES else Seat if named in command_schemas(game) else object
            if not isinstance(by, wanted):
                required_actor(find(self.match_id))  # a token that another process revoked: 401
                raise Problem(REQUIRED[wanted], f"{self.by} cannot send {named}.")

    def _types(self) -> list[str]:
        value = self.body.unchecked
        raws = value if isinstance(value, list) else [value]
        named = (raw.get("type") for raw in raws if isinstance(raw, dict))
        return [word for word in named if isinstance(word, str)]

    def limits(self) -> tuple[str, ...]:
        return limits_of_commands(self.loaded, self.body.unchecked)

    def request(self) -> Request:
        return replace(super().request(), peopled=stays_peopled(self.loaded))

    def parse(self) -> list[Any]:
        if request.args.get("dry_run", "false") not in ("true", "false"):
            raise invalid(("/dry_run", "Must be true or false."))
        return commands_of(self.loaded.state.game, self.body.json())

    def commands_in(self, asked: list[Any]) -> int:
        return len(asked)

    def decide(self, asked: list[Any], request: Request) -> Result:
        return play().do(self.loaded, asked, request)

    def answer(self, result: Result) -> Response:
        return committed(result, self.by, whole=True)


class DryRun(SendCommands):
    """What the commands would cause, or the refusal they would get; nothing is stored, and no key is read."""

    def identify(self) -> None:
        self.loaded = find(self.match_id)
        self.by = required_actor(self.loaded)

    def request(self) -> Request:
        return Request(self.by, token=shown_digest(), peopled=stays_peopled(self.loaded))

    def conclude(self, asked: list[Any], request: Request) -> Response:
        loaded = self.loaded
        with refusing(loaded, len(asked), seated=self.seated):
            if request.expected is not None and not request.expected.names(loaded):
                raise StaleVersionError(request.expected, Revision.of(loaded))
            outcome = dry_run(loaded, asked, request.by, peopled=request.peopled)
        document: RehearsalDocument = {
            "dry_run": True,
            "version": loaded.version,
            "accepted": outcome.accepted,
            "events": outcome.events,
            "certain": outcome.certain,
            "status": outcome.after.status if outcome.certain else None,
            "to_act": outcome.after.to_act if outcome.certain else None,
        }
        return json_response(document, headers={"Cache-Control": "no-store"})


def commands_of(game: AnyGame, value: Any) -> list[Any]:
    """The commands of a body, one or a list; 422 with a pointer for each field that is wrong."""
    if not isinstance(value, list):
        return [_command(game, value, "")]
    if not 1 <= len(value) <= LONGEST_BATCH:
        raise invalid(("", f"Send 1 to {LONGEST_BATCH} commands."))
    return [_command(game, raw, f"/{index}") for index, raw in enumerate(value)]


def _command(game: AnyGame, raw: Any, pointer: str) -> Any:
    try:
        return load_command(game, raw)
    except ValidationError as flaw:
        raise invalid(*pointed(flaw.normalized_messages(), pointer)) from flaw
