"""What `make` does before pip: a bad Python is refused, a bad `.venv` is built again."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
# A Python that says it is of a version, and builds an environment with nothing but the name of pip in it.
PYTHON = """#!/bin/sh
case "$*" in
    *version_info*) echo {version} ;;
    *ensurepip*) exit {lacks_venv} ;;
    "-m venv .venv")
        {real} -m venv --without-pip .venv
        mkdir "$(ls -d .venv/lib/python*/site-packages)/pip"
        touch "$(ls -d .venv/lib/python*/site-packages)/pip/__init__.py" ;;
    *) exit 9 ;;
esac
"""


def python(folder: Path, version: str, *, lacks_venv: bool = False) -> str:
    """The path of a Python that says that it is of a version."""
    made = folder / f"python{version}"
    made.write_text(PYTHON.format(version=version, lacks_venv=int(lacks_venv), real=sys.executable))
    made.chmod(0o755)
    return str(made)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What make reads of a checkout, in a folder whose name has a space."""
    folder = tmp_path / "a checkout"
    shutil.copytree(ROOT / ".ci", folder / ".ci")
    for name in ("Makefile", "pyproject.toml", "requirements.txt", "requirements-dev.txt"):
        shutil.copy(ROOT / name, folder)
    return folder


def make(folder: Path, which: str, *words: str, pip: str = ":") -> subprocess.CompletedProcess[str]:
    """Run make with a Python, and something in pip's place: `:` succeeds, `false` fails."""
    command = ["make", "-j4", *(words or (".venv/run.stamp",)), f"PYTHON={which}", f"PIP={pip}"]
    alone = {"PATH": "/usr/bin:/bin", "HOME": str(folder)}  # no MAKEFLAGS of a make that runs the tests
    return subprocess.run(
        command, cwd=folder, env=alone, capture_output=True, text=True, timeout=60, check=False
    )


def refused(folder: Path, which: str) -> str:
    """The one sentence that is said; nothing was built."""
    tried = make(folder, which)
    assert tried.returncode != 0
    said = [line for line in tried.stderr.splitlines() if not line.startswith("make: ")]
    assert len(said) == 1, tried.stderr
    assert "Python 3.11 or newer" in said[0]
    return said[0]


def installs(made: subprocess.CompletedProcess[str]) -> bool:
    """Whether make said that it installs something."""
    assert made.returncode == 0, made.stderr
    assert made.stderr == ""
    return "Installing" in made.stdout


@pytest.mark.parametrize("version", ["2.7.18", "3.9.2", "3.10.12"])
def test_a_python_that_is_too_old_is_named_with_what_to_do(checkout: Path, version: str) -> None:
    said = refused(checkout, python(checkout, version))
    assert f"is {version}" in said
    assert "make run PYTHON=python3.1" in said
    assert not (checkout / ".venv").exists()


def test_a_python_that_is_missing_or_has_no_venv_is_named_with_what_to_do(checkout: Path) -> None:
    assert "python7 cannot be run" in refused(checkout, "python7")
    assert "apt install python3.12-venv" in refused(checkout, python(checkout, "3.12.1", lacks_venv=True))
    assert not (checkout / ".venv").exists()


@pytest.mark.parametrize("version", ["3.11.0", "3.14.2", "4.0.0"])
def test_what_is_needed_is_installed_once_and_said(checkout: Path, version: str) -> None:
    new = python(checkout, version)
    assert installs(make(checkout, new))
    assert not installs(make(checkout, new))
    assert not installs(make(checkout, "gone"))  # it has what it needs
    assert installs(make(checkout, new, ".venv/dev.stamp"))
    assert not installs(make(checkout, new, ".venv/dev.stamp"))


def test_after_a_newer_python_came_the_environment_of_the_old_one_is_built_again(checkout: Path) -> None:
    new = python(checkout, "3.12.0")
    assert installs(make(checkout, new, ".venv/dev.stamp"))
    old = checkout / ".venv" / "bin" / "python"
    old.unlink()
    shutil.copy(python(checkout, "3.10.12"), old)
    assert "is 3.10.12" in refused(checkout, python(checkout, "3.10.12"))
    assert old.exists(), "what cannot be built again is left alone"
    assert installs(make(checkout, new, ".venv/dev.stamp"))
    assert old.is_symlink()
    assert not installs(make(checkout, new, ".venv/dev.stamp"))


def test_an_environment_whose_python_was_removed_is_built_again(checkout: Path) -> None:
    new = python(checkout, "3.12.0")
    assert installs(make(checkout, new))
    linked = checkout / ".venv" / "bin" / "python"
    linked.unlink()
    linked.symlink_to(checkout / "gone")
    assert installs(make(checkout, new))
    assert linked.exists()


@pytest.mark.parametrize("target", [".venv/run.stamp", ".venv/dev.stamp"])
def test_what_pip_left_half_done_is_built_again(checkout: Path, target: str) -> None:
    new = python(checkout, "3.12.0")
    assert make(checkout, new, target, pip="false").returncode != 0
    leftover = checkout / ".venv" / "half"
    leftover.touch()
    assert installs(make(checkout, new, target))
    assert not leftover.exists()
    assert not installs(make(checkout, new, target))


def test_an_environment_that_was_stopped_while_it_was_built_is_built_again(checkout: Path) -> None:
    (checkout / ".venv" / "bin").mkdir(parents=True)
    assert installs(make(checkout, python(checkout, "3.12.0")))
    shutil.rmtree(next((checkout / ".venv" / "lib").glob("python*/site-packages/pip")))
    assert installs(make(checkout, python(checkout, "3.12.0")))


def test_with_a_real_python_a_real_environment_is_built(checkout: Path) -> None:
    assert installs(make(checkout, sys.executable))
    told = subprocess.run(
        [checkout / ".venv" / "bin" / "python", "-m", "pip", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert os.fspath(checkout) in told.stdout


def test_asked_what_it_would_do_make_changes_nothing(checkout: Path) -> None:
    told = make(checkout, "python3", "-n", "run")
    assert "serve" in told.stdout
    assert not (checkout / ".venv").exists()
