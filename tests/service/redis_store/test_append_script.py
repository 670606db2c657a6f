"""The append script on real servers: what it writes beside the log, and that it writes all or nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from zlib import crc32

import pytest
from redis.crc import key_slot
from redis.exceptions import ResponseError

from service.redis_store.client import store_time
from service.redis_store.journal import SNAPSHOT_SECONDS, RedisJournal, _arguments
from service.store.journal import KEPT_ANSWER_S, Accepted, Append, Conflict, Done, StoreUnavailableError
from tests.service.redis_store.appends import appending, every_node, everything_in, head_after, stands_at

MATCH = "m_one"
FULL = appending(
    MATCH,
    count=2,
    fields={
        "game": "whatnot",
        "status": "playing",
        "seed": "aa",
        "place": "000-m_one",
        "created": "000-m_one",
        "owner": "k_1",
        "token:host": "dd",
    },
    due_task="take_turn",
    key="key",
    answer="{}",
)

SKEW_MS = 5  # between the servers of the cluster


def keys_of(journal: RedisJournal, append: Append) -> list[str]:
    own = [journal.keys.of_match(append.match, name) for name in ("log", "head", f"did:{append.key}")]
    return own + [
        journal.keys.shared(append.match, name) for name in ("feed", "public", "owed", "idle", "owned")
    ]


def feed(journal: RedisJournal, match: str) -> list[tuple[bytes, bytes, bytes]]:
    entries = journal.client.xrange(journal.keys.shared(match, "feed"))
    return [(fields[b"match"], fields[b"version"], fields[b"calls"]) for _, fields in entries]


def test_all_that_an_append_writes_lies_in_one_slot(stored_journal: RedisJournal) -> None:
    appends = [replace(FULL, match=f"m_{n}") for n in range(50)]
    names = [keys_of(stored_journal, append) for append in appends]
    for append in appends:
        assert stored_journal.append(append) == Accepted()
    assert set(everything_in(stored_journal)) == {name.encode() for own in names for name in own}
    slots = [{key_slot(name.encode()) for name in own} for own in names]
    assert all(len(of_one_match) == 1 for of_one_match in slots)
    assert len(set.union(*slots)) > 20  # and matches are spread


def test_every_key_of_a_match_is_found_where_the_design_says(stored_journal: RedisJournal) -> None:
    stored_journal.append(FULL)
    stored_journal.save_snapshot(MATCH, b"x")
    tag = f"{{p{crc32(MATCH.encode()) % 64:02}}}"
    own = {f"{tag}:m:{MATCH}:{name}" for name in ("log", "head", "did:key", "snap")}
    assert {key.decode() for key in everything_in(stored_journal)} == own | {
        f"{tag}:{name}" for name in ("feed", "public", "owed", "idle", "owned")
    }


def test_every_commit_is_in_the_feed_of_its_partition_and_the_last_with_its_job(
    stored_journal: RedisJournal,
) -> None:
    stored_journal.append(FULL)
    stored_journal.append(appending(MATCH, head_after(FULL)))
    match = MATCH.encode()
    assert feed(stored_journal, MATCH) == [
        (match, b"1", b""),
        (match, b"2", b"take_turn"),
        (match, b"3", b""),
    ]


def test_a_refused_or_repeated_append_writes_nothing_at_all(stored_journal: RedisJournal) -> None:
    stored_journal.append(FULL)
    before = everything_in(stored_journal)
    assert isinstance(stored_journal.append(FULL), Done)
    assert isinstance(
        stored_journal.append(replace(FULL, key="other", fields={"place": "999-m_one"})), Conflict
    )
    assert everything_in(stored_journal) == before


def test_a_match_is_owed_a_job_from_the_commit_that_calls_for_it_to_the_next(
    stored_journal: RedisJournal,
) -> None:
    """Since when is said by the clock of the store: whoever looks at it may have another than the writer."""
    owed, client = stored_journal.keys.shared(MATCH, "owed"), stored_journal.client
    began = store_time(client)
    stored_journal.append(FULL)
    ((match, first),) = client.zrange(owed, 0, -1, withscores=True)
    later = appending(MATCH, head_after(FULL), due_task="score_match")
    stored_journal.append(later)
    ((same, second),) = client.zrange(owed, 0, -1, withscores=True)
    assert match == same == MATCH.encode()
    assert began - SKEW_MS <= first <= second <= store_time(client) + SKEW_MS
    stored_journal.append(appending(MATCH, head_after(later)))
    assert client.zrange(owed, 0, -1) == []


def test_keys_and_snapshots_are_remembered_for_a_day_and_the_log_for_ever(
    stored_journal: RedisJournal,
) -> None:
    stored_journal.append(FULL)
    stored_journal.save_snapshot(MATCH, b"x")
    left = {name: stored_journal.client.ttl(stored_journal.keys.of_match(MATCH, name))
            for name in ("log", "head", "did:key", "snap")}  # fmt: skip
    assert left["log"] == left["head"] == -1
    assert KEPT_ANSWER_S - 60 < left["did:key"] <= KEPT_ANSWER_S
    assert SNAPSHOT_SECONDS - 60 < left["snap"] <= SNAPSHOT_SECONDS


def bad(index: int, value: Any) -> Any:
    def spoil(arguments: list[Any]) -> list[Any]:
        return [*arguments[:index], value, *arguments[index + 1 :]]

    return spoil


SPOILED = {
    "one too few": lambda arguments: arguments[:-1],
    "one too many": lambda arguments: [*arguments, "x"],
    "no commits": bad(8, 0),
    "one commit too many": bad(8, 3),
    "minus one commit": bad(8, -1),
    "commits that are no number": bad(8, "two"),
    "fields that are no number": bad(9, ""),
    "a memory that is no number": bad(4, "long"),
    "a memory of no seconds": bad(4, 0),
}


@pytest.mark.parametrize("spoil", SPOILED.values(), ids=SPOILED.keys())
def test_a_call_with_a_wrong_argument_writes_nothing(stored_journal: RedisJournal, spoil: Any) -> None:
    stored_journal.append(FULL)
    before = everything_in(stored_journal)
    append = replace(FULL, expected=head_after(FULL), key="next")
    with pytest.raises(ResponseError):
        stored_journal._append(keys=keys_of(stored_journal, append), args=spoil(_arguments(append)))
    assert everything_in(stored_journal) == before


def test_a_call_with_a_key_missing_writes_nothing(stored_journal: RedisJournal) -> None:
    with pytest.raises(ResponseError):
        stored_journal._append(keys=keys_of(stored_journal, FULL)[:-1], args=_arguments(FULL))
    assert everything_in(stored_journal) == {}


def test_a_server_that_has_forgotten_the_script_is_taught_it_again(stored_journal: RedisJournal) -> None:
    stored_journal.append(FULL)
    stored_journal.client.script_flush()
    append = appending(MATCH, head_after(FULL))
    assert stored_journal.append(append) == Accepted()
    assert stands_at(stored_journal.head(MATCH)) == stands_at(head_after(append))


@contextmanager
def no_memory(journal: RedisJournal) -> Iterator[None]:
    """A server without a byte left."""
    journal.client.config_set("maxmemory", 1, **every_node(journal))
    try:
        yield
    finally:
        journal.client.config_set("maxmemory", 0, **every_node(journal))


def test_out_of_memory_an_append_is_refused_before_anything_is_written(stored_journal: RedisJournal) -> None:
    stored_journal.append(FULL)
    before = everything_in(stored_journal)
    append = appending(
        MATCH, head_after(FULL), count=3, key="next", answer="{}", fields={"status": "scoring"}
    )
    with no_memory(stored_journal):
        with pytest.raises(StoreUnavailableError):
            stored_journal.append(append)
        stored_journal.save_snapshot(MATCH, b"too much")  # a cache: nobody minds
        assert everything_in(stored_journal) == before
        assert stored_journal.read(MATCH, 0) == FULL.entries  # and what is there can still be read
        assert stored_journal.answer(MATCH, "key") == "{}"
    assert stored_journal.append(append) == Accepted()
