"""What happens by itself once nobody owes a decision: After the Adventure, Between Turns, the stall limit."""

from domain.chance import Chance
from domain.game import Story
from domain.games.nonsense import events as e
from domain.games.nonsense.components import CLUB, DIE, ON_THE_BOARD
from domain.games.nonsense.deck import draw_to_hand, top_card
from domain.games.nonsense.professor import walk
from domain.games.nonsense.state import State

Tale = Story[State, e.Event]


def go_on(story: Tale, chance: Chance) -> None:
    """Step after step until a penalty, a move or an action is owed, or the match is over (N4)."""
    while not story.state.owing:
        state = story.state
        match state.stage:
            case "action" if state.acting.place in state.ring and not state.at_shop(state.acting.place):
                story.tell(e.ShopFoundEmpty(state.turn))
            case "aftermath":
                after_adventure(story, chance)
            case "refill":
                refill(story, chance)
            case _:
                return


def after_adventure(story: Tale, chance: Chance) -> None:
    """Dial down, die, dial up, a card for an empty hand; the Professor has walked and been paid (N10)."""
    seat, places = story.state.turn, story.state.box.destinations
    told = story.state.acting.adventures[-1].destination
    turn_dial(story, e.DialTurned(told, places[told].below(story.state.bonus(told))))
    face = chance.draw(f"die/{story.state.rolls + 1}", DIE)
    story.tell(e.DieRolled(face))
    for name, place in places.items():
        if place.face == face and name != told:
            turn_dial(story, e.DialTurned(name, place.above(story.state.bonus(name))))
    if not story.state.acting.hand:
        draw_to_hand(story, seat, chance)


def turn_dial(story: Tale, event: e.DialTurned) -> None:
    """A dial at its lowest or highest value stays there, and nothing is told."""
    if event.bonus != story.state.bonus(event.destination):
        story.tell(event)


def refill(story: Tale, chance: Chance) -> None:
    """One card for the board, with its step and penalties; the turn ends when none is owed or to be had.

    An arrow counts if it is at least the number of players (N11). A board that could not be refilled for want
    of cards is tried again after the next turn (N12). After the turn that reaches the stall limit there is no
    next one to refill it for (N14).
    """
    state = story.state
    stalls = quiet_after(state) == state.stall_limit > 0
    card = top_card(story, chance) if len(state.face_up) < ON_THE_BOARD and not stalls else None
    if card is None:
        end_turn(story)
        return
    story.tell(e.CardAdded(state.box.shop_of(card), card))
    if state.box.cards[card].arrow >= len(state.players):
        walk(story)


def end_turn(story: Tale) -> None:
    """The next player's turn, unless too many in a row brought no adventure (N14)."""
    state = story.state
    story.tell(e.TurnEnded(state.turn, (state.turn + 1) % len(state.players), quiet_after(state)))
    state = story.state
    if state.quiet == state.stall_limit > 0:
        story.tell(e.MatchStalled(state.quiet))


def quiet_after(state: State) -> int:
    """Turns in a row without an adventure, with this one; who ends it in the Club has told one (N8, N14)."""
    return 0 if state.acting.place == CLUB else state.quiet + 1
