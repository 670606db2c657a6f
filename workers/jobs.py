"""The jobs, named by what they do; arguments are ids and integers.

A job carries the version that called for it: run late, doubled or again, it changes nothing.
"""

from service.bootstrap import dependencies
from workers import bots


def take_turn(match: str, version: int) -> bool:
    """Let the automaton or bot that is to act do so, one if there are several; False if the match went on."""
    return dependencies().play.run(match, version, "take_turn", bots.choose)


def score_match(match: str, version: int) -> bool:
    """Write the final score and reveal the seed; False if that has been done."""
    return dependencies().play.run(match, version, "score_match")
