"""`bricabrac verify`: one line per log, a summary of several, and an exit status for scripts."""

import sys
from collections import Counter
from enum import Enum
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from domain.errors import NotInstalled
from service.log.chain import FlawError
from service.log.lines import log_lines
from service.log.verify import Verdict, verify

STANDARD_INPUT = "-"


class Judged(Enum):
    """What became of a log: its exit status and its name in the summary, the gravest last."""

    PROVED = 0, "proved"
    NOT_YET = 3, "not yet provable"
    NOT_HERE = 4, "cannot be judged here"
    WRONG = 1, "WRONG"

    def __init__(self, status: int, word: str) -> None:
        self.status, self.word = status, word


@click.command(name="verify")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True),
)
def verify_command(files: tuple[Path, ...]) -> None:
    r"""Verify exported logs: the chain, seals, seed, every draw and every decision.

    Files can be gzipped; - is standard input. The exit status is that of the worst result:

    \b
    0  every log is proved
    3  not yet provable: correct so far, but the seed is not revealed
    4  cannot be judged here: the game or rules version is not installed
    1  WRONG: the line has the version and the reason
    """
    quiet = len(files) == 1 or not sys.stderr.isatty()
    shown = track(files, "Proving", console=Console(stderr=True), disable=quiet)
    found = Counter(_judge(file) for file in shown)
    if len(files) > 1:
        click.echo(f"{len(files)} logs: {_summary(found)}")
    sys.exit(next(kind.status for kind in reversed(Judged) if found[kind]))


def _judge(file: Path) -> Judged:
    """Print the line of a log."""
    try:
        verdict = verify(log_lines(_kept(file)))
    except FlawError as flaw:
        click.echo(f"{file}: {Judged.WRONG.word} at version {flaw.version}: {flaw.reason}")
        return Judged.WRONG
    except NotInstalled as missing:
        click.echo(f"{file}: {Judged.NOT_HERE.word}: {missing}")
        return Judged.NOT_HERE
    click.echo(f"{file}: {_told(verdict)}")
    return Judged.PROVED if verdict.complete else Judged.NOT_YET


def _kept(file: Path) -> bytes:
    return sys.stdin.buffer.read() if str(file) == STANDARD_INPUT else file.read_bytes()


def _told(verdict: Verdict) -> str:
    what = f"{verdict.game} {verdict.match}, rules version {verdict.rules_version}, {verdict.commits} commits"
    how = "proved" if verdict.complete else "not yet provable: correct so far, but the seed is not revealed"
    return f"{what}, seed chosen by the {verdict.seed_by}, head {verdict.head}: {how}"


def _summary(found: Counter[Judged]) -> str:
    return ", ".join(f"{found[kind]} {kind.word}" for kind in Judged if found[kind])
