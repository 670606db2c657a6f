"""The start page, liveness, readiness, and the OpenAPI description as a file."""

from collections.abc import Mapping
from importlib.metadata import version as version_of
from typing import Annotated, Literal, TypedDict

from flask import Response, current_app, request

from service.http.openapi.blueprint import Blueprint
from service.http.pages.guides import guides
from service.http.pages.rendering import HTML, as_json, page, reads_html
from service.http.protocol.etags import content_tag
from service.http.protocol.json_answers import json_response
from service.http.protocol.problems import Problem
from service.log.public_keys import WELL_KNOWN

VERSION = version_of("bricabrac")  # looked up once: it is read from a file
LOCAL = "localhost:8000"  # where `make run` serves
OWN = "private, max-age=300"
blueprint = Blueprint("service", __name__, description="Operations and documentation.")


class Index(TypedDict):
    """Where to start."""

    name: str
    links: Mapping[str, str]


class Liveness(TypedDict):
    """The process is running."""

    status: Literal["alive"]
    version: Annotated[str, "The version of the service."]


class Readiness(TypedDict):
    """Whether the service is ready, check by check."""

    status: Literal["ready"]
    checks: Mapping[str, str]
    figures: Annotated[
        Mapping[str, int],
        "Ages (in ms) of what has waited longest, and the number of running processes of each kind.",
    ]


@blueprint.route("/")
@blueprint.operation("readIndex", headers=["If-None-Match"])
@blueprint.response(200, Index)
@blueprint.alt_response(200, schema={"type": "string"}, content_type=HTML, success=True)
@blueprint.not_modified()
def index() -> Response:
    """Read the index.

    Its links lead to everything else. It comes as JSON, or as a page.
    """
    if reads_html():
        return _start_page()
    links = {
        "games": "/v1/games",
        "rules": "/v1/rules",
        "matches": "/v1/matches",
        "docs": "/docs",
        **{name: f"/docs/{name}" for name in guides()},
        "openapi": "/openapi.yaml",
        "problems": "/problems",
        "limits": "/v1/limits",
        "signing_keys": WELL_KNOWN,
        "ready": "/readyz",
    }
    document: Index = {"name": "Bricabrac", "links": links}
    return as_json(document)


def _start_page() -> Response:
    """The commands on it go to the host that was asked; so no cache may keep it for another one.

    werkzeug has found the host to be one, and nothing else that a shell or a page would read; or it is empty.
    """
    response = page("home.html", here=f"{request.scheme}://{request.host or LOCAL}")
    response.headers["Cache-Control"] = OWN
    return response


@blueprint.route("/livez")
@blueprint.operation("checkLiveness")
@blueprint.response(200, Liveness)
def livez() -> Response:
    """Check liveness.

    The HTTP process is running. Nothing else is checked, not even the store.
    """
    document: Liveness = {"status": "alive", "version": VERSION}
    return json_response(document, headers={"Cache-Control": "no-store"})


@blueprint.route("/readyz")
@blueprint.operation("checkReadiness", "not_ready")
@blueprint.response(200, Readiness)
def readyz() -> Response:
    """Check readiness.

    The service is ready if its store is recent enough, accepts writes and is as durable as promised, and if a
    relay and workers are running. `checks` has the result of each check.
    """
    report = current_app.extensions["readiness"].report()
    checks, figures = report.checks, report.figures
    if report.wrong:
        detail = "; ".join(report.wrong)
        raise Problem("not_ready", detail, {"Retry-After": "1"}, checks=checks, figures=figures)
    document: Readiness = {"status": "ready", "checks": checks, "figures": figures}
    return json_response(document, headers={"Cache-Control": "no-store"})


@blueprint.route("/openapi.yaml")
@blueprint.operation("readOpenapi", headers=["If-None-Match"])
@blueprint.response(200, {"type": "string"}, content_type="application/yaml")
@blueprint.not_modified()
def openapi() -> Response:
    """Read the OpenAPI description.

    It is OpenAPI 3.1, generated from the code. Its examples are recorded from real calls.
    """
    written = openapi_yaml().encode()
    headers = {"ETag": content_tag(written), "Cache-Control": "public, max-age=300"}
    return Response(written, headers=headers, mimetype="application/yaml")


def openapi_yaml() -> str:
    """The OpenAPI description of the current application, as committed in `openapi.yaml`."""
    api = current_app.extensions["flask-smorest"]["apis"][""]["ext_obj"]
    written: str = api.description().written
    return written
