"""Every route of an application with a path that it answers, so that what holds for all is asked of all."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from flask import Flask

from service.http.middleware.contract_guard import promises
from service.http.pages.assets import url_of
from tests.service.http.table import Table, post

ASSET = "/docs/<digest>/<name>"
PICTURE = "/docs/<name>.svg"
DOCUMENT = {"game": "whatnot", "code": "match_over", "guide": "verifying"}


@dataclass(frozen=True)
class Route:
    """A rule of the application, a path that leads to it, its methods and the forms that are promised."""

    rule: str
    path: str
    methods: frozenset[str]
    forms: tuple[str, ...]
    refuses: bool  # who accepts none of its forms

    @property
    def who(self) -> str:
        """Who may call it."""
        if "/invite" in self.rule:
            return "host"
        return "key" if self.rule.startswith(("/v1/feed", "/v1/webhooks")) else "seat:0"

    @property
    def reads(self) -> bool:
        return "GET" in self.methods


def routes(app: Flask, table: Table) -> list[Route]:
    """All of them; a part of a path that is not known here is `x`, which is answered as well as any."""
    return list(_routes(app, table))


def _webhook(table: Table) -> str:
    """A webhook of whoever holds the key."""
    if "key" not in table.tokens:
        return "x"
    made = post(table.client, "/v1/webhooks", {"url": "https://8.8.8.8/"}, table.bearer("key"))
    return str(made.json["id"])


def _routes(app: Flask, table: Table) -> Iterator[Route]:
    known = {**DOCUMENT, "match_id": table.id, "webhook_id": _webhook(table)}
    gathered: dict[str, set[str]] = {}
    for rule in app.url_map.iter_rules():
        gathered.setdefault(rule.rule, set()).update(rule.methods or ())
    promised = promises(app)
    for rule, methods in gathered.items():
        path = re.sub(r"<(int:)?(\w+)>", lambda part: "0" if part[1] else known.get(part[2], "x"), rule)
        if rule == ASSET:
            path = url_of("pages.css")
        if rule == PICTURE:
            path = "/docs/architecture.svg"
        kept = promised.get((rule, "GET"))
        yield Route(
            rule, path, frozenset(methods), kept.forms if kept else (), kept is not None and kept.refuses
        )
