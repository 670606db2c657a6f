"""Junk Drawer, for 1 to 4 players: everybody places the same item at the same time, in four compartments."""

from dataclasses import replace

from domain.editions import read_glossary
from domain.game import Game
from domain.games.drawer import commands, events
from domain.games.drawer.commands import Command
from domain.games.drawer.components import box
from domain.games.drawer.events import Event
from domain.games.drawer.first_rules import first_rules
from domain.games.drawer.imagine import imagine
from domain.games.drawer.legal import legal, to_act
from domain.games.drawer.options import EDITIONS, OPTIONS
from domain.games.drawer.reducer import evolve
from domain.games.drawer.refusals import DrawerRefusal
from domain.games.drawer.rules import tell
from domain.games.drawer.scoring import RESULTS, SCORE_PARTS, outcome, score
from domain.games.drawer.setup import initial, setup
from domain.games.drawer.state import State
from domain.games.drawer.view import reveals, view
from domain.rulebook import read_rulebook

NEWEST: Game[State, Command, Event] = Game(
    name="drawer",
    title="Junk Drawer",
    rulebook=read_rulebook(__name__),
    refusals=tuple(DrawerRefusal),
    glossary=read_glossary(__name__),
    rules_version=2,
    seats=range(1, 5),
    options=OPTIONS,
    editions=EDITIONS,
    default_edition="core",
    state=State,
    commands=commands.PLAYER_COMMANDS,
    events=events.EVENTS,
    endings=events.ENDINGS,
    results=RESULTS,
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

GAME = replace(NEWEST, older=(first_rules(NEWEST),))
