"""The rules and the second reading of the rulebook agree, fact by fact, in thousands of random matches."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import Any

import pytest

from domain.chance import Chance
from domain.errors import RuleBroken
from domain.game import Table
from domain.games.nonsense import GAME
from domain.games.nonsense import events as e
from domain.games.nonsense.adventures import adventures, check_adventure
from domain.games.nonsense.commands import TellAdventure
from tests.games.nonsense.scenarios import Scenario, at_random, eager, play
from tests.games.nonsense.second_reading import Fact, Reading, adventure_error, legal_moves, read_tables
from tests.games.nonsense.table import BOX, DESTINATIONS

CORE = GAME.editions["core"].components
PRINTED = read_tables(CORE["cards"], CORE["destinations"], CORE["shops"])
MATCHES, CHUNKS = 100, 4  # so many matches a chunk, so many chunks a number of seats: 2,000 in all
KINDS = ((eager, 200), (eager, 30), (eager, 20), (at_random, 20), (at_random, 12))  # who plays; stall limit
FACTS = {  # what a player or chance decided, in the words of the second reading; the rest follows from it
    e.CardDealt: "dealt", e.CardAdded: "refilled", e.PawnMoved: "moved", e.CardForfeited: "paid",
    e.PointsLost: "paid", e.CardTaken: "took", e.ShopPassed: "passed", e.CardTraded: "traded",
    e.CardDrawn: "drew", e.AdventureTold: "told", e.DieRolled: "rolled",
}  # fmt: skip
CODES = {  # of a refusal, for each word of the second reading
    None: {"valid"}, "destination": {"unknown_destination"}, "hand": {"card_not_in_hand", "card_repeated"},
    "types": {"type_repeated", "card_repeated"}, "worthless": {"worthless_card"}, "few": {"too_few_cards"},
}  # fmt: skip
CASES = {  # a dial goes down and up, or is at its stop already
    *("down True", "down False", "up True", "up False", "die of the tale", "a one"),
    *("one owes", "several owe", "a tale empties the hand", "below zero"),
    *("DeckReshuffled", "ShopFoundEmpty", "TargetReached", "MatchStalled"),
}


@dataclass
class Match:
    """A match as the rules played it: every event and every fact with the state before it, and its end."""

    stall: int
    end: Any
    events: list[tuple[Any, Any]] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    due: list[Any] = field(default_factory=list)

    def tell(self, events: Sequence[Any]) -> None:
        for event in events:
            if what := FACTS.get(type(event)):
                self.due.append(self.end)
                self.facts.append(fact_of(event, "laid" if (what, self.end.stage) == SET_UP else what))
            self.events.append((self.end, event))
            self.end = GAME.evolve(self.end, event)


SET_UP = ("refilled", "move")  # later on, a card is added once the action of a turn is over


def fact_of(event: Any, what: str) -> Fact:
    """An event in the words of the second reading."""
    cards = getattr(event, "cards", (event.card,) if hasattr(event, "card") else ())
    to = getattr(event, "to", getattr(event, "destination", ""))
    return Fact(what, getattr(event, "seat", -1), cards, to, getattr(event, "face", 0))


def played(scenario: Scenario) -> Match:
    """The match of a recipe."""
    match = Match(int(scenario.table.options["stall_limit"]), GAME.initial(BOX, scenario.table))
    match.tell(GAME.setup(match.end, Chance(bytes.fromhex(scenario.seed))))
    for step in play(scenario):
        match.tell(step.events)
    return match


def matches(seats: int, chunk: int) -> Iterator[Match]:
    """The random matches of a chunk, the same ones every time."""
    for number in range(chunk * MATCHES, (chunk + 1) * MATCHES):
        chooser, stall = KINDS[number % len(KINDS)]
        seed = random.Random(f"{seats} {number}").randbytes(32).hex()
        yield played(Scenario("", Table(seats, {"stall_limit": stall}), seed, chooser))


def last_turns_end(match: Match) -> int:
    """How many facts there are until the last turn's action is over: after that the board is refilled."""
    last = max(n for n, fact in enumerate(match.facts) if fact.what not in ("refilled", "paid"))
    refills = (n for n, fact in enumerate(match.facts) if n > last and fact.what == "refilled")
    return min(refills, default=len(match.facts))


def compare(match: Match) -> None:
    """Turn, professor, scores, dials and debts whenever something was to be decided; the end in full."""
    outcome, start, upto = GAME.outcome(match.end), match.due[0], last_turns_end(match)
    at, seats, end = start.ring.index(start.professor), len(start.players), (*match.due, match.end)[upto]
    ring, first = (*start.ring[at:], *start.ring[:at]), start.turn
    reading = Reading(match.facts[:upto], PRINTED, ring=ring, seats=seats, first=first, stall=match.stall)
    for state, (turn, professor, scores, dials, owing) in zip(match.due[:upto], reading.before, strict=True):
        assert (state.turn, state.professor, {*state.owing}) == (turn, professor, owing)
        assert [player.points for player in state.players] == scores
        assert dict(zip(DESTINATIONS, state.dials, strict=True)) == dials
        assert GAME.to_act(state) == (tuple(sorted(owing)) or (turn,))
    assert [sheet.total for sheet in GAME.score(end, None)] == reading.scores
    assert [{*player.hand} for player in end.players] == reading.hands
    assert end.face_up == reading.board
    assert (end.deck | end.discards) == (reading.deck | reading.discards)
    if GAME.score(end, None) == GAME.score(match.end, None):  # else see the last test
        assert outcome is not None
        assert {*outcome.winners} == reading.winners


def compare_choices(match: Match, dice: random.Random) -> Iterator[str | None]:
    """All moves; an adventure of somebody's hand in every state; every adventure where one is told."""
    for state, fact in zip(match.due, match.facts, strict=True):
        player = state.acting
        if fact.what == "moved":
            moves = [command.to for command in GAME.legal(state, state.turn)]
            assert len(moves) == len({*moves})
            assert {*moves} == legal_moves(PRINTED, player.place, player.hand, state.ring)
        if fact.what == "told" and len(player.hand) <= 7:
            compare_all_adventures(player.hand)
        hand, to = dice.choice(state.players).hand, dice.choice((*DESTINATIONS, "moon"))
        cards = some_cards(hand, to, dice)
        error = adventure_error(PRINTED, to, hand, cards)
        assert refusal(hand, to, cards) in CODES[error]
        yield error


def some_cards(hand: frozenset[int], to: str, dice: random.Random) -> tuple[int, ...]:
    """Some of a hand, often a sensible choice, now and then with one that is not there, or there already."""
    cards = dice.sample(sorted(hand), len(hand))
    if dice.random() < 0.5:
        cards = [card for card in cards if PRINTED.worth.get((card, to))]
    if dice.random() < 0.7:
        cards = [*{PRINTED.kind[card]: card for card in cards}.values()]
    if dice.random() < 0.1:
        cards = [dice.randrange(1, 90), *cards]
    return tuple(cards[: dice.randrange(1, 9)])


def refusal(hand: frozenset[int], to: str, cards: tuple[int, ...]) -> str:
    """What the rules say to an adventure."""
    try:
        check_adventure(BOX, hand, TellAdventure(to, cards))
    except RuleBroken as broken:
        return broken.code
    return "valid"


def compare_all_adventures(hand: frozenset[int]) -> None:
    """The rules list each adventure that the second reading finds valid, once."""
    listed = sorted((tale.destination, tuple(sorted(tale.cards))) for tale in adventures(BOX, hand))
    subsets = [*chain.from_iterable(combinations(sorted(hand), size) for size in range(1, 7))]
    pairs = [(to, cards) for to in DESTINATIONS for cards in subsets]
    assert listed == sorted(pair for pair in pairs if not adventure_error(PRINTED, pair[0], hand, pair[1]))


def cases(match: Match) -> Iterator[str]:
    """What happened in a match."""
    told = ""
    for state, event in match.events:
        match event:
            case e.PenaltiesOwed(seats):
                yield "several owe" if len(seats) > 1 else "one owes"
            case e.AdventureTold(destination=told):
                yield f"down {state.bonus(told) > min(PRINTED.stops[told])}"
            case e.DieRolled(face) if (to := PRINTED.by_face.get(face, told)) != told:
                yield f"up {state.bonus(to) < max(PRINTED.stops[to])}"
            case e.DieRolled(face):
                yield "a one" if face == 1 else "die of the tale"
            case e.CardDrawn() if state.acting.place == "club":
                yield "a tale empties the hand"
            case e.PointsLost(seat, points) if state.players[seat].points < points:
                yield "below zero"
            case _:
                yield type(event).__name__


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("seats", [2, 3, 4, 6, 8])
def test_both_readings_agree_on_every_turn_debt_dial_and_score(seats: int, chunk: int) -> None:
    seen, errors = set[str](), set[str | None]()
    for number, match in enumerate(matches(seats, chunk)):
        compare(match)
        errors.update(compare_choices(match, random.Random(number)))
        seen.update(cases(match))
    assert seen >= CASES
    assert errors == {*CODES}
