"""OpenAPI Generator, which most people reach for, makes a client in Python that has and keeps all there is.

Its program needs Java, which comes along as a package of Python.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conformance.node import ROOT

PACKAGE = "bricabrac_generated"
KNOWN = ("OpenAPI 3.1 support is still in beta", "Failed to get the schema name: null")  # of any document
TRY_IT = """
import json
from {package} import ApiClient, Command, Commands, SeatRequest, WhatnotChooseColumn, WhatnotCommand
column = Command(WhatnotCommand(WhatnotChooseColumn(type="choose_column", column=3)))
written = ApiClient().sanitize_for_serialization
asked = {{"open": SeatRequest(open=True), "one": Commands(column), "many": Commands([column, column])}}
print(json.dumps({{name: written(body) for name, body in asked.items()}}))
"""


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder with the client, and what was said while it was made."""
    folder = tmp_path_factory.mktemp("generator")
    program = Path(sys.executable).parent / "openapi-generator-cli"
    asked = ["generate", "-i", ROOT / "openapi.yaml", "-g", "python", "-o", folder]
    return folder, _run([program, *asked, "--package-name", PACKAGE])


def _run(command: list[str | Path], **environment: str) -> str:
    ran = subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


def test_it_is_made_without_a_warning(generated: tuple[Path, str]) -> None:
    _, said = generated
    warned = [line for line in said.splitlines() if " WARN " in line]
    assert [line for line in warned if not any(known in line for known in KNOWN)] == []


def test_every_operation_is_in_it(generated: tuple[Path, str]) -> None:
    """Nothing overwrote anything: not the messages to receivers what is called of webhooks, nor otherwise."""
    folder, _ = generated
    document: Any = yaml.safe_load((ROOT / "openapi.yaml").read_text(encoding="utf-8"))
    calls = "".join(each.read_text(encoding="utf-8") for each in (folder / PACKAGE / "api").glob("*.py"))
    named = [
        told["operationId"]
        for methods in (*document["paths"].values(), *document["webhooks"].values())
        for told in methods.values()
        if "operationId" in told
    ]
    missing = [name for name in named if f"def {_snake(name)}(" not in calls]
    assert (missing, len(named) > len(document["webhooks"])) == ([], True)


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def test_what_it_writes_is_what_is_meant(generated: tuple[Path, str]) -> None:
    folder, _ = generated
    said = json.loads(_run([sys.executable, "-c", TRY_IT.format(package=PACKAGE)], PYTHONPATH=str(folder)))
    column = {"type": "choose_column", "column": 3}
    assert said == {"open": {"open": True}, "one": column, "many": [column, column]}
