"""A match before and after a commit, whoever asks for it in whatever order."""

import random

import pytest

from service.errors import MatchUnreadableError
from service.log.record import Entry
from service.matches.aggregate import Aggregate
from service.matches.history import History
from service.matches.play import Play
from service.store.memory_journal import MemoryJournal
from tests.service.log.tables import lay, move

COMMITS = 12


class CountingJournal(MemoryJournal):
    """The journal in memory, with what was read of it."""

    def __init__(self) -> None:
        super().__init__()
        self.versions: list[int] = []

    def read(self, match: str, after: int, upto: int | None = None, count: int = 500) -> list[Entry]:
        entries = super().read(match, after, upto, count)
        self.versions += [entry.version for entry in entries]
        return entries


@pytest.fixture
def journal() -> CountingJournal:
    return CountingJournal()


def played(journal: MemoryJournal) -> Aggregate:
    """A match of so many commits."""
    return played_on(journal, lay(Play(journal)), 1)


def played_on(journal: MemoryJournal, loaded: Aggregate, seed: int) -> Aggregate:
    play, player, until = Play(journal), random.Random(seed), loaded.version + COMMITS
    while loaded.version < until:
        loaded = move(play, loaded, player).loaded
    return loaded


def test_a_step_is_the_same_whether_one_came_there_in_order_or_not(journal: CountingJournal) -> None:
    loaded, in_order = played(journal), History(journal)
    for version in range(1, loaded.version + 1):
        before, after = in_order.step(loaded.id, version)
        assert (before.version, after.version) == (version - 1, version)
        assert after.state == Play(journal).at(loaded.id, version).state
    for version in (3, loaded.version, 1, 7):
        assert in_order.step(loaded.id, version) == History(journal).step(loaded.id, version)


def test_whoever_goes_through_a_log_in_order_reads_each_commit_once(journal: CountingJournal) -> None:
    loaded, history = played(journal), History(journal)
    journal.versions.clear()
    for version in range(1, loaded.version + 1):
        history.step(loaded.id, version)
    assert journal.versions == list(range(1, loaded.version + 1))


def test_there_is_no_step_to_a_version_that_the_match_has_not_reached(journal: CountingJournal) -> None:
    loaded, history = played(journal), History(journal)
    for version in (loaded.version + 1, loaded.version + 9):
        with pytest.raises(MatchUnreadableError):
            history.step(loaded.id, version)
    assert history.step(loaded.id, loaded.version)[1].state == loaded.state


def test_a_step_starts_over_where_the_store_has_lost_what_was_seen(journal: CountingJournal) -> None:
    copy, seen = MemoryJournal(), played(journal)
    copy._heads, copy._logs = dict(journal._heads), {seen.id: [*journal._logs[seen.id]]}
    lost, kept = played_on(journal, seen, 2), played_on(copy, seen, 3)
    assert lost.hash != kept.hash
    history = History(journal)
    history.step(seen.id, lost.version - 1)
    journal._heads, journal._logs = copy._heads, copy._logs
    assert history.step(seen.id, kept.version)[1].state == kept.state
