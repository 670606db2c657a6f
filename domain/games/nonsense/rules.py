"""What a command causes, in rulebook order: move, meet the Professor, do what fits the place."""

from collections.abc import Iterable
from typing import NoReturn, assert_never

from domain.chance import Chance
from domain.errors import RuleBroken, listed
from domain.fields import check_bounds
from domain.games.nonsense import events as e
from domain.games.nonsense.adventures import check_adventure
from domain.games.nonsense.between import Tale, go_on
from domain.games.nonsense.commands import Command, Move, Pass, PayPenalty, TakeCard, TellAdventure, TradeCard
from domain.games.nonsense.components import CLUB, MARKET
from domain.games.nonsense.deck import draw_to_hand
from domain.games.nonsense.legal import near, open_places, owed
from domain.games.nonsense.professor import meet, walk
from domain.games.nonsense.refusals import NonsenseRefusal
from domain.games.nonsense.state import State


def tell(story: Tale, command: Command, seat: int, chance: Chance) -> None:
    """Let happen what a command of a seat causes; RuleBroken if the rules refuse it."""
    check_bounds(command)
    match command:
        case Move(to):
            move(story, seat, to)
        case TakeCard(card):
            take_card(story, seat, card)
        case Pass():
            pass_shop(story, seat)
        case TradeCard(card):
            trade_card(story, seat, card, chance)
        case TellAdventure():
            tell_adventure(story, seat, command)
        case PayPenalty():
            pay_penalty(story, seat, command)
        case _:
            assert_never(command)
    go_on(story, chance)


def move(story: Tale, seat: int, to: str) -> None:
    """On Each Turn: one step or none; entering the Professor's space costs, staying there does not (N3)."""
    _expect(story.state, "move")
    player = story.state.players[seat]
    if to not in open_places(story.state, player):
        _refuse_place(story.state, seat, to)
    story.tell(e.PawnMoved(seat, to))
    if to == story.state.professor and to != player.place:
        meet(story, (seat,))


def pay_penalty(story: Tale, seat: int, command: PayPenalty) -> None:
    """Meeting the Professor: discard a card, or lose a point for every card in hand (N4)."""
    _expect(story.state, "pay_penalty")
    hand = story.state.players[seat].hand
    match command:
        case PayPenalty(card=None, points=True):
            story.tell(e.PointsLost(seat, len(hand)))
        case PayPenalty(card=int(card), points=None):
            _check_card(card, hand, NonsenseRefusal.CARD_NOT_IN_HAND, "in your hand")
            story.tell(e.CardForfeited(seat, card))
        case _:
            raise RuleBroken(
                NonsenseRefusal.ONE_WAY_TO_PAY, "Send exactly one of these: card, or points: true."
            )


def take_card(story: Tale, seat: int, card: int) -> None:
    """At a Shop: one of its cards (N6)."""
    _expect(story.state, "take_card")
    there = story.state.at_shop(story.state.players[seat].place)
    _check_card(card, there, NonsenseRefusal.CARD_NOT_THERE, "in your shop")
    story.tell(e.CardTaken(seat, card))


def pass_shop(story: Tale, seat: int) -> None:
    """At a Shop: none of its cards (N6)."""
    _expect(story.state, "pass")
    story.tell(e.ShopPassed(seat))


def trade_card(story: Tale, seat: int, card: int, chance: Chance) -> None:
    """At the Market: discard a card, then draw one (N7)."""
    _expect(story.state, "trade_card")
    _check_card(card, story.state.players[seat].hand, NonsenseRefusal.CARD_NOT_IN_HAND, "in your hand")
    story.tell(e.CardTraded(seat, card))
    draw_to_hand(story, seat, chance)


def tell_adventure(story: Tale, seat: int, command: TellAdventure) -> None:
    """At the Adventurer's Club: score, then win at once or let the Professor walk (N9, N10)."""
    _expect(story.state, "tell_adventure")
    state, destination = story.state, command.destination
    check_adventure(state.box, state.players[seat].hand, command)
    values = tuple(state.box.value(card, destination) for card in command.cards)
    story.tell(e.AdventureTold(seat, destination, command.cards, values, state.bonus(destination)))
    if story.state.players[seat].points >= state.target:
        story.tell(e.TargetReached(seat))
    else:
        walk(story)


def _expect(state: State, command: str) -> None:
    """RuleBroken if something else is owed."""
    if command not in owed(state):
        raise RuleBroken(NonsenseRefusal.NOT_NOW, f"Send {' or '.join(owed(state))} now, not {command}.")


def _check_card(card: int, among: Iterable[int], refusal: NonsenseRefusal, where: str) -> None:
    if card not in among:
        raise RuleBroken(
            refusal,
            f"Card {card} is not {where}. Cards {where}: {listed(sorted(among))}.",
        )


def _refuse_place(state: State, seat: int, to: str) -> NoReturn:
    """A place that is too far, or near and shut."""
    player = state.players[seat]
    places = f"From {player.place} you can go to: {', '.join(open_places(state, player))}"
    if to not in (*state.ring, MARKET, CLUB):
        raise RuleBroken(NonsenseRefusal.NOT_WITHIN_A_STEP, f"There is no such place. {places}.")
    if to not in near(state, player.place):
        raise RuleBroken(
            NonsenseRefusal.NOT_WITHIN_A_STEP, f"That place is more than one step away. {places}."
        )
    if to == MARKET:
        raise RuleBroken(
            NonsenseRefusal.MARKET_NEEDS_A_CARD, f"You need a card in hand to go to the market. {places}."
        )
    assert to == CLUB, "shops are never shut"
    raise RuleBroken(
        NonsenseRefusal.CLUB_NEEDS_AN_ADVENTURE,
        f"You need a valid adventure in hand to be in the club. {places}.",
    )
