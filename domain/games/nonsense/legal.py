"""Whose decision is owed, what for, and every command that may answer it."""

from collections.abc import Iterator

from domain.games.nonsense.adventures import adventures, can_tell
from domain.games.nonsense.commands import Command, Move, Pass, PayPenalty, TakeCard, TradeCard
from domain.games.nonsense.components import CLUB, MARKET
from domain.games.nonsense.state import Player, State


def to_act(state: State) -> tuple[int, ...]:
    """The seats that owe a penalty, in whatever order they like (N4); else the seat whose turn it is."""
    if state.stage in ("setup", "over"):
        return ()
    return state.owing or (state.turn,)


def owed(state: State) -> tuple[str, ...]:
    """The types of command that who is to act may give."""
    if state.owing:
        return ("pay_penalty",)
    if state.stage == "move":
        return ("move",)
    return {MARKET: ("trade_card",), CLUB: ("tell_adventure",)}.get(state.acting.place, ("take_card", "pass"))


def legal(state: State, seat: int) -> Iterator[Command]:
    """A seat's commands: places around the ring, market, club; cards rising, then the way without a card."""
    if seat not in to_act(state):
        return
    player = state.players[seat]
    match owed(state)[0]:
        case "pay_penalty":
            yield from map(PayPenalty, sorted(player.hand))
            yield PayPenalty(points=True)
        case "move":
            yield from map(Move, open_places(state, player))
        case "trade_card":
            yield from map(TradeCard, sorted(player.hand))
        case "tell_adventure":
            yield from adventures(state.box, player.hand)
        case _:
            yield from map(TakeCard, state.at_shop(player.place))
            yield Pass()


def near(state: State, place: str) -> tuple[str, ...]:
    """The places within a step, the place itself included, in the order of `legal` (On Each Turn)."""
    ring = state.ring
    if place not in ring:
        return (*ring, MARKET, CLUB)
    here = ring.index(place)
    shops = {ring[here - 1], place, ring[(here + 1) % len(ring)]}
    return (*(shop for shop in ring if shop in shops), MARKET, CLUB)


def open_places(state: State, player: Player) -> tuple[str, ...]:
    """Those near that may be chosen: the Market needs a card, the Club an adventure (N7, N8)."""
    shut = set()
    if not player.hand:
        shut.add(MARKET)
    if not can_tell(state.box, player.hand):
        shut.add(CLUB)
    return tuple(place for place in near(state, player.place) if place not in shut)
