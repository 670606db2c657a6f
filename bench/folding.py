"""What needs no server: folding a log, playing whole matches, and whether folding leaves anything behind.

Rates are a second of processor time of one process: on a machine to itself, of a second.
"""

import gc
import time
from collections.abc import Sequence
from statistics import median

from bench.matches import SEATS, lay, play_out
from bench.processes import resident_bytes
from bench.stage import Stage
from domain.games import games
from service.log.record import Entry
from service.matches.aggregate import Aggregate, advance
from service.matches.play import Play
from service.matches.simulate import Plan, simulate
from service.store.memory_journal import MemoryJournal

MEGABYTE = 1e6
WARM_UP, REPLAYS = 100, 1000
FOLDS, PLAYED = 20, 10  # in one repeat


def measure(stage: Stage) -> dict[str, float]:
    """The rates of several repeats, their median; memory in a process of its own."""
    repeats = range(stage.times(7))
    rates = [(events_per_second(), matches_per_second(n * PLAYED)) for n in repeats]
    return {
        "cold_fold_events_per_s": median(events for events, _ in rates),
        "simulate_matches_per_s": median(matches for _, matches in rates),
        "rss_growth_1000_replays_mb": stage.apart(growth, WARM_UP, REPLAYS) / MEGABYTE,
    }


def events_per_second() -> float:
    """Folding from the entries that a journal gives, as a cold load does."""
    entries = finished_match(0)
    events = sum(len(entry.public()["events"]) for entry in entries)
    began = time.process_time()
    fold(entries, FOLDS)
    return FOLDS * events / (time.process_time() - began)


def matches_per_second(first: int) -> float:
    """What `bricabrac simulate` does, from this match on."""
    plan = Plan(games()["whatnot"], SEATS, {}, bytes(32))
    began = time.process_time()
    for number in range(first, first + PLAYED):
        simulate(plan, number)
    return PLAYED / (time.process_time() - began)


def growth(warm_up: int, replays: int) -> int:
    """By how many bytes this process grows while it folds a match so often, after a warm-up."""
    entries = finished_match(0)
    fold(entries, warm_up)
    gc.collect()
    before = resident_bytes()
    fold(entries, replays)
    gc.collect()
    return resident_bytes() - before


def finished_match(number: int) -> Sequence[Entry]:
    """All commits of a match of four."""
    journal = MemoryJournal()
    play = Play(journal, clock=lambda: 0)
    loaded = lay(play, SEATS, number).result.loaded
    commits = 1 + sum(1 for _ in play_out(play, loaded, number))
    return journal.read(loaded.id, 0, count=commits)


def fold(entries: Sequence[Entry], times: int) -> None:
    """From nothing to the end, each time anew."""
    for _ in range(times):
        ended = advance(Aggregate("m_bench"), entries)
        assert ended.version == len(entries)
