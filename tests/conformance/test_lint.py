"""The API's description is clean under the strict rules of three readers, who do bark at flaws."""

from collections.abc import Callable
from functools import reduce
from operator import getitem
from pathlib import Path

import pytest
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.conformance.node import HERE, ROOT, node, tool

DOCUMENT = ROOT / "openapi.yaml"


def redocly(document: Path) -> None:
    said = node(tool("redocly"), "lint", "--config", HERE / "redocly.yaml", document)
    assert "warning" not in said.lower(), said


def spectral(document: Path) -> None:
    node(tool("spectral"), "lint", "--fail-severity=hint", "-r", HERE / "spectral.yaml", document)


def validator(document: Path) -> None:
    read = yaml.safe_load(document.read_text(encoding="utf-8"))
    assert [error.message for error in OpenAPIV31SpecValidator(read).iter_errors()] == []


def test_redocly_finds_nothing_to_mend_under_its_strict_rules() -> None:
    redocly(DOCUMENT)


def test_spectral_finds_nothing_to_mend_down_to_hints() -> None:
    spectral(DOCUMENT)


def test_the_validator_finds_a_valid_description() -> None:
    validator(DOCUMENT)


OPERATION = ("paths", "/v1/games", "get")


@pytest.mark.parametrize(
    ("reader", "owner", "part"),
    [(redocly, OPERATION, "summary"), (spectral, OPERATION, "description"), (validator, ("info",), "title")],
)
def test_each_reader_barks_at_a_description_that_lacks_a_part(
    tmp_path: Path, reader: Callable[[Path], None], owner: tuple[str, ...], part: str
) -> None:
    document = yaml.safe_load(DOCUMENT.read_text(encoding="utf-8"))
    del reduce(getitem, owner, document)[part]
    flawed = tmp_path / "openapi.yaml"
    flawed.write_text(yaml.safe_dump(document), encoding="utf-8")
    with pytest.raises(AssertionError, match=part):
        reader(flawed)
