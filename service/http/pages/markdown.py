"""Texts in Markdown: as they are for programs and editors, a page for people."""

import re
from collections.abc import Callable
from functools import cache

from flask import Response
from markdown_it import MarkdownIt
from markupsafe import Markup
from mdit_py_plugins.anchors import anchors_plugin

from service.http.pages.rendering import CACHED, HTML, page
from service.http.protocol.common_headers import vary
from service.http.protocol.content_negotiation import best_form
from service.http.protocol.etags import content_tag

MARKDOWN = "text/markdown"


def reads_page() -> bool:
    """Whether a browser asks; everyone else reads Markdown, even who does not accept it.

    A program that accepts only JSON, wherever `rule_url` leads, is better off with a text than with a 406.
    """
    return best_form([MARKDOWN, HTML]) == HTML


def as_markdown(text: str) -> Response:
    """A text as it is."""
    written = text.encode()
    headers = {"Cache-Control": CACHED, "ETag": content_tag(written)}
    response = Response(written, headers=headers, content_type=f"{MARKDOWN}; charset=utf-8")
    vary(response, "Accept")
    return response


def as_page(title: str, text: str, slug: Callable[[str], str]) -> Response:
    """A text as a page; `slug` makes the id of a heading from its words."""
    return page("text.html", title=title, text=Markup(_rendered(text, slug)))  # noqa: S704  our own text


def words_with_dashes(heading: str) -> str:
    """The id of a heading of rules, as in `#w5` and `#column_occupied`."""
    return "-".join(heading.lower().split())


def as_on_github(heading: str) -> str:
    """The id that GitHub gives a heading, where the guides are read too."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@cache
def _rendered(text: str, slug: Callable[[str], str]) -> str:
    markdown = MarkdownIt("commonmark").enable("table").use(anchors_plugin, max_level=4, slug_func=slug)
    html: str = markdown.render(text)
    return html
