"""The public list by game and status, over every journal: moved with the commit, cheap at any size."""

from collections.abc import Sequence
from functools import partial
from random import Random

import pytest

from domain.match.state import STATUSES
from service.store.journal import Conflict, Head, Journal, Listed, place_of
from service.store.redis_journal import RedisJournal
from tests.service.store.appends import NOW, appending, head_after
from tests.service.store.counting import Counted

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
