"""Is the process alive, can it serve; what a problem code means; the OpenAPI page as a file."""

from importlib.metadata import version as version_of

import yaml
from flask import Response, current_app

from service.http.api import Blueprint, json_response
from service.http.callers import play
from service.http.documents import Index, KindDocument, Liveness, Readiness
from service.http.problems import KINDS, Problem
from service.http.tags import content_tag
from service.store.journal import StoreUnavailableError

VERSION = version_of("bricabrac")  # looked up once: it is read from a file
blueprint = Blueprint("service", __name__, description="Operations and explanations.")


@blueprint.route("/")
@blueprint.operation("readIndex")
@blueprint.response(200, Index)
def index() -> Response:
    """Say what this is, and where to begin."""
    where = {"games": "/v1/games", "matches": "/v1/matches", "openapi": "/openapi.yaml", "ready": "/readyz"}
    return json_response({"name": "Bricabrac", "links": where})


@blueprint.route("/livez")
@blueprint.operation("checkLiveness")
@blueprint.response(200, Liveness)
def livez() -> Response:
    """Say that the process is alive; nothing else is asked."""
    return json_response({"status": "alive", "version": VERSION}, headers={"Cache-Control": "no-store"})


@blueprint.route("/readyz")
@blueprint.operation("checkReadiness", "not_ready")
@blueprint.response(200, Readiness)
def readyz() -> Response:
    """Say whether requests can be served: the store answers, and is durable as promised."""
    try:
        checks = play().journal.checks()
    except StoreUnavailableError:
        checks = {"store": "does not answer"}
    wrong = [f"{name}: {found}" for name, found in checks.items() if found != "ok"]
    if wrong:
        raise Problem("not_ready", "; ".join(wrong), {"Cache-Control": "no-store"}, checks=checks)
    return json_response({"status": "ready", "checks": checks}, headers={"Cache-Control": "no-store"})


@blueprint.route("/problems/<code>")
@blueprint.operation("explainProblem", "not_found")
@blueprint.response(200, KindDocument)
def explain(code: str) -> Response:
    """Explain a kind of problem: what its `type` leads to."""
    kind = KINDS.get(code)
    if kind is None:
        raise Problem("not_found", f"There is no problem called {code[:40]!r}.")
    return json_response({"code": code, "status": kind.status, "title": kind.title, "remedy": kind.remedy})


@blueprint.route("/openapi.yaml")
@blueprint.operation("readOpenapi", headers=["If-None-Match"])
@blueprint.response(200, {"type": "string"}, content_type="application/yaml")
@blueprint.not_modified()
def openapi() -> Response:
    """Read this description of the API."""
    written = openapi_yaml().encode()
    headers = {"ETag": content_tag(written), "Cache-Control": "public, max-age=300"}
    return Response(written, headers=headers, mimetype="application/yaml")


def openapi_yaml() -> str:
    """The OpenAPI description of the current application, as committed in `openapi.yaml`."""
    kept = current_app.extensions
    if "openapi_yaml" not in kept:
        spec = kept["flask-smorest"]["apis"][""]["ext_obj"].spec.to_dict()
        kept["openapi_yaml"] = yaml.safe_dump(spec, sort_keys=False, allow_unicode=True, width=110)
    written: str = kept["openapi_yaml"]
    return written
