"""`bricabrac verify`: one line per log, a summary of several, and an exit status for scripts."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from domain.errors import NotInstalled
from service.cli.given_keys import KeysType
from service.log.chain import FlawError
from service.log.lines import log_lines
from service.log.public_keys import PublicKey, UnknownKeyError
from service.log.signed_head import SignedHead, SignedHeadError, kept_head
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


@dataclass(frozen=True, slots=True)
class Given:
    """What a log is held against besides itself: heads that were signed earlier, and keys, or None."""

    since: tuple[SignedHead, ...] = ()
    keys: Mapping[str, PublicKey] | None = None


@click.command(name="verify")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True),
)
@click.option(
    "--since",
    multiple=True,
    metavar="HEAD",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A file with a signed head that you kept, or an earlier export that ends with one. The log must "
    "continue from it. Can be repeated.",
)
@click.option(
    "--key",
    "keys",
    multiple=True,
    type=KeysType(),
    help="The public keys of the server: a file (JWK Set, JWK or PEM), or a URL. Can be repeated.",
)
def verify_command(
    files: tuple[Path, ...], since: tuple[Path, ...], keys: tuple[Mapping[str, PublicKey], ...]
) -> None:
    r"""Verify exported logs: the chain, seals, seed, every draw and every decision.

    With --key also the signature of the head with which an export ends, and those of --since.

    Files can be gzipped; - is standard input. The exit status is that of the worst result:

    \b
    0  every log is proved
    3  not yet provable: correct so far, but the seed is not revealed
    4  cannot be judged here: the game, the rules version or the key of a signature is not there
    1  WRONG: the line has the version and the reason
    """
    given = Given(tuple(map(_head, since)), {id_: key for each in keys for id_, key in each.items()} or None)
    quiet = len(files) == 1 or not sys.stderr.isatty()
    shown = track(files, "Proving", console=Console(stderr=True), disable=quiet)
    found = Counter(_judge(file, given) for file in shown)
    if len(files) > 1:
        click.echo(f"{len(files)} logs: {_summary(found)}")
    sys.exit(next(kind.status for kind in reversed(Judged) if found[kind]))


def _head(file: Path) -> SignedHead:
    try:
        return kept_head(b"\n".join(log_lines(file.read_bytes())))
    except (SignedHeadError, FlawError) as wrong:
        raise click.BadParameter(f"{file}: {wrong}.", param_hint="--since") from wrong


def _judge(file: Path, given: Given) -> Judged:
    """Print the line of a log."""
    try:
        verdict = verify(log_lines(_kept(file)), given.since)
        signed = "".join(_signatures(verdict, given))
    except FlawError as flaw:
        click.echo(f"{file}: {Judged.WRONG.word} at version {flaw.version}: {flaw.reason}")
        return Judged.WRONG
    except (NotInstalled, UnknownKeyError) as missing:
        click.echo(f"{file}: {Judged.NOT_HERE.word}: {missing}")
        return Judged.NOT_HERE
    click.echo(f"{file}: {_told(verdict, signed)}")
    return Judged.PROVED if verdict.complete else Judged.NOT_YET


def _signatures(verdict: Verdict, given: Given) -> Iterator[str]:
    """What is said of each signed head of a log; FlawError, UnknownKeyError."""
    for head in (head for head in given.since if head.match == verdict.match):
        yield f", continued from version {head.version} of {head.at}{_checked(head, given.keys)}"
    if verdict.signed_head is not None:
        yield f", signed at {verdict.signed_head.at}{_checked(verdict.signed_head, given.keys)}"


def _checked(head: SignedHead, keys: Mapping[str, PublicKey] | None) -> str:
    if keys is None:
        return " (signature not checked: give --key)"
    try:
        head.check_signature(keys)
    except SignedHeadError as flaw:
        raise FlawError(head.version, str(flaw)) from flaw
    return ""


def _kept(file: Path) -> bytes:
    return sys.stdin.buffer.read() if str(file) == STANDARD_INPUT else file.read_bytes()


def _told(verdict: Verdict, signed: str) -> str:
    what = f"{verdict.game} {verdict.match}, rules version {verdict.rules_version}, {verdict.commits} commits"
    how = "proved" if verdict.complete else "not yet provable: correct so far, but the seed is not revealed"
    return f"{what}, seed chosen by the {verdict.seed_by}, head {verdict.head}{signed}: {how}"


def _summary(found: Counter[Judged]) -> str:
    return ", ".join(f"{found[kind]} {kind.word}" for kind in Judged if found[kind])
