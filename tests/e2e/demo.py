"""`make demo`: a fresh service, and whole matches of every game over HTTP with nothing but the public API."""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Sheet

from tests.e2e.players import Table, check_chain, place_at_once, play_in_parallel
from tests.e2e.running import running

MATCHES: tuple[tuple[str, str, tuple[str, ...], Callable[[Table], object]], ...] = (
    ("The Whatnot Cabinet, solo", "whatnot", ("Ada",), play_in_parallel),
    (
        "The Whatnot Cabinet, four seats in parallel",
        "whatnot",
        ("Ada", "Ben", "Cyd", "Dot"),
        play_in_parallel,
    ),
    (
        "Stuff and Nonsense, five seats in parallel",
        "nonsense",
        ("Ada", "Ben", "Cyd", "Dot", "Eve"),
        play_in_parallel,
    ),
    (
        "Junk Drawer, four seats placing at the same moment",
        "drawer",
        ("Ada", "Ben", "Cyd", "Dot"),
        place_at_once,
    ),
)


def main() -> int:
    """Play, print the final tables, check each log's chain, seals and secrets."""
    console = Console()
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder)) as service,
        service.client() as client,
    ):
        for title, game, names, play in MATCHES:
            table, began = Table(client, game, names), time.perf_counter()
            play(table)
            took = time.perf_counter() - began
            commits = check_chain(table.log())
            console.print(f"[bold]{title}[/bold]")
            console.print(_sheet(names, table))
            console.print(f"  {_winner(names, table.score())}")
            console.print(
                f"  {commits} commits in {took:.1f} s; chain, seals and secrets of {table.id} are right.\n"
            )
    return 0


def _sheet(names: tuple[str, ...], table: Table) -> Sheet:
    """The final score, a column a player and a row a part."""
    score = table.score()
    assert score["final"]
    sheet = Sheet("part", *names)
    kinds = list(dict.fromkeys(part["name"] for seat in score["seats"] for part in seat["parts"]))
    for kind in kinds:
        points = [sum(p["points"] for p in seat["parts"] if p["name"] == kind) for seat in score["seats"]]
        sheet.add_row(kind.replace("_", " "), *map(str, points))
    sheet.add_row("total", *(str(seat["total"]) for seat in score["seats"]), style="bold")
    return sheet


def _winner(names: tuple[str, ...], score: Any) -> str:
    winners = ", ".join(names[seat] for seat in score["winners"]) or "nobody"
    return f"winner: {winners}" + (f" ({score['result'].replace('_', ' ')})" if score["result"] else "")


if __name__ == "__main__":
    sys.exit(main())
