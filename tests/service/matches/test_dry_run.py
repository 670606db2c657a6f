"""A dry run foretells what is certain, refuses as sending would, and knows no more than whoever asks."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import orjson
import pytest

from domain.chance import Chance
from domain.errors import RuleBroken
from domain.game import Table
from domain.games import AnyGame, games
from domain.match.commands import CloseMatch, ReleaseSeed, SeatBot, StartMatch
from domain.match.foresight import settled
from domain.match.rules import HOST, decide, seat_name
from service.matches.aggregate import Aggregate
from service.matches.dry_run import DryRunResult, _seen, dry_run
from service.matches.play import Play
from service.matches.requests import CommandRefusedError
from tests.playing import twin_of
from tests.service.log.tables import SEED, choices, creation, lay, lay_table, move, played, simulated_play

EVERY_TABLE = pytest.mark.parametrize(
    ("game", "table"),
    [
        pytest.param(game, table, id=f"{game.name}-{table.seats}-{n}")
        for game in games().values()
        for n, table in enumerate(twin_of(game).TABLES)
    ],
)


def loaded_dice(salt: int = 0) -> Callable[[], bytes]:
    """Dice that roll the same for everybody who has them."""
    rolls = random.Random(salt)
    return lambda: rolls.randbytes(32)


def versions(game: AnyGame, table: Table, whim: int = 0) -> list[Aggregate]:
    """A sample of a random match while it is played."""
    play = simulated_play()
    loaded = lay_table(play, game, creation(game, table.seats, options=table.options), None)
    match = [loaded, *played(play, loaded, random.Random(whim))]
    return [each for each in match if each.state.status == "playing"]


def tried(loaded: Aggregate, commands: Sequence[Any], by: str) -> DryRunResult | tuple[str, str]:
    """What a rehearsal tells, or the refusal."""
    try:
        return dry_run(loaded, commands, by, loaded_dice())
    except CommandRefusedError as refused:
        return refused.rule.code, refused.rule.sentence


def known(told: DryRunResult | tuple[str, str]) -> Any:
    """All of it that is answered."""
    if isinstance(told, tuple):
        return told
    after = (told.after.status, told.after.to_act) if told.certain else None
    return told.accepted, told.events, told.certain, after


@EVERY_TABLE
def test_two_matches_that_look_alike_to_a_seat_rehearse_alike(game: AnyGame, table: Table) -> None:
    """So nothing hidden is told, neither by what is foretold nor by what is refused."""
    hidden, dice = 0, random.Random(1)
    box = game.box(game.editions[game.default_edition])
    sample = versions(game, table)
    for loaded in dice.sample(sample, min(25, len(sample))):
        match = loaded.state
        commands = [command for _, command in dice.sample(choices(loaded), min(3, len(choices(loaded))))]
        for seat in range(table.seats):
            seen = orjson.loads(orjson.dumps(game.view(match.position, seat)))
            position = game.imagine(box, seen, Chance(dice.randbytes(32)))
            other = replace(loaded, match=replace(match, position=position), fields={})
            hidden += position != match.position
            for command in commands:
                one, two = (tried(each, [command], seat_name(seat)) for each in (loaded, other))
                assert known(one) == known(two)
    assert hidden or table.seats == 1, "alone there is nothing to hide but what is drawn later"


@EVERY_TABLE
def test_what_is_certain_happens(game: AnyGame, table: Table) -> None:
    certain = uncertain = unsettled = 0
    for loaded in versions(game, table, 2):
        by, command = random.Random(loaded.version).choice(choices(loaded))
        told = dry_run(loaded, [command], by, loaded_dice(loaded.version))
        really = decide(loaded.state, command, by, loaded.secrets)
        happens = _seen(by, command, really.events)
        assert told.accepted == 1
        assert list(told.events) == happens[: len(told.events)]
        if told.certain:
            assert list(told.events) == happens
            assert (told.after.status, told.after.to_act) == (really.state.status, really.state.to_act)
        certain += told.certain
        uncertain += not told.certain
        unsettled += not settled(loaded.state, really, int(by.removeprefix("seat:")))
    assert uncertain or not unsettled, "what is drawn or revealed is not certain"
    assert certain or unsettled == uncertain, "what is neither is"


@EVERY_TABLE
def test_a_rehearsal_is_refused_as_sending_would_be(game: AnyGame, table: Table) -> None:
    refused = 0
    for earlier, loaded in pairwise(versions(game, table, 3)):
        for command in [command for _, command in choices(earlier)[:2]]:
            for by in map(seat_name, range(table.seats)):
                sent, told = refusal_of(loaded, command, by), tried(loaded, [command], by)
                assert (told if isinstance(told, tuple) else None) == sent
                refused += sent is not None
    assert refused


def refusal_of(loaded: Aggregate, command: Any, by: str) -> tuple[str, str] | None:
    """What sending a command would be refused with."""
    try:
        decide(loaded.state, command, by, loaded.secrets)
    except RuleBroken as rule:
        return rule.code, rule.sentence
    return None


def test_a_batch_is_foretold_up_to_where_chance_comes_in() -> None:
    play = simulated_play()
    before = lay(play, 2)
    by, choose = choices(before)[0]
    loaded = move(play, before).loaded
    take = next(take for _, take in choices(loaded) if dry_run(loaded, [take], by).certain)
    one = dry_run(loaded, [take], by)
    another = choices(replace(loaded, match=one.after))[0][1]
    both = dry_run(loaded, [take, another], by)
    assert (both.accepted, list(both.events[: len(one.events)])) == (2, list(one.events))
    drawn = dry_run(before, [choose], by)
    assert (drawn.accepted, drawn.certain) == (1, False)
    with pytest.raises(CommandRefusedError) as beyond:
        dry_run(before, [choose, take], by)
    assert (beyond.value.rule.code, beyond.value.index) == ("batch_reaches_past_chance", 1)
    with pytest.raises(CommandRefusedError) as refused:
        dry_run(loaded, [take, take], by)
    assert (refused.value.index, refused.value.version) == (1, loaded.version)


def test_the_real_seed_is_in_no_rehearsal() -> None:
    play = simulated_play()
    for loaded in (lay(play, 2, seed=None), lay(play, 2, vacant=1, seed=None)):
        told = dry_run(loaded, [CloseMatch()], HOST)
        assert (told.accepted, told.events, told.certain) == (1, [], False)


def test_a_host_is_told_what_is_certain_of_a_start() -> None:
    loaded = lay(simulated_play(), 3, vacant=2, seed=None)
    for commands in ([StartMatch()], [SeatBot(1, "random"), SeatBot(2, "random")]):
        told = dry_run(loaded, commands, HOST)
        kinds = [event["type"] for event in told.events]
        assert kinds[:3] == ["bot_seated", "bot_seated", "match_started"]
        assert not told.certain
    assert dry_run(loaded, [SeatBot(1, "random")], HOST).certain


def test_a_creators_seed_is_not_told_before_it_is_released() -> None:
    play: Play = simulated_play()
    loaded = lay(play, 2)
    *_, done = played(play, loaded, random.Random(1))
    told = dry_run(done, [ReleaseSeed()], HOST)
    assert SEED.hex() not in str(told.events)
    assert (told.accepted, told.certain) == (1, False)
