"""`bricabrac doctor`: lists what is wrong with what is stored."""

import sys

import click

from service.cli_store import opened_store


@click.command()
def doctor() -> None:
    """List matches that cannot be read, with the reason, and whatever else is wrong with the store.

    It changes nothing, and may run beside the service. Exit status 1 if anything is wrong.
    """
    from service.deployment import OtherPartitionsError
    from service.doctor import findings
    from service.settings import settings
    from service.store.redis_deployment import RedisDeployment
    from service.store.redis_journal import RedisJournal

    wrong = 0
    with opened_store() as client:
        try:
            RedisDeployment(client).check(settings().partitions)
        except OtherPartitionsError as other:
            raise click.ClickException(str(other)) from other
        for finding in findings(RedisJournal(client, settings().partitions)):
            click.echo(finding)
            wrong += 1
    click.echo(f"{wrong} found." if wrong else "Nothing is wrong.", err=True)
    sys.exit(1 if wrong else 0)
