"""No error of the service reaches a caller as a 500 because a table forgot it."""

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import service
import workers
from service.errors import ServiceError
from service.http.protocol.problems import KINDS

AT_START_ONLY = {"ServeError", "EmbeddedError", "OtherPartitionsError", "StoreAddressError"}
OF_JOBS = {"ForeignJobError"}  # seen by a worker, which puts the job aside
OF_THE_WIRE = "service.connections."  # answered by the HTTP worker, before there is an application
VERDICTS = {
    "FlawError",
    "UnknownTypeError",
    "NewerTypeError",
    "SignedHeadError",
    "UnknownKeyError",
}  # on a log that is verified; a match's become MatchUnreadableError
OF_THE_EDGE = {"Problem", "NotStrictError", "_DoubledKeyError"}  # a problem already, or on its way to one


def descendants(kind: type) -> Iterator[type]:
    for child in kind.__subclasses__():
        yield child
        yield from descendants(child)


@pytest.fixture(scope="module", autouse=True)
def _everything_imported() -> None:
    for package in (service, workers):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if module.name != "service.wsgi":  # it connects as it is imported
                import_module(module.name)


def test_every_error_of_the_service_has_a_problem_of_its_own_status() -> None:
    found = set(descendants(ServiceError))
    assert len(found) > 10
    for kind in found:
        assert KINDS[kind.code].status == kind.status, kind


def test_every_exception_of_ours_is_a_service_error_or_never_reaches_a_caller() -> None:
    ours = {
        kind.__name__
        for kind in descendants(Exception)
        if kind.__module__.startswith(("service.", "workers."))
        and not kind.__module__.startswith(OF_THE_WIRE)
        and not issubclass(kind, ServiceError)
    }
    assert ours <= AT_START_ONLY | OF_JOBS | VERDICTS | OF_THE_EDGE


UNLISTED = """
from service.errors import ServiceError

class NoStatus(ServiceError):
    pass

class NoCode(ServiceError, status=409):
    pass
"""


def test_an_error_without_status_or_code_is_a_type_error(tmp_path: Path) -> None:
    source = tmp_path / "unlisted.py"
    source.write_text(UNLISTED)
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", "--follow-imports=silent", source],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 1, checked.stderr
    assert checked.stdout.count("Missing named argument") == 3, checked.stdout
    for definition in UNLISTED.split("\n\n")[1:]:
        with pytest.raises(TypeError, match="missing"):
            exec(definition, {"ServiceError": ServiceError})
