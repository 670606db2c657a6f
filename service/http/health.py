"""Is the process alive, can it serve; what a problem code means; the OpenAPI page as a file."""

from importlib.metadata import version

from flask import Response, current_app

from service.http.api import Blueprint, json_response
from service.http.callers import play
from service.http.description import as_yaml, completed, recorded
from service.http.documents import Index, KindDocument, Liveness, Readiness
from service.http.problems import KINDS, Problem
from service.store.journal import StoreUnavailableError

blueprint = Blueprint("service", __name__, description="Operations and explanations.")


@blueprint.route("/")
@blueprint.operation("readIndex")
@blueprint.response(200, Index)
def index() -> Response:
    """Say what this is.

    The links lead to where to begin.
    """
    where = {"games": "/v1/games", "matches": "/v1/matches", "openapi": "/openapi.yaml", "ready": "/readyz"}
    return json_response({"name": "Bricabrac", "links": where})


@blueprint.route("/livez")
@blueprint.operation("checkLiveness")
@blueprint.response(200, Liveness)
def livez() -> Response:
    """Say that the process is alive.

    Nothing else is asked: neither the store nor anything else has to answer.
    """
    return json_response(
        {"status": "alive", "version": version("bricabrac")}, headers={"Cache-Control": "no-store"}
    )


@blueprint.route("/readyz")
@blueprint.operation("checkReadiness", "not_ready")
@blueprint.response(200, Readiness)
def readyz() -> Response:
    """Say whether requests can be served.

    They can if the store answers and is durable as promised; `checks` says it one by one.
    """
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
    """Explain a kind of problem.

    The `type` of every problem document leads here: to its title, and to what can be done about it.
    """
    kind = KINDS.get(code)
    if kind is None:
        raise Problem("not_found", f"There is no problem called {code[:40]!r}.")
    return json_response({"code": code, "status": kind.status, "title": kind.title, "remedy": kind.remedy})


@blueprint.route("/openapi.yaml")
@blueprint.operation("readOpenapi")
@blueprint.response(200, {"type": "string"}, content_type="application/yaml")
def openapi() -> Response:
    """Read this description of the API.

    It is OpenAPI 3.1, made from the code; its examples are what real calls were answered.
    """
    return Response(openapi_yaml(), mimetype="application/yaml")


def openapi_yaml() -> str:
    """The OpenAPI description of the current application, as committed in `openapi.yaml`."""
    kept = current_app.extensions
    if "openapi_yaml" not in kept:
        spec = kept["flask-smorest"]["apis"][""]["ext_obj"].spec.to_dict()
        kept["openapi_yaml"] = as_yaml(completed(spec, recorded()))
    written: str = kept["openapi_yaml"]
    return written
