"""`bricabrac simulate`: whole matches by random players, with progress on stderr, a log a match."""

import secrets
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from domain.errors import RuleBroken
from domain.game import Table, check_options, check_seats
from domain.games import AnyGame, games
from domain.options import OptionValue
from service.matches.simulate import Plan, simulate

LINE_INTERVAL_S = 2.0  # between two lines of progress where no terminal can draw a bar


@click.command(name="simulate")
@click.argument("game", type=click.Choice(list(games())))
@click.option("--matches", default=100, show_default=True, type=click.IntRange(1), help="Number of matches.")
@click.option("--seats", type=int, help="Number of players. Default: the fewest the game allows.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game. Can be repeated."
)
@click.option("--seed", help="Seed in hex that decides every match. Default: random.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write the logs to, one per match.",
)
def simulate_command(  # noqa: PLR0913, PLR0917  a command's options
    game: str, matches: int, seats: int | None, options: tuple[str, ...], seed: str | None, out: Path | None
) -> None:
    """Play whole matches with random players, without HTTP."""
    plan = _plan(games()[game], seats, options, seed)
    if out is not None:
        _make(out)
    began, commits = time.perf_counter(), 0
    for number in _shown(matches):
        played = simulate(plan, number)
        commits += played.commits
        if out is not None:
            _write(out / f"{game}-{plan.seats}-{number:06d}.ndjson", played.log)
    took = time.perf_counter() - began
    click.echo(f"seed {plan.seed.hex()}")
    rates = f"{matches / took:.1f} matches/s, {commits / took:.0f} commits/s"
    click.echo(f"{matches} matches, {commits} commits: {rates}")


def _shown(matches: int) -> Iterator[int]:
    """The number of each match, from 0; how far it has come is shown from the first one on."""
    if sys.stderr.isatty():
        yield from track(range(matches), "Playing", console=Console(stderr=True))
        return
    click.echo(f"Playing {matches} matches.", err=True)
    shown_at = time.monotonic()
    for number in range(matches):
        if time.monotonic() - shown_at >= LINE_INTERVAL_S:
            shown_at = time.monotonic()
            click.echo(f"Played {number} of {matches} matches.", err=True)
        yield number


def _make(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as refused:
        raise click.BadParameter(
            f"{out} cannot be made: {refused.strerror}.", param_hint="--out"
        ) from refused


def _write(file: Path, log: bytes) -> None:
    """Write a log, whole or not at all."""
    try:
        file.write_bytes(log)
    except OSError as refused:
        if file.is_file() or file.is_symlink():
            file.unlink()  # a part of a log would not be proved
        raise click.ClickException(f"--out: {file} cannot be written: {refused.strerror}.") from refused


def _plan(game: AnyGame, seats: int | None, options: tuple[str, ...], seed: str | None) -> Plan:
    count = game.seats[0] if seats is None else seats
    with _blaming("--option"):
        checked: Mapping[str, OptionValue] = check_options(
            game, dict(_option(game, text) for text in options)
        )
    with _blaming("--seats"):
        check_seats(game, count)
    with _blaming("--option with --seats"):
        game.initial(game.box(game.editions[game.default_edition]), Table(count, checked))
    return Plan(game, count, checked, secrets.token_bytes(32) if seed is None else _seed(seed))


def _seed(seed: str) -> bytes:
    try:
        chosen = bytes.fromhex(seed)
    except ValueError:
        chosen = b""
    if not chosen:
        raise click.BadParameter(
            f"{seed!r} is not hex: two digits or letters from 0 to f a byte.", param_hint="--seed"
        )
    return chosen


@contextmanager
def _blaming(option: str) -> Iterator[None]:
    """What a game refuses, as the fault of an option of the command."""
    try:
        yield
    except (RuleBroken, ValueError) as wrong:
        raise click.BadParameter(str(wrong), param_hint=option) from wrong


def _option(game: AnyGame, text: str) -> tuple[str, OptionValue]:
    name, equals, word = text.partition("=")
    if not equals:
        raise ValueError(f"{text!r} is not NAME=VALUE.")
    default = next((option.default for option in game.options if option.name == name), "")
    if isinstance(default, bool):
        return name, {"true": True, "false": False}.get(word, word)
    if isinstance(default, int):
        try:
            return name, int(word)
        except ValueError:
            raise ValueError(f"{name} is a number, not {word!r}.") from None
    if isinstance(default, tuple):
        return name, tuple(word.split(",")) if word else ()
    return name, word
