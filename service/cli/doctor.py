"""`bricabrac doctor`: finds problems in the store."""

import sys
from itertools import chain
from typing import TYPE_CHECKING

import click

from service.cli.store import opened_store
from service.clock import iso

if TYPE_CHECKING:
    from service.redis_store.dead_letters import DeadLetter


@click.command()
def doctor() -> None:
    """Check the store: matches that cannot be read, with the reason, dead letters, and other problems.

    It changes nothing, and can run while the service runs. The exit status is 1 if it finds a problem.
    """
    from service.bootstrap import bootstrap
    from service.redis_store.dead_letters import DeadLetters
    from service.run.doctor import findings
    from service.settings import settings

    wrong = 0
    with opened_store() as client:
        stored = findings(bootstrap(client, settings().partitions).play.journal)
        for finding in chain(stored, map(_told, DeadLetters(client).newest())):
            click.echo(finding)
            wrong += 1
    click.echo(f"{wrong} found." if wrong else "No problems found.", err=True)
    sys.exit(1 if wrong else 0)


def _told(letter: "DeadLetter") -> str:
    """A dead letter as a line of the report; its content may be sensitive and stays in the store."""
    return f"dead letter from {letter.source}, put aside at {iso(letter.at)}: {letter.name!r}: {letter.why}"
