"""`python -m tests.recorded FILE` plays the calls of the contract's tests and keeps what they were answered.

The first body and the first answer of each kind become the examples of `openapi.yaml`; which headers came
with an answer, and its problems by code, are kept too. Everything that chance or the clock decides is
fixed, so that the same code writes the same file: `--check` finds drift.
"""

import json
import logging
import os
import random
import sys
import tempfile
import time
from collections import Counter
from hashlib import shake_256
from pathlib import Path
from typing import Any

from flask import Flask, Response, current_app, request

from domain.games import games
from service.embedded import EmbeddedServer
from service.http.answered import ANSWERED
from service.http.description import METHODS
from tests.service.http import test_openapi
from tests.service.http.table import NDJSON, PROBLEM, another_process

MOMENT = 1_796_000_000_000_000_000  # nanoseconds since 1970: late in November 2026
LONGEST = 8  # things in a list; longer ones are cut
KEPT = 3  # of a longer list, and lines of a text


class Recorder:
    """Watches applications and keeps examples."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {"requests": {}, "answers": {}, "problems": {}}

    def watch(self, app: Flask) -> "Recorder":
        """Keep what this application is asked and answers, as it leaves; each call draws anew."""
        calls = Counter[str]()

        def begin() -> None:
            asked = f"{request.method} {request.full_path}"
            calls[asked] += 1
            fix_chance(f"{asked} {calls[asked]}")

        app.before_request_funcs.setdefault(None, []).insert(0, begin)
        app.after_request_funcs.setdefault(None, []).insert(0, self._keep)
        return self

    def _keep(self, response: Response) -> Response:
        headers = {name for name in ANSWERED if name in response.headers}
        if response.mimetype == PROBLEM:
            problem = self.kept["problems"].setdefault(
                response.get_json()["code"], {"headers": [], "value": short(response.get_json())}
            )
            problem["headers"] = sorted({*problem["headers"], *headers})
        elif (name := operation_id()) is not None:
            self._keep_answer(name, response, headers)
        return response

    def _keep_answer(self, name: str, response: Response, headers: set[str]) -> None:
        had = self.kept["answers"].setdefault(name, {}).setdefault(str(response.status_code), {"headers": []})
        had["headers"] = sorted({*had["headers"], *headers})
        if response.status_code != 304:
            had.setdefault("content", {}).setdefault(response.mimetype, shown(response))
        if request.is_json and response.status_code < 300:
            body = request.get_json()
            self.kept["requests"].setdefault(name, {}).setdefault(kind_of(body), body)


def operation_id() -> str | None:
    """The operation that answers the current request."""
    if request.url_rule is None or request.method.lower() not in METHODS:
        return None
    view: Any = current_app.view_functions[request.endpoint or ""]
    return str(view._apidoc["manual_doc"]["operationId"])


def kind_of(body: Any) -> str:
    """What a body is an example of: a command's type, a batch, or the one kind there is."""
    return "batch" if isinstance(body, list) else str(body.get("type", "request"))


def shown(response: Response) -> Any:
    """A body as an example: JSON, or the first lines of a text."""
    if response.is_json:
        return short(response.get_json())
    lines = response.get_data(as_text=True).splitlines(keepends=True)[:KEPT]
    if response.mimetype == NDJSON:
        lines = [json.dumps(short(json.loads(line)), separators=(",", ":")) + "\n" for line in lines]
    return "".join(lines)


def short(value: Any) -> Any:
    """A value with its long lists cut."""
    if isinstance(value, dict):
        return {name: short(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [short(inner) for inner in (value if len(value) <= LONGEST else value[:KEPT])]
    return value


def fix_chance(occasion: str) -> None:
    """From now on what the operating system draws is the same for the same occasion."""
    drawn = Counter[str]()

    def draw(count: int) -> bytes:
        drawn[occasion] += 1
        return shake_256(f"{occasion}/{drawn[occasion]}".encode()).digest(count)

    random._urandom = os.urandom = draw  # type: ignore[attr-defined]


def record() -> str:
    """All examples, as they are written."""
    time.time_ns = lambda: MOMENT
    logging.disable()  # of the failures that are brought about
    recorder = Recorder()
    with tempfile.TemporaryDirectory() as folder, EmbeddedServer(Path(folder)) as server:
        for game in games().values():
            for _ in test_openapi.read_everything(*fresh(server, recorder), game.seats[0], game=game.name):
                pass
        test_openapi.refuse_before_and_after_the_end(*fresh(server, recorder))
        fresh(server, recorder)
        test_openapi.fail_at_everything(server, recorder.watch)
    return json.dumps(recorder.kept, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def fresh(server: EmbeddedServer, recorder: Recorder) -> Any:
    """A client and the use cases of an application that is watched, over an empty store."""
    client, play = another_process(server)
    play.journal.client.flushall()  # type: ignore[attr-defined]
    recorder.watch(client.application)
    return client, play


def main(*words: str) -> int:
    """Write the file, or compare it."""
    file = Path(words[-1])
    if "--check" not in words:
        file.write_text(record(), encoding="utf-8")
        return 0
    if file.read_text(encoding="utf-8") == record():
        return 0
    print(f"{file} has drifted from what calls are answered: run `make openapi`.")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
