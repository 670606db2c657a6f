"""Reads a game's data files: its editions, a folder each with a CSV file a table, and its glossary."""

import csv
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

from domain.game import Edition, Row


def read_editions(package: str) -> dict[str, Edition]:
    """The editions of a game: one folder each in its `components`, one CSV file a table."""
    folders = sorted(files(package).joinpath("components").iterdir(), key=lambda folder: folder.name)
    return {folder.name: _read_edition(folder) for folder in folders if folder.is_dir()}


def read_glossary(package: str) -> tuple[Row, ...]:
    """What components and terms mean: rows of `kind`, `id`, `points` (where it has any) and `text`."""
    rows = _read_table(files(package).joinpath("glossary.csv"))
    return tuple({**row, "id": str(row["id"])} for row in rows)


def whole(cell: int | str | None) -> int:
    """The integer in a cell; ValueError where it holds something else."""
    if not isinstance(cell, int):
        raise ValueError(f"a number was expected, not {cell!r}")
    return cell


def check_tables(edition: Edition, unfit: Mapping[str, object]) -> None:
    """ValueError where an edition breaks a rule of its game; `unfit` has whatever breaks each rule."""
    broken = [rule for rule, offenders in unfit.items() if offenders]
    if broken:
        raise ValueError(f"edition {edition.name}: {'; '.join(broken)}")


def _read_edition(folder: Traversable) -> Edition:
    tables = sorted((f for f in folder.iterdir() if f.name.endswith(".csv")), key=lambda f: f.name)
    return Edition(folder.name, {f.name.removesuffix(".csv"): _read_table(f) for f in tables})


def _read_table(file: Traversable) -> tuple[Row, ...]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return tuple({name: _cell(text) for name, text in row.items()} for row in csv.DictReader(lines))


def _cell(text: str) -> int | str | None:
    if text.isascii() and text.removeprefix("-").isdigit():
        return int(text)
    return text or None
