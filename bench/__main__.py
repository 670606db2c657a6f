"""`python -m bench`: measure everything, print a table, write `bench/results.json`."""

import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click

from bench import (
    burst,
    crowd,
    floods,
    folding,
    growth,
    http,
    reads,
    report,
    rival,
    space,
    streams,
    worker_classes,
)
from bench.figures import FIGURES
from bench.stage import Stage, set_stage

BENCHES: dict[str, Callable[[Stage], dict[str, float]]] = {
    "http": http.measure,
    "streams": streams.measure,
    "growth": growth.measure,
    "crowd": crowd.measure,
    "burst": burst.measure,
    "reads": reads.measure,
    "folding": folding.measure,
    "space": space.measure,
    "rival": rival.measure,
    "floods": floods.measure,
    "worker_classes": worker_classes.measure,
}
RESULTS = Path(__file__).with_name("results.json")


@click.command(help=__doc__)
@click.option("--quick", is_flag=True, help="Few repeats: whether it works, not how fast it is.")
@click.option("--only", metavar="NAME", help=f"One bench ({', '.join(FIGURES)}) or the bench of one figure.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write the results; without it those of a full run go to bench/results.json.",
)
def main(*, quick: bool, only: str | None, out: Path | None) -> None:
    """Run the benches, each on a stage of its own."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that everything is cleaned up
    results: dict[str, float] = {}
    for name in _chosen(only):
        began = time.monotonic()
        with set_stage(quick=quick) as stage:
            measured = BENCHES[name](stage)
        results |= {figure.key: measured[figure.key] for figure in FIGURES[name]}
        click.echo(f"{name}: {time.monotonic() - began:.0f} s", err=True)
    report.table(results, {figure.key: figure for figures in FIGURES.values() for figure in figures})
    target = out or (None if quick or only else RESULTS)
    if target is not None:
        report.write(results, target)


def _chosen(only: str | None) -> list[str]:
    found = [
        name
        for name, figures in FIGURES.items()
        if only is None or only == name or only in {figure.key for figure in figures}
    ]
    if not found:
        raise click.UsageError(f"There is no bench and no figure called {only}.")
    return found


if __name__ == "__main__":
    main()
