"""The state after an event: moves cards, pawns and dials as told, and judges nothing."""

from typing import assert_never

from domain.changed import replace, replace_at
from domain.games.nonsense import events as e
from domain.games.nonsense.state import Adventure, State


def evolve(state: State, event: e.Event) -> State:  # noqa: C901, PLR0911, PLR0912  one arm an event
    """The state after `event`."""
    match event:
        case e.ShopsArranged(ring):
            return replace(state, ring=ring)
        case e.ProfessorPlaced(shop) | e.ProfessorMoved(shop):
            return replace(state, professor=shop)
        case e.FirstPlayerChosen(seat):
            return replace(state, turn=seat, stage="move")
        case e.CardDealt(seat, card) | e.CardDrawn(seat, card):
            return _gain(replace(state, deck=state.deck - {card}), seat, card)
        case e.CardAdded(card=card):
            return replace(state, deck=state.deck - {card}, face_up=state.face_up | {card})
        case e.DeckReshuffled():
            deck, reshuffles = state.deck | state.discards, state.reshuffles + 1
            return replace(state, deck=deck, discards=frozenset(), reshuffles=reshuffles)
        case e.PawnMoved(seat, to):
            return _player(replace(state, stage="action"), seat, place=to)
        case e.PenaltiesOwed(seats):
            return replace(state, owing=seats)
        case e.CardForfeited(seat, card):
            return _discard(_settle(state, seat), seat, card)
        case e.PointsLost(seat, points):
            return _player(_settle(state, seat), seat, lost=state.players[seat].lost + points)
        case e.ShopFoundEmpty() | e.ShopPassed():
            return replace(state, stage="refill")
        case e.CardTaken(seat, card):
            taken = replace(state, face_up=state.face_up - {card}, stage="refill")
            return _gain(taken, seat, card)
        case e.CardTraded(seat, card):
            return _discard(replace(state, stage="refill"), seat, card)
        case e.AdventureTold(seat, destination, cards, values, bonus):
            told = (*state.players[seat].adventures, Adventure(destination, cards, values, bonus))
            turned_in = _discard(replace(state, stage="aftermath"), seat, *cards)
            return _player(turned_in, seat, adventures=told)
        case e.TargetReached() | e.MatchStalled():
            return replace(state, stage="over")
        case e.DialTurned(destination, bonus):
            shown = zip(state.box.destinations, state.dials, strict=True)
            return replace(state, dials=tuple(bonus if n == destination else old for n, old in shown))
        case e.DieRolled():
            return replace(state, rolls=state.rolls + 1, stage="refill")
        case e.TurnEnded(next_seat=seat, quiet=quiet):
            return replace(state, turn=seat, stage="move", quiet=quiet)
        case _:
            assert_never(event)


def _player(state: State, seat: int, **changes: object) -> State:
    return replace(state, players=replace_at(state.players, seat, **changes))


def _gain(state: State, seat: int, card: int) -> State:
    return _player(state, seat, hand=state.players[seat].hand | {card})


def _discard(state: State, seat: int, *cards: int) -> State:
    thrown = replace(state, discards=state.discards | {*cards})
    return _player(thrown, seat, hand=state.players[seat].hand - {*cards})


def _settle(state: State, seat: int) -> State:
    return replace(state, owing=tuple(other for other in state.owing if other != seat))
