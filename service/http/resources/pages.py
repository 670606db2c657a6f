"""Pages for people: the description of the API rendered, the guides, and each kind of problem explained.

Swagger UI renders it: of the two that were weighed it runs under a policy without inline styles (Redoc
injects its own), and lets a reader try a call. Scripts and styles come from this package, under names that
change with their content, so that they are kept for ever and nothing is fetched from anywhere else.
"""

import orjson
from flask import Flask, Response

from service.http.openapi.blueprint import Blueprint
from service.http.pages.assets import asset
from service.http.pages.guides import guides, picture
from service.http.pages.markdown import MARKDOWN, as_markdown, as_on_github, as_page, reads_page
from service.http.pages.problem_kinds import KindDocument, KindList, explanation
from service.http.pages.rendering import CACHED, HTML, as_json, page, reads_html
from service.http.protocol.etags import content_tag
from service.http.protocol.problems import KINDS, Problem

blueprint = Blueprint("pages", __name__, description="Documentation.")
KEPT = "public, max-age=31536000, immutable"


def register_assets(app: Flask) -> None:
    """The scripts, styles and pictures of the pages; no operations of the API."""
    app.add_url_rule("/docs/<digest>/<name>", view_func=read_asset)
    app.add_url_rule("/docs/<name>.svg", view_func=read_picture)


def read_asset(digest: str, name: str) -> Response:
    """A script or a style, by the fingerprint of what is in it."""
    found = asset(name)
    if found is None or found.digest != digest:
        raise Problem("not_found", "There is no such file.")
    headers = {"Cache-Control": KEPT, "ETag": f'"{digest}"'}
    return Response(found.content, headers=headers, mimetype=found.media_type)


def read_picture(name: str) -> Response:
    """A picture of the guides, where they link to it."""
    found = picture(name)
    if found is None:
        raise Problem("not_found", "There is no such picture.")
    headers = {"Cache-Control": CACHED, "ETag": content_tag(found)}
    return Response(found, headers=headers, mimetype="image/svg+xml")


@blueprint.route("/docs")
@blueprint.operation("readDocs", headers=["If-None-Match"])
@blueprint.response(200, {"type": "string"}, content_type=HTML)
@blueprint.not_modified()
def docs() -> Response:
    """Read the API reference.

    A page with every operation, where you can also try them.
    """
    return page("docs.html")


@blueprint.route("/docs/<guide>")
@blueprint.operation("readGuide", "not_found", headers=["If-None-Match"], any_accept=True)
@blueprint.response(200, {"type": "string"}, content_type=MARKDOWN)
@blueprint.alt_response(200, schema={"type": "string"}, content_type=HTML, success=True)
@blueprint.not_modified()
def read_guide(guide: str) -> Response:
    """Read a guide.

    The guides are `playing`, `integrating`, `verifying`, `operating`, `architecture` and `developing`. If
    you accept HTML, you get a page, otherwise Markdown, even if you do not accept that. With `.md` after the
    name you always get Markdown.
    """
    name = guide.removesuffix(".md")
    found = guides().get(name)
    if found is None:
        raise Problem("not_found", f"There is no guide {name[:40]!r}. The guides are {', '.join(guides())}.")
    if guide == name and reads_page():
        return as_page(found.title, found.text_of_page, as_on_github)
    return as_markdown(found.text)


@blueprint.route("/problems")
@blueprint.operation("listProblems", headers=["If-None-Match"])
@blueprint.response(200, KindList)
@blueprint.alt_response(200, schema={"type": "string"}, content_type=HTML, success=True)
@blueprint.not_modified()
def problems() -> Response:
    """List the problems.

    You get every kind of problem document, as JSON or as a page.
    """
    listed: KindList = {"items": [explanation(code) for code in KINDS]}
    return page("problems.html", kinds=listed["items"]) if reads_html() else as_json(listed)


@blueprint.route("/problems/<code>")
@blueprint.operation("explainProblem", "not_found", headers=["If-None-Match"])
@blueprint.response(200, KindDocument)
@blueprint.alt_response(200, schema={"type": "string"}, content_type=HTML, success=True)
@blueprint.not_modified()
def explain(code: str) -> Response:
    """Explain a problem.

    The `type` of every problem document leads here. You get what it means and what you can do, as JSON or as
    a page.
    """
    if code not in KINDS:
        raise Problem("not_found", f"There is no problem {code[:40]!r}.")
    kind = explanation(code)
    if not reads_html():
        return as_json(kind)
    example = orjson.dumps(kind["example"], option=orjson.OPT_INDENT_2).decode()
    return page("problem.html", kind=kind, example=example)
