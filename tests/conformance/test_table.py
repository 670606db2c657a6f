"""The table of `make conformance` leaves nothing out and calls nothing green that is not."""

from typing import Literal

import pytest

from tests.conformance.__main__ import Row, rows
from tests.conformance.node import HERE

FILE = "tests/conformance/test_lint.py"


def report(
    name: str, outcome: Literal["passed", "failed", "skipped"], when: Literal["setup", "call"] = "call"
) -> pytest.TestReport:
    return pytest.TestReport(f"{FILE}::{name}", (FILE, 1, name), {}, outcome, None, when)


def test_every_check_of_this_folder_has_a_row() -> None:
    told = {file for row in rows() for file in row.files}
    ours = {f"tests/conformance/{each.name}" for each in HERE.glob("test_*.py")}
    assert ours - told == {"tests/conformance/test_table.py"}


@pytest.mark.parametrize(
    ("reports", "green"),
    [
        ([], False),
        ([report("test_a", "passed")], True),
        ([report("test_a", "passed", "setup")], False),
        ([report("test_a", "passed"), report("test_ab", "failed")], False),
        ([report("test_a", "passed"), report("test_ab", "failed", "setup")], False),
        ([report("test_a", "passed"), report("test_ab", "skipped", "setup")], False),
        ([report("test_a", "passed"), report("test_b", "failed")], True),
    ],
)
def test_a_row_is_green_only_if_all_its_tests_ran_and_passed(
    reports: list[pytest.TestReport], green: bool
) -> None:
    row = Row("a", f"{FILE}::test_a")
    for each in reports:
        row.heed(each)
    assert row.green is green
