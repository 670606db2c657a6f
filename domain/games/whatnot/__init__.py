"""The Whatnot Cabinet, for 1 to 4 players: two tiles a turn, twelve spaces, lines and sets."""

from domain.editions import read_editions, read_glossary
from domain.game import Game, Table
from domain.games.whatnot import commands, events
from domain.games.whatnot.commands import Command
from domain.games.whatnot.components import box
from domain.games.whatnot.events import Event
from domain.games.whatnot.imagine import imagine
from domain.games.whatnot.legal import legal, to_act
from domain.games.whatnot.reducer import evolve
from domain.games.whatnot.refusals import WhatnotRefusal
from domain.games.whatnot.rules import tell
from domain.games.whatnot.scoring import RESULTS, SCORE_PARTS, outcome, score
from domain.games.whatnot.setup import initial, setup
from domain.games.whatnot.state import State
from domain.games.whatnot.view import view
from domain.options import Option
from domain.rulebook import read_rulebook


def automata(table: Table) -> tuple[str, ...]:
    """Alone, one plays against the rival (Solo Play)."""
    return ("Rival",) if table.seats == 1 else ()


GAME: Game[State, Command, Event] = Game(
    name="whatnot",
    title="The Whatnot Cabinet",
    rulebook=read_rulebook(__name__),
    refusals=tuple(WhatnotRefusal),
    glossary=read_glossary(__name__),
    rules_version=1,
    seats=range(1, 5),
    options=(Option("advanced", False, "Play without the tiles that carry a flower (1 or 2 players only)."),),
    editions=read_editions(__name__),
    default_edition="core",
    state=State,
    commands=commands.PLAYER_COMMANDS,
    automaton_commands=commands.AUTOMATON_COMMANDS,
    events=events.EVENTS,
    endings=events.ENDINGS,
    results=RESULTS,
    score_parts=SCORE_PARTS,
    automata=automata,
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
)
