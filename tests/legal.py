"""The order of `legal` in positions of every game, as text: `python -m tests.legal` writes the files.

Bots, dry runs and clients that show the first so many depend on that order, so a change of it is reviewed as
a difference in `legal.txt`, beside the twin of the game. The positions come from one match of random commands
for each table of the twin: some at even distances, and the first in which each type of command was given. A
position is what its seat sees, without what is null, empty, zero or false. Commands that differ in their last
field only share a line.
"""

import random
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from domain.game import Table
from domain.games import AnyGame, games
from domain.stored import stored_as
from service.log.codec import dump_command
from tests.playing import Step, folder_of, play_out, twin_of

FILE = "legal.txt"
SPREAD = 4  # positions of a match at even distances
MOST = 200  # commands of a position


def path_of(game: AnyGame) -> Path:
    """Where the order of a game's legal commands is kept."""
    return folder_of(game) / FILE


def text_of(game: AnyGame) -> str:
    """The order of a game's legal commands, as the code has it."""
    return "\n".join(line for table in twin_of(game).TABLES for line in _match(game, table)) + "\n"


def _match(game: AnyGame, table: Table) -> Iterator[str]:
    steps = list(play_out(game, table, bytes(32), random.Random(7)))
    options = ", ".join(f"{name}={value!r}" for name, value in table.options.items())
    for number in _chosen(steps):
        position = steps[number].before
        for seat in game.to_act(position)[:1]:
            yield f"# {table.seats} seats, {options or 'no options'}, after {number} commands: seat {seat}"
            yield ""
            yield from _position(game.view(position, seat))
            yield ""
            yield from _commands(islice(game.legal(position, seat), MOST))
            yield ""


def _chosen(steps: list[Step]) -> list[int]:
    spread = {number * len(steps) // SPREAD for number in range(SPREAD)}
    kinds = [type(step.command) for step in steps]
    return sorted(spread | {kinds.index(kind) for kind in kinds})


def _position(value: Any, path: str = "") -> Iterator[str]:
    """The leaves of a view, a line each; a board is its rows."""
    if not value:
        return
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _position(inner, f"{path}/{name}")
    elif _is_board(value):
        yield f"{path}: {' / '.join(map(_row, value))}"
    elif isinstance(value, list | tuple) and not all(map(_is_plain, value)):
        for index, inner in enumerate(value):
            yield from _position(inner, f"{path}/{index}")
    else:
        yield f"{path}: {_row(value) if isinstance(value, list | tuple) else _word(value)}"


def _commands(commands: Iterable[Any]) -> Iterator[str]:
    for (kind, fields), alike in groupby(map(_written, commands), key=lambda each: each[:2]):
        yield " ".join((kind, *fields, *(last for *_, last in alike))).rstrip()


def _written(command: Any) -> tuple[str, tuple[str, ...], str]:
    """The type of a command, all of its fields but the last as `name=value`, and the last one's value."""
    raw = dump_command(command)
    fields = [(name, value) for name, value in raw.items() if name not in ("type", "v")]
    if not fields:
        return stored_as(type(command)).name, (), ""
    *first, (name, value) = fields
    return (
        stored_as(type(command)).name,
        (*(f"{n}={_joined(v)}" for n, v in first), f"{name}:"),
        _joined(value),
    )


def _joined(value: Any) -> str:
    return ",".join(map(_word, value)) if isinstance(value, list | tuple) else _word(value)


def _row(things: Iterable[Any]) -> str:
    return " ".join(map(_word, things))


def _word(value: Any) -> str:
    return "." if value is None else str(value)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | str)


def _is_board(value: Any) -> bool:
    rows = value if isinstance(value, list | tuple) else ()
    return bool(rows) and all(isinstance(row, list | tuple) and all(map(_is_plain, row)) for row in rows)


if __name__ == "__main__":
    for each in games().values():
        path_of(each).write_text(text_of(each), encoding="utf-8")
