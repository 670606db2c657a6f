"""Tags and caches: nothing stale, nothing twice, and nobody is shown what was another's."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.matches.play import Play
from tests.service.http.table import JSON, NDJSON, Table, lay, named, problem

PARTS = ("", "/log", "/score")


@pytest.fixture
def table(client: FlaskClient, play: Play) -> Table:
    return lay(client, play, seats=2)


def tag_of(table: Table, part: str, who: str | None, **headers: str) -> str:
    return table.get(part, who, headers).headers["ETag"]


def unchanged(table: Table, part: str, who: str | None, tag: str, **headers: str) -> bool:
    answer = table.get(part, who, {"If-None-Match": tag, **headers})
    assert answer.status_code in (200, 304)
    assert (answer.status_code == 304) is (answer.data == b"")
    return answer.status_code == 304


def test_the_tag_of_what_one_viewer_saw_is_not_that_of_what_another_sees(table: Table) -> None:
    """A browser with two tokens offers the tag of the one when it asks with the other."""
    tags = {who: tag_of(table, "", who) for who in table.viewers}
    for who in table.viewers:
        for holder, tag in tags.items():
            same = table.get(who=who).data == table.get(who=holder).data
            assert unchanged(table, "", who, tag) is same, (who, holder)
    assert len({tags["seat:0"], tags["seat:1"], tags[None]}) == 3


def test_the_tag_of_one_form_of_the_log_is_not_that_of_another(table: Table) -> None:
    page, lines = (tag_of(table, "/log", "seat:0", Accept=form) for form in (JSON, NDJSON))
    assert page != lines
    for form in (JSON, NDJSON):
        for tag in (page, lines):
            same = (form == JSON) is (tag == page)
            assert unchanged(table, "/log", "seat:0", tag, Accept=form) is same
    for who in ("seat:1", None):
        assert not unchanged(table, "/log", who, lines, Accept=NDJSON)


@pytest.mark.parametrize("part", PARTS)
def test_a_tag_says_unchanged_until_the_match_goes_on(table: Table, part: str) -> None:
    for _ in range(8):
        who = table.acting
        tag = tag_of(table, part, who)
        version = tag.strip('"').partition("-")[0]
        for known in (tag, f"W/{tag}", f'"{version}"', f'"other", {tag}', f'{tag[:-1]}:gzip"', "*"):
            assert unchanged(table, part, who, known), known
        for other in ('"v0"', '"other"', f'"{version}0"', f'"{version}-{"0" * 16}"', "v1", "", tag[:-2]):
            assert not unchanged(table, part, who, other), other
        table.step()
        assert not unchanged(table, part, who, tag)


def test_a_tag_of_a_read_is_taken_as_the_version_of_a_write_however_it_came(table: Table) -> None:
    for coding in ("identity", "gzip"):
        for weak in ("", "W/"):
            for after in ("", ":gzip", "-gzip", ";zstd"):
                who = table.acting
                tag = tag_of(table, "", who, **{"Accept-Encoding": coding})
                sent = {"If-Match": f'{weak}{tag[:-1]}{after}"'}
                answer = table.send(table.legal(who)[0], who, sent)
                assert answer.status_code == 201, (sent, answer.text)
                stale = table.send(table.legal(table.acting)[0], table.acting, sent)
                assert problem(stale, 412, "stale_version")["current_version"] == table.version


@pytest.mark.parametrize("tag", ['"v1.gz"', '"v1-x"', '"v1-"', '"v1 gzip"', '"v1" , "v2"', '"v1-0123"'])
def test_what_is_no_tag_of_ours_is_refused_as_a_condition_of_a_write(table: Table, tag: str) -> None:
    who = table.acting
    problem(table.send(table.legal(who)[0], who, {"If-Match": tag}), 400, "if_match_invalid")
    assert table.version == 1


def past(table: Table, who: str | None) -> dict[int, Any]:
    """Every version that has passed, as it reads now; the newest is not kept for ever."""
    read = {}
    for version in range(1, table.version):
        answer = table.get(f"?at={version}", who)
        assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"
        assert "Authorization" in answer.headers["Vary"]
        read[version] = answer.data
    for newest in ("", f"?at={table.version}"):
        assert "immutable" not in table.get(newest, who).headers["Cache-Control"]
    return read


@pytest.mark.parametrize("seed", [{}, {"seed": "5eed" * 16}])
def test_what_is_kept_for_ever_never_changes_whatever_happens_later(
    quick_client: FlaskClient, quick_play: Play, seed: dict[str, str]
) -> None:
    table = lay(quick_client, quick_play, [*named("Ann"), {"open": True}], **seed)
    table.client.post(f"{table.url}/seats", json={"name": "Bob"})
    begun = {who: past(table, who) for who in table.viewers}
    halfway: dict[str | None, dict[int, Any]] = {}
    tables = lay(quick_client, quick_play, 2, **seed)
    for moves, _ in enumerate(tables.steps()):
        if moves == 20:
            halfway = {who: past(tables, who) for who in tables.viewers}
    tables.send({"type": "release_seed"}, "host")
    for who in tables.viewers:
        assert past(tables, who).items() >= halfway[who].items()
    assert {who: past(table, who) for who in table.viewers} == begun


def test_a_page_of_the_log_opens_at_the_end_and_is_not_kept_for_ever(
    quick_client: FlaskClient, quick_play: Play
) -> None:
    table = lay(quick_client, quick_play, 2)
    for _ in range(12):
        table.step()
    page = table.get("/log?limit=10")
    assert page.json["next"] is not None
    table.finish()
    later = table.get("/log?limit=10")
    assert later.json["items"] != page.json["items"], "what was sealed is opened"
    assert page.headers["Cache-Control"] == later.headers["Cache-Control"] == "private, no-cache"


def test_the_catalogue_and_the_list_are_tagged_by_what_they_hold(client: FlaskClient, table: Table) -> None:
    for path in ("/v1/games", "/v1/games/whatnot", "/openapi.yaml", "/docs", "/problems"):
        answer = client.get(path)
        assert answer.headers["Cache-Control"] == "public, max-age=300"
        assert client.get(path, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    tag = client.get("/v1/matches").headers["ETag"]
    assert client.get("/v1/matches", headers={"If-None-Match": tag}).status_code == 304
    lay(client, table.play)
    assert client.get("/v1/matches", headers={"If-None-Match": tag}).status_code == 200


def test_a_link_to_the_next_page_keeps_the_filters(client: FlaskClient, play: Play) -> None:
    for _ in range(3):
        lay(client, play)
    page = client.get("/v1/matches?game=whatnot&status=playing&limit=1")
    for _ in range(2):
        target, _, rel = page.headers["Link"].partition(">; ")
        assert rel == 'rel="next"'
        assert "game=whatnot" in target
        assert "status=playing" in target
        page = client.get(target.removeprefix("<"))
        assert len(page.json["items"]) == 1
