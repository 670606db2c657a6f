"""What is answered to a batch tells its sender nothing that was not known, or is not committed with it.

Two matches that look the same to somebody, and differ in all that is hidden from them and in every draw to
come, answer each of their batches alike, up to what an accepted batch has drawn last.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from secrets import token_bytes
from typing import Any

import orjson
import pytest

from domain.chance import Chance
from domain.game import Story, Table, Viewer
from domain.games import AnyGame
from domain.games.whatnot.commands import ChooseColumn, TakeTile
from domain.match.commands import CloseMatch, ReleaseSeed, SeatBot, StartMatch
from domain.match.rules import HOST, decide, seat_name
from domain.match.state import Match
from service.matches.aggregate import Aggregate
from service.matches.batch import Batch
from service.matches.dry_run import _seen, dry_run
from service.matches.requests import CommandRefusedError, Request
from service.matches.views import viewer_of
from tests.service.log.tables import choices, creation, lay, lay_table, move, played, simulated_play
from tests.service.matches.test_dry_run import EVERY_TABLE

PAST = "batch_reaches_past_chance"
LOOKS, BATCHES = 10, 6  # versions of a match that are looked at, batches of each seat there
HOSTS = (SeatBot(0, "random"), SeatBot(1, "random"), StartMatch(), CloseMatch(), ReleaseSeed())
Answer = tuple[Any, ...]


@pytest.fixture
def dice() -> random.Random:
    return random.Random(token_bytes(16))


def other_world(loaded: Aggregate, viewer: Viewer, dice: random.Random) -> Aggregate:
    """What looks to the viewer just like this match: what is hidden is dealt anew, the seed is another."""
    match = loaded.state
    fields = {**loaded.fields, **{name: dice.randbytes(32).hex() for name in ("seed", "sealing_key")}}
    if match.status != "playing":
        return replace(loaded, fields=fields)
    seen = orjson.loads(orjson.dumps(match.game.view(match.position, viewer)))
    position = match.game.imagine(match.game.box(match.edition), seen, Chance(dice.randbytes(32)))
    return replace(loaded, match=replace(match, position=position), fields=fields)


def decided(loaded: Aggregate, commands: Sequence[Any], by: str) -> Iterator[Story[Match, Any]]:
    """What each command causes after those before it."""
    batch, match = Batch(by, loaded.version), loaded.state
    for command in commands:
        with batch.following():
            story = batch.decide(match, command, loaded.secrets)
        match = story.state
        yield story


def answer(loaded: Aggregate, batch: Sequence[Any], by: str) -> Answer:
    """What the sender is answered: a refusal, or the events of all commands but the last."""
    try:
        stories = list(decided(loaded, batch, by))
    except CommandRefusedError as refused:
        return refused.rule.code, refused.index, refused.rule.sentence
    told = [_seen(by, command, story.events) for command, story in zip(batch, stories, strict=True)]
    return "accepted", told[:-1]


def rehearsed(loaded: Aggregate, batch: Sequence[Any], by: str) -> Answer:
    """What a dry run says of it, as far as `answer` does."""
    try:
        dry_run(loaded, batch, by)
    except CommandRefusedError as refused:
        return refused.rule.code, refused.index, refused.rule.sentence
    return ("accepted",)


def ahead(loaded: Aggregate, by: str, dice: random.Random) -> Iterator[Any]:
    """What somebody could go on with in this very match if they knew the draws."""
    match = loaded.state
    while match.status == "playing" and viewer_of(by) in match.to_act:
        command = dice.choice(list(islice(match.game.legal(match.position, int(by[-1])), 60)))
        match = decide(match, command, by, loaded.secrets).state
        yield command


def batches(loaded: Aggregate, by: str, known: Sequence[Any], dice: random.Random) -> Iterator[list[Any]]:
    """Batches of one to four commands: legal as far as the real draws go, then whatever was ever legal."""
    for length in range(BATCHES):
        begun = list(islice(ahead(loaded, by, dice), length % 4))
        yield [*begun, *(dice.choice(known) for _ in range(1 + dice.randrange(2)))]
        if begun:
            yield begun


@EVERY_TABLE
def test_matches_that_look_alike_to_a_seat_answer_each_of_its_batches_alike(
    game: AnyGame, table: Table, dice: random.Random
) -> None:
    play = simulated_play()
    asked = creation(game, table.seats, options=table.options)
    first = lay_table(play, game, asked, dice.randbytes(32))
    match = [first, *played(play, first, dice)]
    known = [command for loaded in match for _, command in choices(loaded)[:2]]
    answers = Counter[str]()
    for loaded in dice.sample(match, min(LOOKS, len(match))):
        for by in map(seat_name, range(table.seats)):
            other = other_world(loaded, viewer_of(by), dice)
            for batch in batches(loaded, by, known, dice):
                one, two = (answer(world, batch, by) for world in (loaded, other))
                assert one == two
                answers[one[0]] += 1
            assert rehearsed(loaded, batch, by) == (one if one[0] != "accepted" else one[:1])
    assert {"accepted", PAST} < set(answers)


@EVERY_TABLE
def test_matches_that_look_alike_to_a_host_answer_each_of_its_batches_alike(
    game: AnyGame, table: Table, dice: random.Random
) -> None:
    answers = Counter[str]()
    for vacant in range(min(3, table.seats + 1)):
        play = simulated_play()
        asked = creation(game, table.seats, vacant=vacant, options=table.options)
        first = lay_table(play, game, asked, dice.randbytes(32))
        match = [first] if vacant else [first, *played(play, first, dice)]
        for loaded in (first, *dice.sample(match, min(LOOKS, len(match)))):
            other = other_world(loaded, None, dice)
            for batch in ([CloseMatch()] * 2, *(dice.choices(HOSTS, k=4) for _ in range(BATCHES))):
                one, two = (answer(world, batch, HOST) for world in (loaded, other))
                assert one == two
                assert rehearsed(loaded, batch, HOST) == (one if one[0] != "accepted" else one[:1])
                answers[one[0]] += 1
    assert {PAST, "no_players_seat" if table.seats == 1 else "not_open"} <= set(answers)


def test_no_batch_tells_what_a_column_draws() -> None:
    play = simulated_play()
    loaded = lay(play, 2)
    by, _ = choices(loaded)[0]
    for column in range(1, 6):
        for tile in (*range(1, 100), 999):
            assert answer(loaded, [ChooseColumn(column), TakeTile(tile, 0, 0)], by)[:2] == (PAST, 1)
    assert answer(loaded, [ChooseColumn(9), TakeTile(999)], by)[:2] == ("out_of_bounds", 0)


def test_nothing_of_a_batch_that_reaches_past_chance_is_stored_and_its_key_is_free() -> None:
    play = simulated_play()
    loaded = lay(play, 2)
    by, column = choices(loaded)[0]
    request = Request(by, key="key")
    with pytest.raises(CommandRefusedError) as refused:
        play.do(loaded, [column, TakeTile(999)], request)
    assert (refused.value.rule.code, refused.value.index, refused.value.version) == (PAST, 1, 1)
    assert (play.journal.head(loaded.id).version, play.journal.answer(loaded.id, "key")) == (1, None)
    assert play.do(loaded, [column], request).loaded.version == 2


def test_a_player_who_goes_twice_may_send_the_end_of_one_turn_with_the_beginning_of_the_next() -> None:
    play = simulated_play()
    loaded = lay(play, 2)
    turns = 0
    while loaded.state.status == "playing" and turns < 2:
        by, before = choices(loaded)[0][0], loaded
        loaded = move(play, loaded).loaded
        if before.state.position.turn is None or loaded.state.position.turn is not None:
            continue
        listed = choices(loaded)
        goes_on, drew = by == listed[0][0], before.state.position.bag != loaded.state.position.bag
        batch = [choices(before)[0][1], listed[0][1]]
        expected = ("accepted",) if goes_on and not drew else (PAST, 1)
        assert answer(before, batch, by)[: len(expected)] == expected
        turns += expected == ("accepted",)
    assert turns
