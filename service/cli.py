"""The command line: `bricabrac serve`, `doctor`, `keys`, `simulate`, `verify`."""

import secrets
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import click
from environs import EnvError
from rich.console import Console
from rich.progress import track

from domain.errors import RuleBroken
from domain.game import Table, check_options, check_seats
from domain.games import AnyGame, games
from service.cli_doctor import doctor
from service.cli_keys import keys
from service.cli_verify import verify_command
from service.simulate import Plan, simulate


@click.group()
@click.version_option(package_name="bricabrac")
def main() -> None:
    """Hosts three tabletop games about stuff."""


main.add_command(keys)
main.add_command(doctor)
main.add_command(verify_command)


@main.command()
def serve() -> None:
    """Run everything until Ctrl-C: store, HTTP, relay and workers."""
    from service.embedded import EmbeddedError
    from service.serve import ServeError
    from service.serve import serve as run
    from service.settings import settings

    try:
        run(settings(), click.echo)
    except (ServeError, EmbeddedError, EnvError) as why:
        raise click.ClickException(str(why)) from why


@main.command(name="simulate")
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
        out.mkdir(parents=True, exist_ok=True)
    began, commits = time.perf_counter(), 0
    quiet = not sys.stderr.isatty()
    for number in track(range(matches), "Playing", console=Console(stderr=True), disable=quiet):
        played = simulate(plan, number)
        commits += played.commits
        if out is not None:
            (out / f"{game}-{plan.seats}-{number:06d}.ndjson").write_bytes(played.log)
    took = time.perf_counter() - began
    click.echo(f"seed {plan.seed.hex()}")
    rates = f"{matches / took:.1f} matches/s, {commits / took:.0f} commits/s"
    click.echo(f"{matches} matches, {commits} commits: {rates}")


def _plan(game: AnyGame, seats: int | None, options: tuple[str, ...], seed: str | None) -> Plan:
    count = game.seats[0] if seats is None else seats
    try:
        given = dict(_option(game, text) for text in options)
        checked: Mapping[str, bool | int | str] = check_options(game, given)
        check_seats(game, count)
        game.initial(game.box(game.editions[game.default_edition]), Table(count, checked))
        chosen = bytes.fromhex(seed) if seed else secrets.token_bytes(32)
    except (RuleBroken, ValueError) as wrong:
        raise click.UsageError(str(wrong)) from wrong
    return Plan(game, count, checked, chosen)


def _option(game: AnyGame, text: str) -> tuple[str, bool | int | str]:
    name, _, word = text.partition("=")
    default = next((option.default for option in game.options if option.name == name), "")
    if isinstance(default, bool):
        return name, {"true": True, "false": False}.get(word, word)
    return name, int(word) if isinstance(default, int) else word


if __name__ == "__main__":
    main()
