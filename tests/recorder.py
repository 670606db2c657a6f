"""Keeps examples of what applications are asked and answer; what chance or time decides is fixed."""

import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, nullcontext
from typing import Any

from flask import Response, current_app, request

from service.http.app import App
from service.http.openapi.description import METHODS
from service.http.openapi.response_headers import ANSWERED
from tests.chance import fix_chance
from tests.service.http.table import NDJSON, PROBLEM

MOMENT = 1_796_000_000_000_000_000  # nanoseconds since 1970: late in November 2026
SSE = "text/event-stream"
TICK = 10_000_000  # nanoseconds between two calls
LONGEST = 8  # things in a list; longer ones are cut
KEPT = 3  # of a longer list, and lines of a text
CURSOR = re.compile(r"\bAg[\w-]{200,}")  # sealed positions: they hold the time of the store
STEADY = "AgGiKfE-npIBcx18hCp2HWR_V-qgneYMFz_rjngt5VgQ0F8j"  # what stands for a cursor


class Recorder:
    """Hears what every application is asked and answers, as it leaves, and keeps examples."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {"requests": {}, "answers": {}, "problems": {}}
        self._asked = Counter[str]()
        begin, end = App.preprocess_request, App.process_response
        App.preprocess_request = lambda app: self._begin() or begin(app)  # type: ignore[method-assign]
        App.process_response = lambda app, answer: self._keep(end(app, answer))  # type: ignore[method-assign]

    def begin_anew(self) -> None:
        """As if nothing had been asked: what is drawn, and the time, begin anew."""
        self._asked.clear()

    def _begin(self) -> None:
        asked = f"{request.method} {request.full_path}"
        self._asked[asked] += 1
        fix_chance(f"{asked} {self._asked[asked]}")
        moment = MOMENT + TICK * self._asked.total()
        time.time_ns = lambda: moment

    def _keep(self, response: Response) -> Response:
        headers = {name for name in ANSWERED if name in response.headers}
        if response.mimetype == PROBLEM:
            self._keep_problem(response.get_json(), headers)
        elif (name := operation_id()) is not None:
            self._keep_answer(name, response, headers)
        return response

    def _keep_problem(self, document: Any, headers: set[str]) -> None:
        had = self.kept["problems"].setdefault(document["code"], {"headers": [], "value": short(document)})
        had["headers"] = sorted({*had["headers"], *headers})

    def _keep_answer(self, name: str, response: Response, headers: set[str]) -> None:
        had = self.kept["answers"].setdefault(name, {}).setdefault(str(response.status_code), {"headers": []})
        had["headers"] = sorted({*had["headers"], *headers})
        content = had.setdefault("content", {})
        if response.is_json:
            content.setdefault(response.mimetype, short(response.get_json()))
        elif response.is_streamed:
            response.response = heard(response.response, response.mimetype, content)
        elif text := response.get_data(as_text=True):
            content.setdefault(response.mimetype, first_lines(text, response.mimetype))
        if request.is_json and response.status_code < 300:
            body = request.get_json()
            self.kept["requests"].setdefault(name, {}).setdefault(kind_of(body), body)


def operation_id() -> str | None:
    """The operation that answers the current request."""
    if request.url_rule is None or request.method.lower() not in METHODS:
        return None
    view: Any = current_app.view_functions[request.endpoint or ""]
    told: dict[str, Any] = getattr(view, "_apidoc", {}).get("manual_doc", {})
    return told.get("operationId")


def kind_of(body: Any) -> str:
    """What a body is an example of: a command's type, a batch, or the one kind there is."""
    return "batch" if isinstance(body, list) else str(body.get("type", "request"))


def heard(pieces: Any, kind: str, content: dict[str, Any]) -> Iterator[bytes]:
    """The pieces of an answer; when they are through, its first lines are kept."""
    text = b""
    with closing(pieces) if hasattr(pieces, "close") else nullcontext():
        for piece in pieces:
            sent = piece.encode() if isinstance(piece, str) else piece
            text += sent
            yield sent
    content.setdefault(kind, first_lines(text.decode(), kind))


def first_lines(text: str, kind: str) -> str:
    """The first lines of a text, those of JSON with their long lists cut; of a stream the first events."""
    if kind == SSE:
        return "".join(f"{event}\n\n" for event in text.split("\n\n")[:KEPT] if event)
    lines = text.splitlines(keepends=True)[:KEPT]
    if kind == NDJSON:
        lines = [json.dumps(short(json.loads(line)), separators=(",", ":")) + "\n" for line in lines]
    return "".join(lines)


def short(value: Any) -> Any:
    """A value with its long lists cut."""
    if isinstance(value, dict):
        return {name: short(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [short(inner) for inner in (value if len(value) <= LONGEST else value[:KEPT])]
    return value
