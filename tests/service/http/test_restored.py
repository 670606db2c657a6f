"""A store that was restored from an older copy: nothing of the history it lost is confirmed to anybody."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient

from service.auth.api_keys import new_key
from service.clock import now
from service.live import feed_cursor
from service.matches.play import Play
from service.redis_store.api_keys import RedisApiKeys
from service.redis_store.deployment import RedisDeployment
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from tests.service.http.stream_reader import AT_ONCE, SSE, TALKATIVE, all_events, app_with, events, id_of
from tests.service.http.table import JSON, NDJSON, Table, another_process, lay, problem
from tests.service.redis_store.restoring import copied

PARTS = ("", "/log", "/score", "?at=2", "?at=3")


def go_on(table: Table, steps: int, nth: int) -> None:
    """So many commits, each the n-th that is legal."""
    for _ in range(steps):
        who = table.acting
        listed = table.legal(who)
        assert table.send(listed[min(nth, len(listed) - 1)], who).status_code == 201


@dataclass(frozen=True)
class Lost:
    """A match, and what somebody was told of the three commits that its store has lost."""

    table: Table
    restore: Callable[[], None]
    log: list[bytes]
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def match(self) -> Any:
        """The last commit that was seen."""
        return orjson.loads(self.log[-1])


@pytest.fixture
def lost(client: FlaskClient, play: Play, journal: RedisJournal) -> Lost:
    table = lay(client, play)
    put_back = copied(journal)
    go_on(table, 3, 0)
    tags = {part: table.get(part).headers["ETag"] for part in PARTS}
    return Lost(table, put_back, table.export()[1:], tags)


@pytest.fixture(params=["the process that saw it", "another process"])
def now_at(request: pytest.FixtureRequest, lost: Lost, server: EmbeddedServer) -> Table:
    """The match after the store was restored, and went on as far as it had been with other commits."""
    lost.restore()
    elsewhere = Table(*another_process(server), lost.table.id, lost.table.tokens)
    go_on(elsewhere, 3, 5)
    assert elsewhere.export()[1:] != lost.log
    return lost.table if request.param == "the process that saw it" else elsewhere


def test_no_tag_of_the_lost_history_is_confirmed(lost: Lost, now_at: Table) -> None:
    for part, tag in lost.tags.items():
        answer = now_at.get(part, headers={"If-None-Match": tag})
        assert answer.status_code == 200, part
        assert answer.headers["ETag"] != tag
        assert now_at.get(part, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_a_command_meant_for_the_lost_version_is_stale_at_the_same_number(lost: Lost, now_at: Table) -> None:
    who = now_at.acting
    body, here = now_at.legal(who)[0], now_at.get().headers["ETag"]
    for tag in (lost.tags[""], f'"v4-{lost.match["hash"][:16]}"'):
        for query in ("", "?dry_run=true"):
            stale = now_at.send(body, who, {"If-Match": tag}, part=f"/commands{query}")
            document = problem(stale, 412, "stale_version")
            assert document["current_version"] == 4
            assert here.startswith(stale.headers["ETag"][:-1])
            problem(now_at.client.get(document["changes"], headers={"Accept": JSON}), 410, "history_lost")
    assert now_at.send(body, who, {"If-Match": here}).status_code == 201


def test_no_id_of_an_event_and_no_link_of_the_lost_history_is_gone_on_from(lost: Lost, now_at: Table) -> None:
    for line in lost.log[1:]:
        id_ = id_of(line)
        version, _, digits = id_.partition("-")
        problem(now_at.get("/log", headers={"Accept": SSE, "Last-Event-ID": id_}), 410, "history_lost")
        for query, form in (("", JSON), ("&wait=1", JSON), ("", NDJSON), ("&follow=true", NDJSON), ("", SSE)):
            path = f"/log?after={version}&after_hash={digits}{query}"
            problem(now_at.get(path, headers={"Accept": form}), 410, "history_lost")
    still = now_at.export()[1:]
    assert [
        event.id
        for event in all_events(
            app_with(now_at.play, AT_ONCE), now_at, None, Last_Event_ID=id_of(lost.log[0])
        )
    ][1:] == list(map(id_of, still[1:]))


def test_a_version_ahead_of_a_restored_match_is_of_the_lost_history(lost: Lost) -> None:
    lost.restore()
    assert lost.table.version == 1
    problem(
        lost.table.get("/log", headers={"Accept": SSE, "Last-Event-ID": id_of(lost.log[-1])}),
        410,
        "history_lost",
    )
    who = lost.table.acting
    problem(lost.table.send(lost.table.legal(who)[0], who, {"If-Match": lost.tags[""]}), 412, "stale_version")


def test_what_every_process_shows_is_what_is_stored(
    lost: Lost, now_at: Table, server: EmbeddedServer
) -> None:
    third = Table(*another_process(server), now_at.id, now_at.tokens)
    for part in ("", "?at=1", *PARTS):
        assert now_at.get(part).data == third.get(part).data
    assert now_at.export() == third.export()
    assert lost.table.step()
    assert now_at.get().data == third.get().data


def test_the_pages_of_a_log_link_to_what_follows_in_the_same_history(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    go_on(table, 5, 0)
    found, path = list[Any](), f"{table.url}/log?limit=2"
    while path:
        page = client.get(path, headers={"Accept": JSON}).json
        assert page["next"] != path
        found += page["items"]
        path = page["next"]
    assert found == [orjson.loads(line) for line in table.export()[1:]]
    problem(table.get("/log?after_hash=0123456789abcdef"), 422, "validation_error")
    problem(table.get("/log?after=1&after_hash=xyz"), 422, "validation_error")


def test_a_stream_that_has_told_of_the_lost_history_ends_and_tells_nothing_of_the_other(
    lost: Lost, play: Play, server: EmbeddedServer
) -> None:
    app = app_with(play, TALKATIVE)
    with events(app, f"{lost.table.url}/log?after=0") as stream:
        told = [next(stream) for _ in range(5)]
        lost.restore()
        go_on(Table(*another_process(server), lost.table.id, lost.table.tokens), 4, 5)
        for event in stream:
            told.append(event)
            assert event.event != "commit", (
                "nothing of the other history is told to who has seen the lost one"
            )
    assert [event.id for event in told if event.event == "commit"] == list(map(id_of, lost.log))
    app.extensions["broadcaster"].close()


@pytest.fixture
def key(journal: RedisJournal) -> dict[str, str]:
    return {
        "Authorization": f"Bearer {new_key(RedisApiKeys(journal.client), 'a tool', (), 0)[1]}",
        "Accept": JSON,
    }


def test_a_cursor_of_the_feed_that_has_seen_the_lost_history_is_refused(
    key: dict[str, str], client: FlaskClient, play: Play, journal: RedisJournal, server: EmbeddedServer
) -> None:
    table, quiet = lay(client, play), lay(client, play)
    beginning = feed_cursor.written(
        (b"0-0",) * journal.keys.partitions, now(), RedisDeployment(journal.client).secret()
    )
    at_copy = client.get(f"/v1/feed?cursor={beginning}", headers=key).json["cursor"]
    from_now = client.get("/v1/feed", headers=key).json["cursor"]
    put_back = copied(journal)
    go_on(table, 3, 0)
    seen = client.get(f"/v1/feed?cursor={at_copy}", headers=key).json
    assert [item["version"] for item in seen["items"]] == [2, 3, 4]
    put_back()
    for steps in (0, 4):
        go_on(table, steps, 5)
        for process in (client, another_process(server)[0]):
            refused = process.get(f"/v1/feed?cursor={seen['cursor']}", headers=key)
            problem(refused, 410, "history_lost")
            streamed = process.get(
                "/v1/feed", headers={**key, "Accept": SSE, "Last-Event-ID": seen["cursor"]}
            )
            problem(streamed, 410, "history_lost")
    for good in (at_copy, from_now, beginning):
        found = client.get(f"/v1/feed?cursor={good}", headers=key).json["items"]
        assert [item["version"] for item in found if item["match"] == table.id][-4:] == [2, 3, 4, 5]
    assert quiet.get().status_code == 200


def test_a_cursor_whose_entries_were_trimmed_in_their_time_still_leads_on(
    key: dict[str, str], client: FlaskClient, play: Play, journal: RedisJournal
) -> None:
    table = lay(client, play)
    feed = journal.keys.shared(table.id, "feed")
    long_ago = b"1000-0"
    journal.client.delete(feed)
    journal.client.set(journal.keys.shared(table.id, "trimmed"), long_ago)
    positions = tuple(long_ago if name == feed else b"0-0" for name in journal.keys.every("feed"))
    here = feed_cursor.written(positions, now(), RedisDeployment(journal.client).secret())
    assert client.get(f"/v1/feed?cursor={here}", headers=key).json["items"] == []
    go_on(table, 1, 0)
    assert [item["version"] for item in client.get(f"/v1/feed?cursor={here}", headers=key).json["items"]] == [
        2
    ]


def test_a_stream_of_all_matches_that_has_told_of_the_lost_history_ends_when_the_store_is_back(
    own_server: EmbeddedServer,
) -> None:
    client, play = another_process(own_server)
    journal: Any = play.journal
    app, table = app_with(play, TALKATIVE), lay(client, play)
    shown = new_key(RedisApiKeys(journal.client), "a tool", (), 0)[1]
    put_back = copied(journal)
    with events(app, "/v1/feed", {"Authorization": f"Bearer {shown}"}) as stream:
        next(stream)
        go_on(table, 2, 0)
        told = [next(stream) for _ in range(2)]
        while not any(
            orjson.loads(event.data).get("version") == 3 for event in told if event.event == "commit"
        ):
            told.append(next(stream))
        put_back()
        own_server.stop()
        own_server.start()
        for event in stream:
            assert event.event != "commit"
    app.extensions["broadcaster"].close()
