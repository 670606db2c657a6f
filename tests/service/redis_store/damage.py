"""What can happen to one match in a store: each as a function of a journal and a match."""

from collections.abc import Callable, Mapping
from typing import Any

import orjson

from service.redis_store.journal import RedisJournal

Damage = Callable[[RedisJournal, str], None]


def rewritten(journal: RedisJournal, match: str, version: int, change: Callable[[Any], Any]) -> None:
    """One commit of a log with another record."""
    key = journal.keys.of_match(match, "log")
    entries = journal.client.xrange(key)
    journal.client.delete(key)
    for id_, fields in entries:
        if id_ == b"%d-0" % version:
            fields[b"record"] = orjson.dumps(change(orjson.loads(fields[b"record"])))
        journal.client.xadd(key, fields, id_)


def with_event(**altered: Any) -> Damage:
    """The first event of commit 1 differs."""

    def change(record: Any) -> Any:
        first, *rest = record["events"]
        return record | {"events": [first | altered, *rest]}

    return lambda journal, match: rewritten(journal, match, 1, change)


def with_record(version: int, **altered: Any) -> Damage:
    """A commit's record differs."""
    return lambda journal, match: rewritten(journal, match, version, lambda record: record | altered)


def a_foreign_entry(journal: RedisJournal, match: str) -> None:
    journal.client.xadd(journal.keys.of_match(match, "log"), {"foo": "bar"})


def no_head(journal: RedisJournal, match: str) -> None:
    journal.client.delete(journal.keys.of_match(match, "head"))


def a_head_without_its_hash(journal: RedisJournal, match: str) -> None:
    journal.client.hdel(journal.keys.of_match(match, "head"), "hash")


def no_log(journal: RedisJournal, match: str) -> None:
    journal.client.delete(journal.keys.of_match(match, "log"))


def a_log_of_another_type(journal: RedisJournal, match: str) -> None:
    no_log(journal, match)
    journal.client.set(journal.keys.of_match(match, "log"), "this is no stream")


def a_head_of_another_type(journal: RedisJournal, match: str) -> None:
    no_head(journal, match)
    journal.client.set(journal.keys.of_match(match, "head"), "this is no hash")


def the_last_commit_gone(journal: RedisJournal, match: str) -> None:
    last = journal.head(match).version
    journal.client.xdel(journal.keys.of_match(match, "log"), f"{last}-0")


def a_commit_in_the_middle_gone(journal: RedisJournal, match: str) -> None:
    journal.client.xdel(journal.keys.of_match(match, "log"), "2-0")


# What shows at once, in every process: the store contradicts itself.
CONTRADICTIONS: Mapping[str, tuple[Damage, str]] = {
    "a foreign entry": (a_foreign_entry, "is no commit"),
    "no head": (no_head, "the head is at 0"),
    "no hash": (a_head_without_its_hash, "lacks version or hash"),
    "no log": (no_log, "the log has 0 entries"),
    "a log of another type": (a_log_of_another_type, "another type"),
    "a head of another type": (a_head_of_another_type, "another type"),
    "the last commit gone": (the_last_commit_gone, "the log has"),
    "a commit in the middle gone": (a_commit_in_the_middle_gone, "the log has"),
}


def a_name_that_is_none(journal: RedisJournal, match: str) -> None:
    journal.client.hset(journal.keys.of_match(match, "head"), "name:1:0", "no key, no name")


# What shows where the log is read from its beginning: what it needs is not here.
MISSING: Mapping[str, tuple[Damage, str]] = {
    "an edition": (with_event(edition_hash="0" * 64), "edition 'core' of whatnot"),
    "a game": (with_event(game="chess"), "the game 'chess' is not installed"),
    "an event type": (with_event(type="match_dreamt"), "'match_dreamt' version 1 is not known"),
    "an event version": (with_event(v=99), "version 99 is not known"),
    "a field": (with_record(2, events=[{"type": "column_chosen"}]), "commit 2 cannot be read"),
    "events": (with_record(2, events="none"), "commit 2 cannot be read"),
    "a name": (a_name_that_is_none, "its head holds a secret or a name that is none"),
    "a previous hash": (with_record(2, previous="f" * 64), "version 2 does not follow"),
}
EVERY = {**CONTRADICTIONS, **MISSING}
