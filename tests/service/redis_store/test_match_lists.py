"""The lists of matches, over every journal: moved with the commit, cheap at any size."""

from collections.abc import Sequence
from functools import partial
from random import Random

import pytest

from domain.match.state import STATUSES
from service.redis_store.journal import RedisJournal
from service.store.journal import Conflict, Head, Journal, Listed, place_of
from tests.service.redis_store.appends import NOW, appending, head_after
from tests.service.redis_store.counting import Counted

GAMES = ("whatnot", "nonsense", "drawer")
MATCHES = [f"m_{number:03}" for number in range(60)]


def laid(journal: Journal, match: str, number: int, game: str, status: str) -> Head:
    place = place_of(match, NOW + number)
    first = appending(match, fields={"game": game, "status": status, "place": place})
    journal.append(first)
    return head_after(first)


def moved(journal: Journal, match: str, head: Head, status: str) -> Head:
    later = appending(match, head, fields={"status": status})
    journal.append(later)
    return head_after(later)


def everything(journal: Journal, size: int, game: str, status: str) -> list[Listed]:
    listed, before = list[Listed](), None
    while page := journal.listing(before, size, game, status):
        assert len(page) <= size
        listed += page
        before = page[-1].place
    return listed


def test_every_filter_gives_exactly_its_matches_newest_first_in_pages_of_any_size(
    any_journal: Journal,
) -> None:
    dice, now = Random(9), dict[str, tuple[str, str]]()
    for number, match in enumerate(MATCHES):
        game = dice.choice(GAMES)
        head = laid(any_journal, match, number, game, "open")
        for status in ("playing", "scoring", "finished")[: dice.randrange(4)]:
            head = moved(any_journal, match, head, status)
            now[match] = game, status
        now.setdefault(match, (game, "open"))
    any_journal.append(appending("m_hidden", fields={"game": "whatnot", "status": "open"}))
    for game in ("", *GAMES, "chess"):
        for status in ("", *STATUSES):
            wanted = [m for m in MATCHES[::-1] if game in ("", now[m][0]) and status in ("", now[m][1])]
            for size in (1, 7, 100):
                listed = everything(any_journal, size, game, status)
                assert [row.match for row in listed] == wanted, (game, status, size)
                assert all((row.game, row.status) == now[row.match] for row in listed)


def test_a_commit_that_is_refused_moves_nothing_in_the_list(any_journal: Journal) -> None:
    head = laid(any_journal, "m_one", 0, "whatnot", "open")
    refused = any_journal.append(appending("m_one", Head(), tag="late", fields={"status": "closed"}))
    assert isinstance(refused, Conflict)
    assert [row.match for row in any_journal.listing(None, 5, status="open")] == ["m_one"]
    moved(any_journal, "m_one", head, "closed")
    assert any_journal.listing(None, 5, status="open") == []
    assert [row.status for row in any_journal.listing(None, 5)] == ["closed"]


def owned(journal: Journal, match: str, number: int, owner: str, **fields: str) -> Head:
    listed = {"game": "whatnot", "status": "open", "owner": owner, "created": place_of(match, NOW + number)}
    first = appending(match, fields={**listed, **fields})
    journal.append(first)
    return head_after(first)


def test_an_owner_has_a_list_of_their_own_that_is_in_no_other(any_journal: Journal) -> None:
    head = owned(any_journal, "m_one", 1, "k_1")
    owned(any_journal, "m_two", 2, "k_1", place=place_of("m_two", NOW + 2))
    owned(any_journal, "m_three", 3, "k_10")
    any_journal.append(appending("m_old", fields={"game": "whatnot", "status": "open", "owner": "k_1"}))

    def listed(owner: str, status: str = "", game: str = "") -> list[str]:
        return [row.match for row in any_journal.listing(None, 5, game, status, owner)]

    assert (listed("k_1"), listed("k_10"), listed("k")) == (["m_two", "m_one"], ["m_three"], [])
    assert listed("") == ["m_two"]
    assert listed("", game="k_1") == []
    moved(any_journal, "m_one", head, "closed")
    assert (listed("k_1", "closed"), listed("k_1", "open"), listed("k_10", "closed")) == (
        ["m_one"],
        ["m_two"],
        [],
    )
    page = any_journal.listing(place_of("m_two", NOW + 2), 5, owner="k_1")
    assert [row.match for row in page] == ["m_one"]


def test_a_token_leads_to_its_match_until_it_is_replaced_or_taken_away(any_journal: Journal) -> None:
    one = appending(
        "m_one", fields={"game": "whatnot", "status": "open", "token:host": "aa", "created": "7-m_one"}
    )
    any_journal.append(one)
    any_journal.append(appending("m_two", fields={"game": "drawer", "status": "open", "token:host": "ab"}))

    def held(token: str) -> str | None:
        row = any_journal.held(token)
        return None if row is None else row.match

    assert [held(token) for token in ("aa", "ab", "a", "ac", "")] == ["m_one", "m_two", None, None, None]
    second = appending("m_one", head_after(one), fields={"token:host": "ac", "token:seat:0": "ad"})
    any_journal.append(second)
    assert [held(token) for token in ("aa", "ac", "ad")] == [None, "m_one", "m_one"]
    any_journal.append(appending("m_one", head_after(second), fields={"token:seat:0": ""}))
    assert [held(token) for token in ("ac", "ad")] == ["m_one", None]
    late = appending("m_one", Head(), tag="late", fields={"token:host": "ae"})
    assert isinstance(any_journal.append(late), Conflict)
    assert (held("ac"), held("ae")) == ("m_one", None)


def test_a_row_has_what_a_list_says_of_its_match_and_neither_secrets_nor_tokens(any_journal: Journal) -> None:
    shown = {"lobby": "{}", "to_act": "0", "name:1:0": "ab Ann"}
    hidden = {"seed": "s", "sealing_key": "k", "token:host": "aa"}
    owned(any_journal, "m_one", 1, "k_1", place=place_of("m_one", NOW + 1), **shown, **hidden)
    rows = [*any_journal.listing(None, 5), *any_journal.listing(None, 5, owner="k_1"), any_journal.held("aa")]
    for row in rows:
        assert row is not None
        assert row.fields == {
            **shown,
            "game": "whatnot",
            "status": "open",
            "version": "1",
            "created": place_of("m_one", NOW + 1),
        }


def test_a_match_stands_in_the_list_four_times_whatever_becomes_of_it(stored_journal: RedisJournal) -> None:
    head = laid(stored_journal, "m_one", 0, "whatnot", "open")
    for status in ("playing", "scoring", "finished"):
        head = moved(stored_journal, "m_one", head, status)
        rows = stored_journal.client.zrange(stored_journal.keys.shared("m_one", "public"), 0, -1)
        assert len(rows) == 4
        assert all(row.endswith(f"/whatnot/{status}".encode()) for row in rows)


def test_a_page_costs_the_same_however_many_matches_there_are(
    stored_journal: RedisJournal, counted: Counted
) -> None:
    partitions = stored_journal.keys.partitions

    def costs() -> Sequence[int]:
        filters = (("", ""), ("", "open"), ("whatnot", "finished"), ("drawer", "closed"))
        return [counted(partial(stored_journal.listing, None, 51, *each)) for each in filters]

    for number in range(1000):
        laid(stored_journal, f"m_{number}", number, "whatnot", "finished" if number % 50 else "open")
        if number == 40:
            few = costs()
    many = costs()
    assert max(few) <= 2 * partitions + 51, (
        "each partition is asked, a few of them twice, and the heads of the page"
    )
    assert max(many) <= 2 * partitions + 51
    assert [row.status for row in stored_journal.listing(None, 51, status="open")] == ["open"] * 20


@pytest.mark.parametrize("count", [1, 51, 201])
def test_a_list_that_lies_in_one_partition_is_read_in_two_trips(
    stored_journal: RedisJournal, counted: Counted, count: int
) -> None:
    keys, names = stored_journal.keys, (f"m_{number}" for number in range(100_000))
    own = keys.shared("m_0", "public")
    matches = [name for name in names if keys.shared(name, "public") == own][:300]
    for number, match in enumerate(matches):
        laid(stored_journal, match, number, "whatnot", "open")
    assert [row.match for row in stored_journal.listing(None, count)] == matches[::-1][:count]
    assert counted(lambda: stored_journal.listing(None, count)) <= keys.partitions + 1 + count
