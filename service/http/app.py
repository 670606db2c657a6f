"""The app factory: resources, error handlers, request ids."""

import logging
import re
from http import HTTPStatus
from secrets import token_hex

from flask import Flask, Request, Response, g, request
from flask.sessions import NullSession, SessionInterface, SessionMixin

from domain.games import games
from service.http import commands, health, log, matches, seats
from service.http import games as catalogue
from service.http.api import Api, OrjsonProvider, View
from service.http.credentials import SCHEMES
from service.http.fields import command_schemas
from service.http.problems import KINDS, SERVICE_ERRORS, Problem, of_service
from service.play import Play
from service.side import Side

LARGEST_BODY = 64 * 1024
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
DESCRIPTION = """\
Hosts three tabletop games. A match is a log of commits: a command you send becomes the next commit,
or is refused and changes nothing.

Begin with `createMatch`, keep the tokens, ask `listLegalCommands`, send one of them with `sendCommands`, and
so on until `status` is `finished`; then `getScore`. Send an `Idempotency-Key` with every write: a repeat is
harmless.
"""


class NoSessions(SessionInterface):
    """There are no sessions and no cookies: nothing is read before a request and written after it."""

    def open_session(self, _app: Flask, _request: Request) -> SessionMixin:
        """The one session, always empty."""
        return EMPTY

    def is_null_session(self, _session: object) -> bool:
        """It is never to be saved."""
        return True

    def save_session(self, _app: Flask, _session: SessionMixin, _response: Response) -> None:
        """Nothing to save."""


EMPTY = NullSession()


class App(Flask):
    """Flask whose views are plain functions: it need not look, at every call, whether one is a coroutine."""

    def ensure_sync(self, func: View) -> View:
        """The function itself."""
        return func


def create_app(play: Play, side: Side) -> Flask:
    """The WSGI application over a use case layer and what is kept beside the matches."""
    app = App("bricabrac", static_folder=None)
    app.session_interface = NoSessions()
    app.json = OrjsonProvider(app)
    app.config.update(
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        PROPAGATE_EXCEPTIONS=False,
        API_TITLE="Bricabrac",
        API_VERSION="1",
        OPENAPI_VERSION="3.1.1",
        API_SPEC_OPTIONS={
            "info": {
                "summary": "Hosts three tabletop games over HTTP.",
                "description": DESCRIPTION,
                "contact": {"name": "Whoever runs this service"},
                "license": {"name": "MIT", "identifier": "MIT"},
            },
            "servers": [{"url": "/", "description": "The service that this page was read from."}],
        },
    )
    app.extensions["play"], app.extensions["side"] = play, side
    app.before_request(name_request)
    app.after_request(mark_response)
    app.register_error_handler(Problem, Problem.response)
    for error in SERVICE_ERRORS:
        app.register_error_handler(error, _service_error)
    api = Api(app)
    for name, scheme in SCHEMES.items():
        api.spec.components.security_scheme(name, scheme)
    _register_commands(api)
    for resource in (catalogue, matches, seats, commands, log, health):
        api.register_blueprint(resource.blueprint)
    return app


def name_request() -> None:
    """Every request has an id: the caller's, if it is a plain word, or one of ours."""
    given = request.headers.get("X-Request-ID")
    g.request_id = given if given and REQUEST_ID.fullmatch(given) else token_hex(8)


def mark_response(response: Response) -> Response:
    """Every answer says which request it answers, and that it is nothing but what it says."""
    response.headers["X-Request-ID"] = g.request_id
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def _service_error(error: Exception) -> Response:
    problem = of_service(error)
    if KINDS[problem.code].status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        logging.getLogger("bricabrac").error("%s %s: %s", g.request_id, problem.code, error)
    return problem.response()


def _register_commands(api: Api) -> None:
    """The commands of each game as a discriminated union, and `Commands`: one of them, or a list."""
    unions = []
    for game in games().values():
        written = {}
        for name, schema in command_schemas(game).items():
            component = f"{game.name}.{name}"
            if name != "release_seed":
                api.spec.components.schema(component, {"description": schema.__doc__}, schema=schema)
                written[name] = {"$ref": f"#/components/schemas/{component}"}
        union = f"{game.name}.command"
        mapping = {name: ref["$ref"] for name, ref in written.items()}
        api.spec.components.schema(
            union,
            {"oneOf": list(written.values()), "discriminator": {"propertyName": "type", "mapping": mapping}},
        )
        unions.append({"$ref": f"#/components/schemas/{union}"})
    api.spec.components.schema(
        "match.release_seed", schema=command_schemas(next(iter(games().values())))["release_seed"]
    )
    one = {"anyOf": [*unions, {"$ref": "#/components/schemas/match.release_seed"}]}
    api.spec.components.schema("Command", one)
    command = {"$ref": "#/components/schemas/Command"}
    many = {"type": "array", "items": command, "minItems": 1, "maxItems": commands.LONGEST_BATCH}
    api.spec.components.schema("Commands", {"anyOf": [command, many]})
