"""Stash, for 2 to 4 players: a hand of hidden cards, one trick after the other, most tricks win."""

from domain.editions import read_editions, read_glossary
from domain.game import Game
from domain.options import Option
from domain.rulebook import read_rulebook
from stash import commands, events
from stash.commands import Command
from stash.components import box
from stash.events import Event
from stash.imagine import imagine
from stash.legal import legal, to_act
from stash.reducer import evolve
from stash.refusals import StashRefusal
from stash.rules import tell
from stash.scoring import RESULTS, SCORE_PARTS, outcome, score
from stash.setup import initial, setup
from stash.state import State
from stash.view import view

GAME: Game[State, Command, Event] = Game(
    name="stash",
    title="Stash",
    rulebook=read_rulebook(__name__),
    refusals=tuple(StashRefusal),
    glossary=read_glossary(__name__),
    rules_version=1,
    seats=range(2, 5),
    options=(
        Option("hand", 5, "How many cards everybody is dealt.", minimum=2, maximum=7),
        Option("trumps", "drawn", "Whether a suit is drawn as trumps.", choices=("drawn", "none")),
    ),
    editions=read_editions(__name__),
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
)
