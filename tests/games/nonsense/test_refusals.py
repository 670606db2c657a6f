"""Whatever is asked, the rules answer with events, or with a code and a sentence, as the twin judges."""

import random

import pytest

from domain.chance import Chance
from domain.errors import RuleBroken
from domain.games.nonsense import GAME
from domain.games.nonsense.commands import Command, Move, Pass, PayPenalty, TakeCard, TellAdventure, TradeCard
from domain.games.nonsense.state import State
from tests.games.nonsense.twin import is_legal
from tests.playing import play_out, seated

WORDS = ("", "club", "market", "pub", "cafe", "é☃", "x" * 5000, "africa", "everest", "amazon")
STRANGE = (0, -1, 85, 999, 1000, 10**25)
LONGEST = 400  # letters of a sentence; a hand may be named in it


def anything(hand: list[int], draw: random.Random) -> Command:
    """A well-typed command, sensible or not."""
    word, number = draw.choice(WORDS), draw.choice([*hand, *STRANGE, draw.randrange(1, 85)])
    cards = tuple(draw.choice([*hand, number]) for _ in range(draw.choice([0, 1, 2, 2, 3, 3, 6, 500])))
    paid = draw.choice([None, number]), draw.choice([None, True, False])
    said: list[Command] = [Move(word), TakeCard(number), Pass(), TradeCard(number), PayPenalty(*paid)]
    return draw.choice([*said, TellAdventure(word, cards)])


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_a_command_is_accepted_exactly_if_the_twin_finds_it_legal_and_else_refused_with_a_sentence(
    seats: int,
) -> None:
    draw, chance, accepted = random.Random(seats), Chance(bytes(32)), 0
    for step in play_out(GAME, seated(GAME, seats), bytes([seats]) * 32, random.Random(seats)):
        for seat in range(seats):
            command = anything(sorted(step.before.players[seat].hand), draw)
            legal = seat in GAME.to_act(step.before) and is_legal(step.before, command, seat)
            if legal:
                assert GAME.decide(step.before, command, seat, chance)
            else:
                check_refusal(step.before, command, seat)
            accepted += legal
    assert accepted > 20, "this test has seen both answers"


def check_refusal(state: State, command: Command, seat: int) -> None:
    with pytest.raises(RuleBroken) as refused:
        GAME.decide(state, command, seat, Chance(bytes(32)))
    assert refused.value.code.isidentifier()
    assert refused.value.code == refused.value.code.lower()
    assert refused.value.sentence.endswith(".")
    assert len(refused.value.sentence) < LONGEST
