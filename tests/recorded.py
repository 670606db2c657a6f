"""`python -m tests.recorded FILE` makes the calls of the contract's tests and keeps what they were answered.

The first body and the first answer of each kind become the examples of `openapi.yaml`; which headers came
with an answer, and its problems by code, are kept too. The same code writes the same file: `--check` finds
drift.
"""

import json
import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

from domain.games import games
from service.clock import iso
from service.matches.play import Play
from service.run.embedded import EmbeddedServer
from service.settings import Settings
from service.webhooks.messages import body, news, ping_body
from tests.installed import only_ours
from tests.recorder import CURSOR, STEADY, Recorder
from tests.service.http.contract import Contract
from tests.service.http.openapi import test_openapi as tests
from tests.service.http.table import another_process, lay

EXAMPLE_MS = 1_796_000_000_000


def record() -> str:
    """All examples, as they are written."""
    for setting in fields(Settings):
        os.environ.pop(setting.name.upper(), None)  # whatever is set where this runs: all is as by default
    recorder = Recorder()
    logging.disable()  # of the failures that are brought about
    Contract._flaws = lambda *_: iter(())  # type: ignore[method-assign]  # it judges when the tests run as tests
    with tempfile.TemporaryDirectory() as folder, EmbeddedServer(Path(folder)) as server, only_ours():
        for game in games().values():
            with anew(server, recorder) as (client, play):
                table = lay(client, play, game.seats[0], game=game.name).finish()
                recorder.kept.setdefault("webhooks", {}).update(told(play, table.id))
        with anew(server, recorder) as (client, play):
            table = lay(client, play)
            table.send({"type": "close_match"}, "host")
            recorder.kept["webhooks"] |= {"match.closed": told(play, table.id)["match.closed"]}
        recorder.kept["webhooks"]["ping"] = json.loads(ping_body("h_" + "a" * 26, iso(EXAMPLE_MS)))
        with anew(server, recorder) as (client, play):
            contract = Contract(client.application)
            tests.test_every_answer_of_a_whole_match_is_as_documented(contract, client, play, 3)
        with anew(server, recorder) as (client, play):
            contract = Contract(client.application)
            tests.test_every_refusal_that_can_be_had_is_documented_where_it_was_had(contract, client, play)
        with anew(server, recorder):
            tests.test_what_a_broken_store_makes_us_answer_is_documented_too(server)
    text = json.dumps(recorder.kept, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    return CURSOR.sub(STEADY, text)


def told(play: Play, match: str) -> dict[str, Any]:
    """What webhooks are told of a match, the first of each kind."""
    found: dict[str, Any] = {}
    before = None
    for version in range(1, play.load(match).version + 1):
        loaded = play.at(match, version)
        for kind, more in news(before, loaded.state):
            found.setdefault(kind, json.loads(body(kind, iso(EXAMPLE_MS), loaded, more)))
        before = loaded.state
    return found


@contextmanager
def anew(server: EmbeddedServer, recorder: Recorder) -> Iterator[Any]:
    """A client and the use cases of an application over an empty store; what answers should be is let be."""
    client, play = another_process(server)
    play.journal.client.flushall()  # type: ignore[attr-defined]
    recorder.begin_anew()
    with suppress(AssertionError):
        yield client, play


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
