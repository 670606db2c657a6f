"""Records golden matches for good: `python -m tests.golden GAME [NAME...]`, or `all` of every game.

A recipe of the game's twin is played through the one writer, in a world without time, with a seed that the
host releases at the end, and with secrets that follow from its name. What is kept is the export with every
secret open, gzipped without a date. Folding a golden log guards stored history, deciding it again guards the
rules: so a file is overwritten only `--again`.
"""

import gzip
import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import click

from domain.game import Table
from domain.games import AnyGame, games
from domain.match.commands import CreateMatch, ReleaseSeed, Seat
from domain.match.rules import HOST, seat_name
from service.log.export import lines
from service.matches.aggregate import Aggregate
from service.matches.joining import create_match
from service.matches.play import Play
from service.matches.requests import Request
from service.random_bytes import repeatable
from service.store.memory_journal import MemoryJournal
from tests.playing import folder_of, twin_of
from tests.service.log.goings import GOINGS
from tests.service.log.tables import Named

KEPT_GOINGS = Path(__file__).parent / "service" / "log" / "golden"
SUFFIX = ".ndjson.gz"


class Recipe(Protocol):
    """A match that is always the same: a table, a seed in hex, rules, and who does what, as the dice say."""

    @property
    def table(self) -> Table: ...
    @property
    def seed(self) -> str: ...
    @property
    def rules_version(self) -> int: ...
    def choose(self, state: Any, dice: random.Random, /) -> tuple[int, Any]: ...


def recipes(game: AnyGame) -> Mapping[str, Recipe]:
    """The golden matches that a game's twin names."""
    named: Mapping[str, Recipe] = twin_of(game).GOLDEN
    return named


def path_of(game: AnyGame, name: str) -> Path:
    """Where a golden match is kept."""
    return folder_of(game) / "golden" / (name + SUFFIX)


def read(path: Path) -> list[bytes]:
    """The lines of a golden log."""
    return gzip.decompress(path.read_bytes()).splitlines(keepends=True)


def played(game: AnyGame, name: str) -> list[bytes]:
    """The log of a recipe's match, from creation to the release of its seed."""
    recipe = recipes(game)[name]
    play = Play(MemoryJournal(), lambda: 0, repeatable(f"golden/{game.name}/{name}".encode()))
    seats = tuple(Seat("human", f"Player {seat + 1}") for seat in range(recipe.table.seats))
    command = CreateMatch(game.name, game.default_edition, recipe.table.options, seats)
    caller = Named(key=f"golden/{game.name}/{name}", secret=bytes(32))
    loaded = create_match(play, game, command, caller, bytes.fromhex(recipe.seed)).loaded
    dice = random.Random(recipe.seed)
    while loaded.state.status != "finished":
        loaded = _step(play, loaded, recipe, dice)
    loaded = play.do(loaded, [ReleaseSeed()], Request(HOST, key="release")).loaded
    entries = play.journal.read(loaded.id, 0, count=loaded.version)
    return list(lines(loaded.id, loaded.state, entries, None, loaded.names))


def _step(play: Play, loaded: Aggregate, recipe: Recipe, dice: random.Random) -> Aggregate:
    match = loaded.state
    if match.due_task:
        play.run(loaded.id, loaded.version, match.due_task)
        return play.peek(loaded.id)
    seat, command = recipe.choose(match.position, dice)
    return play.do(loaded, [command], Request(seat_name(seat), key=f"{loaded.version}")).loaded


def logs_of(what: str) -> Iterator[tuple[Path, Callable[[], list[bytes]]]]:
    """Where each golden log of a game, or of the goings, is kept, and what plays it."""
    if what == "goings":
        yield from ((KEPT_GOINGS / (name + SUFFIX), play) for name, play in GOINGS.items())
    else:
        game = games()[what]
        for name, recipe in recipes(game).items():
            yield path_of(game, name), partial(played, game.versions[recipe.rules_version], name)


@click.command()
@click.argument("what", type=click.Choice([*games(), "goings", "all"]))
@click.argument("names", nargs=-1)
@click.option("--again", is_flag=True, help="Overwrite logs that are kept already.")
def main(what: str, names: tuple[str, ...], again: bool) -> None:
    """Record golden matches: those named, or all of a game, of the comings and goings, or of everything."""
    every = [log for each in ([*games(), "goings"] if what == "all" else [what]) for log in logs_of(each)]
    known = {path.name.removesuffix(SUFFIX) for path, _ in every}
    if not known >= {*names}:
        raise click.UsageError(f"there are {', '.join(sorted(known))}")
    for path, play in every:
        if names and path.name.removesuffix(SUFFIX) not in names:
            continue
        if path.exists() and not again:
            raise click.ClickException(f"{path.name} is kept for ever; only --again overwrites it")
        log = play()
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress(b"".join(log), mtime=0))
        click.echo(f"{path.name}: {len(log) - 1} commits, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
