"""The command line: `bricabrac serve`, `doctor`, `keys`, `signing-keys`, `simulate`, `verify`."""

import click
from environs import EnvError

from service.cli.doctor import doctor
from service.cli.keys import keys
from service.cli.signing_keys import signing_keys
from service.cli.simulate import simulate_command
from service.cli.verify import verify_command


@click.group()
@click.version_option(package_name="bricabrac")
def main() -> None:
    """Hosts three tabletop games about stuff."""


main.add_command(keys)
main.add_command(signing_keys)
main.add_command(doctor)
main.add_command(simulate_command)
main.add_command(verify_command)


@main.command()
def serve() -> None:
    """Run everything until Ctrl-C: store, HTTP, relay and workers."""
    from service.run.embedded import EmbeddedError
    from service.run.serve import ServeError
    from service.run.serve import serve as run
    from service.settings import settings

    try:
        run(settings(), click.echo)
    except (ServeError, EmbeddedError, EnvError) as why:
        raise click.ClickException(str(why)) from why


if __name__ == "__main__":
    main()
