"""A player's name over HTTP: told to who may see the match, and to nobody once it is forgotten."""

from typing import Any

import orjson
from flask.testing import FlaskClient

from service.bootstrap import bootstrap
from service.http.app import create_app
from service.log.names import FIELD, FORGOTTEN
from service.log.verify import verify
from service.matches.play import Play
from service.redis_store.journal import RedisJournal
from tests.service.http.crawl import answers
from tests.service.http.stream_reader import AT_ONCE
from tests.service.http.table import Table, lay, post, private_table

ADA = "Ada of the Many Cupboards"
SEATS: list[dict[str, Any]] = [{"name": ADA}, {"open": True}]


def forget(table: Table, handle: str) -> None:
    """By hand, as whoever runs the service would."""
    journal: Any = table.play.journal
    assert journal.client.hdel(journal.keys.of_match(table.id, "head"), FIELD + handle) == 1


def names(table: Table, who: str | None, part: str = "") -> list[str | None]:
    return [seat["name"] for seat in table.get(part, who).json["seats"]]


def told(table: Table, who: str | None) -> set[str]:
    """The parts of the match in which somebody finds the name."""
    return {answer.request.full_path for answer in answers(table, who) if ADA in answer.text}


def test_everybody_who_may_see_a_match_is_told_its_names_and_nobody_else(
    quick_client: FlaskClient, quick_play: Play
) -> None:
    client, play = quick_client, quick_play
    for make in (private_table, lay):  # a public match is on the list, with its names
        table = make(client, play, SEATS)
        code = None if table.get().status_code == 200 else table.invite()
        seated = post(client, f"{table.url}/seats", {"name": "Zoe"} | ({"invite": code} if code else {}))
        table.tokens.update(seated.json["tokens"])
        viewers = [*table.tokens, *([None] if code is None else [])]
        for who in viewers:
            assert names(table, who) == [ADA, "Zoe"]
            assert names(table, who, "?at=1") == [ADA, None]
            assert len(told(table, who)) >= 6
            opened = table.get("/log", who).json["items"][0]["opened"]
            assert {opened[f"{where}/seats/0/name"]["value"] for where in ("/command", "/events/0")} == {ADA}
        assert code is None or told(table, None) == set()


def test_a_forgotten_name_is_told_to_nobody_by_whatever_process_knew_it(journal: RedisJournal) -> None:
    play = Play(journal)
    client = create_app(bootstrap(journal.client, play=play), AT_ONCE).test_client()
    table = lay(client, play, SEATS)
    seated = post(client, f"{table.url}/seats", {"name": "Zoe"})
    table.tokens.update(seated.json["tokens"])
    for _ in range(5):
        table.step()
    before = [orjson.loads(line).get("hash") for line in table.export()]
    assert told(table, "seat:1")
    forget(table, "1:0")
    for who in table.viewers:
        assert names(table, who) == [FORGOTTEN, "Zoe"]
        assert names(table, who, "?at=1") == [FORGOTTEN, None]
        assert told(table, who) == set()
    assert [orjson.loads(line).get("hash") for line in table.export()] == before
    assert not verify(table.export()).complete
    table.finish()
    assert verify(table.export()).complete
    assert [told(table, who) for who in table.viewers] == [set()] * len(table.viewers)
