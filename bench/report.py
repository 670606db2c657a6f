"""The results: one flat JSON object of numbers, and a table for people."""

import json
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Column, Table

from bench.figures import Figure

VERDICTS = {True: "[green]met[/]", False: "[red]missed[/]", None: ""}


def write(results: Mapping[str, float], file: Path) -> None:
    """Four digits tell more than there is to know."""
    rounded = {name: float(f"{value:.4g}") for name, value in results.items()}
    file.write_text(json.dumps(rounded, indent=2) + "\n", encoding="ascii")


def table(results: Mapping[str, float], figures: Mapping[str, Figure]) -> None:
    """What was measured, against the goals."""
    shown = Table(
        Column("figure", no_wrap=True), Column("value", justify="right"), "goal", "verdict", "what it is"
    )
    for name, value in results.items():
        figure = figures[name]
        shown.add_row(name, f"{value:,.4g}", figure.goal, VERDICTS[figure.met(value)], figure.says)
    console = Console()
    console.width = max(console.width, 120)
    console.print(shown)
