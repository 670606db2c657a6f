"""What every journal promises of reading, whatever it is kept in: commits, fields, snapshots, the list."""

from dataclasses import replace

from service.log.record import Entry
from service.store.journal import Accepted, Conflict, Done, Head, Journal, place_of
from tests.service.redis_store.appends import NOW, appending, head_after

MATCH = "m_one"


def test_fields_are_set_kept_and_removed(any_journal: Journal) -> None:
    head = Head()
    steps: list[tuple[dict[str, str], dict[str, str]]] = [
        ({"seed": "aa", "status": "open"}, {"seed": "aa", "status": "open"}),
        ({}, {"seed": "aa", "status": "open"}),
        ({"status": "playing", "token:0": "ff"}, {"seed": "aa", "status": "playing", "token:0": "ff"}),
        ({"seed": "", "never": ""}, {"status": "playing", "token:0": "ff"}),
    ]
    for fields, wanted in steps:
        append = appending(MATCH, head, fields=fields)
        assert any_journal.append(append) == Accepted()
        assert any_journal.head(MATCH).fields == any_journal.open(MATCH)[0].fields == wanted
        head = head_after(append)


def test_a_read_gives_what_lies_between_two_versions(any_journal: Journal) -> None:
    append = appending(MATCH, count=9)
    any_journal.append(append)

    def versions(*span: int | None, **most: int) -> list[int]:
        return [entry.version for entry in any_journal.read(MATCH, *span, **most)]  # type: ignore[arg-type]

    assert versions(0) == list(range(1, 10))
    assert versions(6) == [7, 8, 9]
    assert versions(9) == versions(10) == versions(3, 3) == versions(5, 2) == versions(0, 0) == []
    assert versions(3, 5) == [4, 5]
    assert versions(8, 99) == [9]
    assert versions(2, count=3) == [3, 4, 5]
    assert versions(2, 4, count=3) == [3, 4]


def test_catching_up_gives_the_head_and_what_came_after_a_version(any_journal: Journal) -> None:
    append = appending(MATCH, count=9, fields={"status": "open"})
    any_journal.append(append)
    head = replace(head_after(append), fields={"status": "open"})
    assert any_journal.catch_up(MATCH, 0) == (head, append.entries)
    assert any_journal.catch_up(MATCH, 6) == (head, append.entries[6:])
    assert any_journal.catch_up(MATCH, 2, count=3) == (head, append.entries[2:5])
    assert any_journal.catch_up(MATCH, 9) == any_journal.catch_up(MATCH, 10) == (head, [])
    assert any_journal.catch_up("m_nobody", 0) == (Head(), [])


def test_a_snapshot_is_kept_and_replaced_and_is_nobody_elses(any_journal: Journal) -> None:
    append = appending(MATCH)
    any_journal.append(append)
    for snapshot in (b"\x00one\xff", b"", b"two"):
        any_journal.save_snapshot(MATCH, snapshot)
        assert any_journal.open(MATCH) == (head_after(append), snapshot)
    any_journal.append(appending("m_two"))
    assert any_journal.open("m_two")[1] is None


def test_any_bytes_and_a_very_long_record_are_kept_as_they_are(any_journal: Journal) -> None:
    every_byte = bytes(range(256))
    entries = [
        Entry(1, every_byte, every_byte[::-1]),
        Entry(2, b"\x00" * 10, b""),
        Entry(3, b"x" * 2**20, b"\r\n$-1"),
    ]
    append = replace(
        appending(MATCH), entries=entries, fields={"odd": "\x00\n\U0010ffff"}, key="k", answer="\x00ü"
    )
    assert any_journal.append(append) == Accepted()
    assert any_journal.read(MATCH, 0) == entries
    assert any_journal.append(appending(MATCH)) == Conflict(3, append.hash, entries)
    assert any_journal.head(MATCH).fields == {"odd": "\x00\n\U0010ffff"}
    assert any_journal.append(append) == Done("\x00ü")


def test_every_journal_of_the_tests_says_that_it_is_sound(any_journal: Journal) -> None:
    checks = any_journal.checks()
    assert checks["store"] == "ok"
    assert set(checks.values()) == {"ok"}


def test_the_list_is_newest_first_and_its_cursor_neither_loses_nor_repeats(any_journal: Journal) -> None:
    matches = [f"m_{n:03}" for n in range(100)]
    places = {match: place_of(match, NOW + n // 40) for n, match in enumerate(matches)}  # many at one time
    for match in matches[::-1]:
        fields = {"game": "whatnot", "status": "open", "seed": "aa", "place": places[match]}
        any_journal.append(appending(match, fields=fields))
    any_journal.append(appending("m_private", fields={"game": "whatnot", "status": "open"}))
    for size in (1, 7, 50, 100, 500):
        listed, before = [], None
        while page := any_journal.listing(before, size):
            assert len(page) <= size
            listed += page
            before = page[-1].place
        assert [row.match for row in listed] == sorted(matches, reverse=True)
        assert [row.place for row in listed] == sorted(places.values(), reverse=True)
        assert all((row.game, row.status) == ("whatnot", "open") for row in listed)


def test_a_match_laid_while_somebody_pages_does_not_disturb_his_pages(any_journal: Journal) -> None:
    fields = {"game": "whatnot", "status": "open"}
    for n in range(6):
        any_journal.append(appending(f"m_{n}", fields=fields | {"place": place_of(f"m_{n}", NOW + n)}))
    first = any_journal.listing(None, 3)
    any_journal.append(appending("m_new", fields=fields | {"place": place_of("m_new", NOW + 99)}))
    second = any_journal.listing(first[-1].place, 3)
    assert [row.match for row in [*first, *second]] == ["m_5", "m_4", "m_3", "m_2", "m_1", "m_0"]
