"""Where commands and events name a player.

A name can be forgotten, and a log without it must still be decided again: so no rule depends on what a name
is, and the service gives the rules a handle in its place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from domain.match.commands import CreateMatch, TakeSeat
from domain.match.events import MatchCreated, SeatTaken

Command = TypeVar("Command")


def named(thing: Any) -> dict[str, int]:
    """Where a command or event names a player, by JSON pointer, and the number of their seat."""
    match thing:
        case CreateMatch(seats=seats) | MatchCreated(seats=seats):
            return {f"/seats/{number}/name": number for number, seat in enumerate(seats) if seat.player}
        case TakeSeat(seat=number) | SeatTaken(seat=number):
            return {"/name": number}
    return {}


def named_pointers(command: Any, events: Sequence[Any]) -> dict[str, int]:
    """Where a commit names players, by JSON pointer, and the number of each one's seat."""
    found = {f"/command{pointer}": seat for pointer, seat in named(command).items()}
    for index, event in enumerate(events):
        found |= {f"/events/{index}{pointer}": seat for pointer, seat in named(event).items()}
    return found


def names_in(command: Any) -> dict[int, str]:
    """The names that a command gives, by seat."""
    match command:
        case CreateMatch(seats=seats):
            return {n: seat.name for n, seat in enumerate(seats) if seat.player and seat.name is not None}
        case TakeSeat(seat=number, name=name):
            return {number: name}
    return {}


def renamed(command: Command, names: Mapping[int, str]) -> Command:
    """The command with other names, by seat."""
    match command:
        case CreateMatch(seats=seats):
            again = (replace(seat, name=names.get(n, seat.name)) for n, seat in enumerate(seats))
            return replace(command, seats=tuple(again))
        case TakeSeat(seat=number, name=name):
            return replace(command, name=names.get(number, name))
    return command
