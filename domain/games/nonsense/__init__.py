"""Stuff and Nonsense, for 2 to 8 players: collect cards in the shops, tell adventures in the club."""

from domain.editions import read_editions, read_glossary
from domain.game import Game
from domain.games.nonsense import commands, events
from domain.games.nonsense.commands import Command
from domain.games.nonsense.components import box
from domain.games.nonsense.events import Event
from domain.games.nonsense.imagine import imagine
from domain.games.nonsense.legal import legal, to_act
from domain.games.nonsense.reducer import evolve
from domain.games.nonsense.refusals import NonsenseRefusal
from domain.games.nonsense.rules import tell
from domain.games.nonsense.scoring import RESULTS, SCORE_PARTS, outcome, score
from domain.games.nonsense.setup import initial, setup
from domain.games.nonsense.state import State
from domain.games.nonsense.view import view
from domain.options import Option
from domain.rulebook import read_rulebook

STALL_LIMIT = Option(
    "stall_limit",
    200,
    "The match ends after this many turns in a row without an adventure; 0 for no limit.",
    minimum=0,
    maximum=10_000,
)


GAME: Game[State, Command, Event] = Game(
    name="nonsense",
    title="Stuff and Nonsense",
    rulebook=read_rulebook(__name__),
    refusals=tuple(NonsenseRefusal),
    glossary=read_glossary(__name__),
    rules_version=1,
    seats=range(2, 9),
    options=(STALL_LIMIT,),
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
