"""The contract of a game, held against every game found; what differs between games is in its twin."""

import random
from dataclasses import MISSING, fields, replace
from functools import reduce
from hashlib import sha256
from itertools import islice
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.chance import Chance
from domain.errors import MatchOver, RuleBroken
from domain.game import Table
from domain.games import AnyGame, games
from domain.refusals import MatchRefusal
from service.log.canonical import canonical, check_values
from service.log.codec import codec, dump, dump_command
from tests import legal
from tests.playing import laid_out, perft, play_out, twin_of

TABLES = [
    pytest.param(
        game, table, id=f"{game.name}-{table.seats}-{'-'.join(f'{k}={v}' for k, v in table.options.items())}"
    )
    for game in games().values()
    for table in twin_of(game).TABLES
]
PINNED = [
    pytest.param(game, pin, id=f"{game.name}-{n}")
    for game in games().values()
    for n, pin in enumerate(twin_of(game).PERFT)
]
seeds = st.binary(min_size=32, max_size=32)
players = st.randoms(use_true_random=False)
few = settings(max_examples=8, deadline=None, print_blob=False)


@pytest.mark.parametrize(("game", "table"), TABLES)
@few
@given(seed=seeds, player=players)
def test_a_match_ends_and_exactly_when_nothing_is_legal(
    game: AnyGame, table: Table, seed: bytes, player: random.Random
) -> None:
    state = laid_out(game, table, Chance(seed))
    for step in play_out(game, table, seed, player):
        assert game.outcome(step.before) is None
        if game.outcome(step.after) is None:
            assert not {*map(type, step.events)} & {*game.endings}
        for seat in game.to_act(step.before):
            assert next(game.legal(step.before, seat), None) is not None, "who is to act can act"
        state = step.after
    assert game.to_act(state) == ()
    for seat in range(table.seats):
        assert list(game.legal(state, seat)) == []
        with pytest.raises(MatchOver):
            game.decide(state, step.command, seat, Chance(seed))
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.result in {*game.results, None}
    assert [type(event) in game.endings for event in step.events].count(True) == 1
    assert sorted(seat for tied in outcome.ranking for seat in tied) == list(range(table.seats))
    assert {sheet.seat for sheet in game.score(state, None)} == set(range(table.seats))


@pytest.mark.parametrize(("game", "table"), TABLES)
@few
@given(seed=seeds, player=players)
def test_every_legal_command_is_accepted_and_listed_once(
    game: AnyGame, table: Table, seed: bytes, player: random.Random
) -> None:
    chance = Chance(seed)
    for step in islice(play_out(game, table, seed, player), 40):
        for seat in game.to_act(step.before):
            listed = list(islice(game.legal(step.before, seat), 60))
            written = [canonical(dump_command(command)) for command in listed]
            assert len(set(written)) == len(written)
            for command in listed:
                assert game.decide(step.before, command, seat, chance)


@pytest.mark.parametrize(("game", "table"), TABLES)
@few
@given(seed=seeds, player=players)
def test_anything_else_is_refused_with_a_code_and_a_sentence(
    game: AnyGame, table: Table, seed: bytes, player: random.Random
) -> None:
    chance, earlier, known = Chance(seed), list[Any](), {*game.refusals, *MatchRefusal}
    for step in play_out(game, table, seed, player):
        acting = game.to_act(step.before)
        for seat in set(range(table.seats)) - set(acting):
            assert list(game.legal(step.before, seat)) == []
            with pytest.raises(RuleBroken):
                game.decide(step.before, step.command, seat, chance)
        is_legal = twin_of(game).is_legal
        for command in [*earlier[-5:], *_bent(step.command, player)]:
            if not is_legal(step.before, command, step.seat):
                with pytest.raises(RuleBroken) as refusal:
                    game.decide(step.before, command, step.seat, chance)
                assert refusal.value.code in known
                assert refusal.value.sentence.endswith(".")
        earlier.append(step.command)


def _bent(command: Any, player: random.Random) -> list[Any]:
    """The command with one field altered: a number moved, a word or list changed, an option dropped."""
    bent = []
    for field in fields(command):
        value = getattr(command, field.name)
        others: list[Any] = [None] if field.default is not MISSING else []
        if isinstance(value, bool):
            others.append(not value)
        elif isinstance(value, int):
            others += [value + 1, value - 1, player.randrange(100)]
        elif isinstance(value, str):
            others.append("no_such_word")
        elif isinstance(value, tuple):
            others += [value[:-1], value + value[:1], ()]
        bent += [replace(command, **{field.name: other}) for other in others]
    return bent


@pytest.mark.parametrize(("game", "table"), TABLES)
@few
@given(seed=seeds, player=players)
def test_commands_and_events_survive_json(
    game: AnyGame, table: Table, seed: bytes, player: random.Random
) -> None:
    read, chance = codec(game), Chance(seed)
    laid = game.setup(game.initial(game.box(game.editions[game.default_edition]), table), chance)
    steps = list(play_out(game, table, seed, player))
    for step in steps:
        assert read.command(orjson.loads(canonical(dump_command(step.command)))) == step.command
    for event in (*laid, *(event for step in steps for event in step.events)):
        written = dump(event)
        check_values(written)
        assert read.event(orjson.loads(canonical(written))) == event


@pytest.mark.parametrize(("game", "table"), TABLES)
@few
@given(seed=seeds, player=players)
def test_evolving_and_deciding_leave_the_state_alone(
    game: AnyGame, table: Table, seed: bytes, player: random.Random
) -> None:
    for step in play_out(game, table, seed, player):
        hash(step.before)  # frozen all the way down, or this fails
        story = game.story(step.before, step.command, step.seat, Chance(seed))
        again = story.events
        assert story.state == step.after
        assert again == step.events
        assert reduce(game.evolve, again, step.before) == step.after


@pytest.mark.parametrize(("game", "table"), TABLES)
@few
@given(seed=seeds, player=players)
def test_every_component_is_in_exactly_one_place_after_every_event(
    game: AnyGame, table: Table, seed: bytes, player: random.Random
) -> None:
    twin, state = twin_of(game), laid_out(game, table, Chance(seed))
    everything = sorted(twin.pieces(state))
    assert len(set(everything)) == len(everything) == twin.piece_count(state, table)
    for step in play_out(game, table, seed, player):
        state = step.before
        for event in step.events:
            state = game.evolve(state, event)
            assert sorted(twin.pieces(state)) == everything


@pytest.mark.parametrize(("game", "table"), TABLES)
@few
@given(seed=seeds, player=players)
def test_what_a_viewer_may_not_see_makes_no_difference_to_him(
    game: AnyGame, table: Table, seed: bytes, player: random.Random
) -> None:
    for number, step in enumerate(play_out(game, table, seed, player)):
        for viewer in (*range(table.seats), None):
            seen = orjson.loads(canonical(game.view(step.before, viewer)))
            imagined = game.imagine(
                game.box(game.editions[game.default_edition]), seen, Chance(sha256(b"%d" % number).digest())
            )
            assert orjson.loads(canonical(game.view(imagined, viewer))) == seen
            assert game.to_act(imagined) == game.to_act(step.before)
            assert game.score(imagined, viewer) == game.score(step.before, viewer)
            if viewer is not None:
                sample = list(islice(game.legal(imagined, viewer), 60))
                assert sample == list(islice(game.legal(step.before, viewer), 60))


@pytest.mark.parametrize(("game", "table"), TABLES)
@few
@given(seed=seeds, player=players)
def test_what_is_neither_drawn_nor_revealed_was_known_before_to_whoever_did_it(
    game: AnyGame, table: Table, seed: bytes, player: random.Random
) -> None:
    box = game.box(game.editions[game.default_edition])
    for number, step in enumerate(play_out(game, table, seed, player)):
        story = game.story(step.before, step.command, step.seat, Chance(seed))
        if story.drawn or any(game.reveals(event, step.seat) for event in story.events):
            continue
        seen = orjson.loads(canonical(game.view(step.before, step.seat)))
        imagined = game.imagine(box, seen, Chance(sha256(b"%d" % number).digest()))
        other = game.story(imagined, step.command, step.seat, Chance(bytes(32)))
        assert not other.drawn
        assert canonical(game.view(other.state, step.seat)) == canonical(game.view(story.state, step.seat))


@pytest.mark.parametrize(("game", "table"), TABLES)
@few
@given(seed=seeds, player=players)
def test_nothing_is_drawn_for_a_command_that_is_refused(
    game: AnyGame, table: Table, seed: bytes, player: random.Random
) -> None:
    steps, refused = list(play_out(game, table, seed, player)), 0
    for step in player.sample(steps, min(20, len(steps))):
        for command in (player.choice(steps).command for _ in range(5)):
            chance = Chance(seed)
            try:
                game.story(step.before, command, step.seat, chance)
            except RuleBroken:
                refused += 1
                assert not chance.drawn
    assert refused


@pytest.mark.parametrize(("game", "table"), TABLES)
@few
@given(seed=seeds, player=players)
def test_a_spectators_view_is_contained_in_every_players_view(
    game: AnyGame, table: Table, seed: bytes, player: random.Random
) -> None:
    for step in play_out(game, table, seed, player):
        spectator = orjson.loads(canonical(game.view(step.before, None)))
        for seat in range(table.seats):
            assert _contained(spectator, orjson.loads(canonical(game.view(step.before, seat))))


def _contained(less: Any, more: Any) -> bool:
    """Is `less` the same as `more` but for nulls and shorter lists of known things?"""
    if isinstance(less, dict):
        return less.keys() == more.keys() and all(_contained(less[key], more[key]) for key in less)
    if isinstance(less, list) and isinstance(more, list):
        same_length = len(less) == len(more) and all(map(_contained, less, more))
        return same_length or all(item in more for item in less)
    return less is None or bool(less == more)


@pytest.mark.parametrize(("game", "pin"), PINNED)
def test_the_number_of_command_sequences_is_pinned(
    game: AnyGame, pin: tuple[Table, str, tuple[int, ...]]
) -> None:
    table, seed, counts = pin
    chance = Chance(bytes.fromhex(seed))
    state = laid_out(game, table, chance)
    assert tuple(perft(game, state, chance, depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.parametrize("game", games().values(), ids=games().keys())
def test_the_order_of_legal_commands_is_as_it_was_reviewed(game: AnyGame) -> None:
    """If a change of the order is meant: `python -m tests.legal`, and review the difference."""
    assert legal.path_of(game).read_text(encoding="utf-8").splitlines() == legal.text_of(game).splitlines()
