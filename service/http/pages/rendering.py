"""Rendering pages: from templates of this package, under a policy that lets nothing else in."""

from functools import cache
from typing import Any

from flask import Response
from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape

from domain.games import games
from service.http.pages.assets import url_of
from service.http.pages.guides import guides
from service.http.protocol.common_headers import vary
from service.http.protocol.content_negotiation import best_form
from service.http.protocol.etags import content_tag
from service.http.protocol.json_answers import tagged

JSON, HTML = "application/json", "text/html"
CACHED = "public, max-age=300"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def reads_html() -> bool:
    """Whether a browser asks; JSON where either will do."""
    return best_form([JSON, HTML]) == HTML


def as_json(document: Any) -> Response:
    """What a page shows, for programs."""
    response = tagged(document, CACHED)
    vary(response, "Accept")
    return response


def page(name: str, **words: Any) -> Response:
    """A page for people, from a template."""
    known = {"asset": url_of, "games": games().values(), "guides": guides()}
    written = _templates().get_template(name).render(known | words).encode()
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": CACHED, "ETag": content_tag(written)}
    response = Response(written, headers=headers, content_type=f"{HTML}; charset=utf-8")
    vary(response, "Accept")
    return response


@cache
def _templates() -> Environment:
    loader = PackageLoader("service.http")
    found = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    found.filters["words"] = _words
    found.filters["breakable"] = _breakable
    return found


def _words(sentence: str) -> Markup:
    """A sentence with its `words of programs` marked up as such."""
    code = Markup("<code>{}</code>")
    parts = sentence.split("`")
    return Markup("").join(code.format(part) if odd % 2 else escape(part) for odd, part in enumerate(parts))


def _breakable(name: str) -> Markup:
    """A name that may go on in the next line after each of its words: a narrow screen has no room for it."""
    return Markup("_<wbr>").join(name.split("_"))
