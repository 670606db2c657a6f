"""`make conformance`: everything that holds the service to its description, in a table, a row a check."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from rich.console import Console
from rich.table import Table

from domain.games import games
from tests.conformance.node import ROOT

HERE, HTTP = "tests/conformance", "tests/service/http"


@dataclass
class Row:
    """A check: its title, and how the ids of its tests begin."""

    title: str
    begins: str
    passed: int = 0
    failed: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def files(self) -> list[str]:
        """Where its tests are."""
        return sorted(str(each.relative_to(ROOT)) for each in ROOT.glob(self.begins.partition("::")[0]))

    @property
    def green(self) -> bool:
        """Whether all passed, and there were any."""
        return self.passed > 0 and not self.failed

    def heed(self, report: pytest.TestReport) -> None:
        """Count a report that is about this row."""
        file, _, name = self.begins.partition("::")
        wanted = file.replace("*.py", "")
        if not report.nodeid.startswith(wanted + (f"::{name}" if name else "")):
            return
        self.seconds += report.duration
        if report.outcome != "passed":
            self.failed.append(report.nodeid)
        elif report.when == "call":
            self.passed += 1


def rows() -> list[Row]:
    """Every check, in the order of the table."""
    lint, client = f"{HERE}/test_lint.py::test", f"{HERE}/test_clients.py::test_a_generated_client_in"
    plays = "plays_a_whole_match"
    return [
        Row("lint: redocly, recommended-strict", f"{lint}_redocly"),
        Row("lint: spectral:oas", f"{lint}_spectral"),
        Row("openapi-spec-validator", f"{lint}_the_validator"),
        Row("these readers bark at flaws", f"{lint}_each_reader"),
        Row("every operation described, by example", f"{HTTP}/openapi/test_description.py"),
        Row("every answer as described", f"{HTTP}/openapi/test_openapi.py"),
        Row("Schemathesis, every check", f"{HERE}/test_schemathesis.py"),
        *(
            Row(f"{language} client, whole match of {game}", f"{client}_{language.lower()}_{plays}[{game}-")
            for language in ("Python", "TypeScript")
            for game in games()
        ),
        Row("OpenAPI Generator, Python", f"{HERE}/test_generators.py"),
        Row("bots over a bad network", f"{HERE}/test_bots.py"),
        Row("header matrix", f"{HTTP}/test_hygiene*.py"),
        Row("credential matrix", f"{HTTP}/judgement/test_who_may.py"),
        Row("browser", f"{HERE}/test_browser.py"),
    ]


class Watch:
    """Tells the rows of each report."""

    def __init__(self, table: Sequence[Row]) -> None:
        self.table = table

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A step of a test is done."""
        for row in self.table:
            row.heed(report)


def main() -> int:
    """Run the tests of every row; 0 if no row is red."""
    table = rows()
    files = sorted({file for row in table for file in row.files})
    pytest.main(["-n", "2", "--tb=short", *files], plugins=[Watch(table)])
    sheet = Table("check", "tests", "seconds", "verdict", title="Conformance")
    for row in table:
        why = f"{len(row.failed)} failed" if row.failed else "there is no such test"
        count, told = str(row.passed + len(row.failed)), "green" if row.green else f"red: {why}"
        sheet.add_row(row.title, count, f"{row.seconds:.1f}", told, style="green" if row.green else "red")
    Console().print(sheet)
    return 0 if all(row.green for row in table) else 1


if __name__ == "__main__":
    sys.exit(main())
