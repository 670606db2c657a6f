"""Junk Drawer, for 1 to 4 players: everybody places the same item at the same time, in four compartments."""

from domain.editions import read_editions, read_glossary
from domain.game import Game, Option, Table
from domain.games.drawer import commands, events
from domain.games.drawer.commands import Command
from domain.games.drawer.components import box
from domain.games.drawer.events import Event
from domain.games.drawer.goals import WORDS
from domain.games.drawer.imagine import imagine
from domain.games.drawer.legal import legal, to_act
from domain.games.drawer.reducer import evolve
from domain.games.drawer.refusals import DrawerRefusal
from domain.games.drawer.rules import tell
from domain.games.drawer.scoring import SCORE_PARTS, outcome, score
from domain.games.drawer.setup import initial, setup
from domain.games.drawer.state import State
from domain.games.drawer.view import reveals, view
from domain.games.drawer.wording import READINGS
from domain.rulebook import read_rulebook


def automata(table: Table) -> tuple[str, ...]:  # noqa: ARG001  the contract's shape
    """There are none: alone, one plays against the example scores."""
    return ()


GAME: Game[State, Command, Event] = Game(
    name="drawer",
    title="Junk Drawer",
    rulebook=read_rulebook(__name__),
    refusals=tuple(DrawerRefusal),
    glossary=read_glossary(__name__),
    rules_version=1,
    older=(),
    seats=range(1, 5),
    options=(
        Option(
            "variant",
            "standard",
            "Whether the first item that anyone cannot place ends the match for all, or for that player.",
            choices=("standard", "individual"),
        ),
        Option(
            "goals",
            "random",
            "The organization cards on A to D: random, all of one rating, a suggested scenario, or chosen.",
            choices=WORDS,
        ),
        Option("cards", "", "Only with goals=chosen: four different cards for A to D, such as E1,M3,H2,E4."),
        Option(
            "two_large_gaps",
            "second",
            "Which gap card M1 (two large gaps) scores: the second-largest or the largest.",
            choices=tuple(READINGS),
        ),
    ),
    editions=read_editions(__name__),
    default_edition="core",
    state=State,
    commands=commands.PLAYER_COMMANDS,
    automaton_commands=(),
    events=events.EVENTS,
    automata=automata,
    score_parts=SCORE_PARTS,
    box=box,
    initial=initial,
    setup=setup,
    tell=tell,
    evolve=evolve,
    to_act=to_act,
    legal=legal,
    outcome=outcome,
    score=score,
    view=view,
    imagine=imagine,
    reveals=reveals,
)
