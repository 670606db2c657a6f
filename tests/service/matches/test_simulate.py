"""A simulation can be repeated to the byte by anybody who knows its plan."""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from domain.game import Table
from domain.games import AnyGame, games
from service.matches.simulate import Plan, simulate
from tests.playing import twin_of

SEED = bytes(range(32))
EVERY_TABLE = pytest.mark.parametrize(
    ("game", "table"),
    [
        pytest.param(game, table, id=f"{game.name}-{table.seats}-{n}")
        for game in games().values()
        for n, table in enumerate(twin_of(game).TABLES)
    ],
)
OUTSIDE = """
from hashlib import sha256
from domain.games import games
from service.matches.simulate import Plan, simulate
for game in games().values():
    print(sha256(simulate(Plan(game, game.seats[0], {}, bytes(range(32))), 3).log).hexdigest())
"""


@EVERY_TABLE
def test_the_same_plan_and_number_give_the_same_log_to_the_byte(game: AnyGame, table: Table) -> None:
    plan = Plan(game, table.seats, table.options, SEED)
    assert simulate(plan, 3) == simulate(plan, 3)


@EVERY_TABLE
def test_another_number_or_seed_gives_another_match(game: AnyGame, table: Table) -> None:
    plans = [Plan(game, table.seats, table.options, seed) for seed in (SEED, bytes(32))]
    logs = {simulate(plan, number).log for plan in plans for number in (0, 1)}
    assert len(logs) == 4
    assert len({log.splitlines()[-1] for log in logs}) == 4  # down to the seed that is revealed


@pytest.mark.parametrize("order", ["1", "2"])
def test_a_log_does_not_depend_on_the_process_that_plays_it(order: str) -> None:
    """Sets and dictionaries are ordered otherwise in every process; no match may show it."""
    command, env = [sys.executable, "-c", OUTSIDE], {**os.environ, "PYTHONHASHSEED": order}
    told = subprocess.run(
        command, cwd=Path(__file__).parents[3], env=env, capture_output=True, text=True, check=True
    )
    here = [simulate(Plan(game, game.seats[0], {}, SEED), 3).log for game in games().values()]
    assert told.stdout.split() == [sha256(log).hexdigest() for log in here]
