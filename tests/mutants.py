"""Mutation testing, as `make mutants`: what would nobody notice if it were wrong?

mutmut changes one thing at a time in the rules, the log and the seams and runs the tests that reach it. Who
survives has to be in `tests/mutants.txt`, with the reason why no test need notice; whoever is in that list
has to survive. What mypy refuses counts as killed, for `make check` would have. Wording is free: a
survivor in which only the words of a sentence differ (a string with a space in it) is counted apart.

Every part has a folder of its own in `mutants/`, where mutmut remembers its verdicts; a changed function is
tried again, and survivors are when tests change. `ONLY` names a part or functions, as `core` or
`domain.chance*`.
"""

import difflib
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "mutants"
REVIEWED = ROOT / "tests" / "mutants.txt"
PACKAGES = ("domain", "service", "workers")
CHILDREN = "2"
VERDICTS: dict[int | None, str] = {
    None: "untried", 0: "survived", 1: "killed", 3: "killed", 5: "untested", 33: "untested", 37: "by mypy",
    -24: "timed out", 24: "timed out", 36: "timed out", 152: "timed out", -9: "timed out",
}  # fmt: skip
COLUMNS = ("killed", "by mypy", "timed out", "survived", "wording", "untested", "untried", "crashed")
ALIVE = ("survived", "untested")


@dataclass(frozen=True, slots=True)
class Part:
    """Files that are mutated together, and the tests that are to notice, quick ones."""

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]
    only: str = ""  # pytest's -k, which leaves out slow tests, and those that read the source itself


def _game(name: str, only: str) -> Part:
    return Part(
        name, (f"domain/games/{name}/*",), (f"tests/games/{name}", "tests/domain/test_golden.py"), only
    )


PARTS = (
    Part(
        "core",
        ("domain/[!g]*.py", "domain/game.py", "domain/match/*", "domain/games/__init__.py"),
        ("tests/domain", "tests/service/log/test_names.py", "tests/service/log/test_seeds.py"),
        "not test_reducer_knows and not test_every_refusal"
        " and (not test_contract or (test_nothing_is_drawn and drawer-1))",
    ),
    _game("drawer", "not agreement or 2-"),
    _game("nonsense", "not agreement or 2-0"),
    _game("whatnot", "not agreement or 2-"),
    Part("log", ("service/log/*",), ("tests/service/log", "tests/service/test_errors.py")),
    Part(
        "seams",
        tuple(f"service/matches/{name}.py" for name in ("play", "loading", "batch", "automation", "history")),
        ("tests/service/matches",),
        "not test_dry_run",
    ),
)


@dataclass(frozen=True, slots=True, order=True)
class Mutant:
    """A change in a function: the lines before and after it, without their indentation."""

    function: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.function}\n- {self.before}\n+ {self.after}".rstrip()

    @property
    def of_words(self) -> bool:
        """Whether it differs in the words of a sentence only."""
        return _silent(self.before) == _silent(self.after)


@dataclass
class Account:
    """What became of the mutants of a part."""

    verdicts: Counter[str] = field(default_factory=Counter)
    alive: list[Mutant] = field(default_factory=list)
    tried: set[str] = field(default_factory=set)


def main(only: str = "") -> int:
    """Try the mutants; 1 if a survivor is not in the list, or one in the list no longer survives."""
    reviewed, accounts = read_list(REVIEWED.read_text()), dict[str, Account]()
    named = [part for part in PARTS if part.name == only]
    for part in named or PARTS:
        pattern = "" if named else only
        if not pattern or _concerns(part, pattern):
            _lay_out(part)
            _mutate(part, pattern)
            accounts[part.name] = _account(part, pattern)
    print(_table(accounts))
    alive = {mutant for account in accounts.values() for mutant in account.alive}
    tried = {function for account in accounts.values() for function in account.tried}
    unknown = sorted(alive - reviewed.keys())
    dead = sorted(mutant for mutant in reviewed.keys() - alive if mutant.function in tried)
    for headline, mutants in (("Not in tests/mutants.txt:", unknown), ("No longer survive:", dead)):
        if mutants:
            print(f"\n{headline}\n", *map(str, mutants), sep="\n")
    return 1 if unknown or dead else 0


def read_list(text: str) -> dict[Mutant, str]:
    """The reviewed survivors with their reasons. Above the reason, a function and lines before and after."""
    found = {}
    for block in re.split(r"\n\s*\n", text):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        before, mutants, reason = "", [], []
        for line in lines[1:]:
            if line.startswith("- "):
                before = line[2:]
            elif line.startswith("+"):
                mutants.append(Mutant(lines[0], before, line[2:]))
            else:
                reason.append(line.strip())
        if mutants and not reason:
            raise ValueError(f"no reason is given for {mutants[-1]}")
        found |= dict.fromkeys(mutants, " ".join(reason))
    return found


def _concerns(part: Part, pattern: str) -> bool:
    """Whether a pattern of functions may mean some of this part."""
    modules = (str(path.relative_to(ROOT).with_suffix("")).replace("/", ".") for path in _files(part))
    start = re.split(r"[*?\[]", pattern)[0]
    return any(start.startswith(module) or module.startswith(start) for module in modules)


def _files(part: Part) -> list[Path]:
    return sorted({path for pattern in part.files for path in ROOT.glob(pattern) if path.suffix == ".py"})


def _lay_out(part: Part) -> None:
    """A project for mutmut: links to the code and the tests, and a configuration."""
    home = FOLDER / part.name
    (home / "tests").mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        _link(home / package, ROOT / package)
    for entry in (ROOT / "tests").iterdir():
        if entry.name not in ("conformance", "e2e", "__pycache__"):
            _link(home / "tests" / entry.name, entry)
    names = [str(path.relative_to(ROOT)) for path in _files(part)]
    setting: dict[str, Any] = {
        "source_paths": list(PACKAGES),
        "only_mutate": names,
        "pytest_add_cli_args_test_selection": list(part.tests),
        "pytest_add_cli_args": ["-p", "randomly", "--randomly-dont-reorganize", "-p", "no:cacheprovider"]
        + (["-k", part.only] if part.only else []),
        "type_check_command": [
            sys.executable,
            "-m",
            "mypy",
            *names,
            "--output",
            "json",
            "--disable-error-code",
            "unused-ignore",
        ],
        "use_git_change_detection": False,
        "on_dependency_change": "ignore",
    }
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in setting.items()]
    ours = (ROOT / "pyproject.toml").read_text()
    (home / "pyproject.toml").write_text(f"{ours}\n[tool.mutmut]\n{''.join(lines)}")
    _forget_what_changed(home)


def _link(place: Path, target: Path) -> None:
    if not place.is_symlink():
        place.symlink_to(target)


def _forget_what_changed(home: Path) -> None:
    """Changed tests may notice more, so survivors are tried again; changed tables make all start anew."""
    marks = {
        "tests": _digest(path for path in (ROOT / "tests").rglob("*.py") if "conformance" not in path.parts),
        "tables": _digest(path for package in PACKAGES for path in (ROOT / package).rglob("*.csv")),
    }
    known_file = home / "marks.json"
    known = json.loads(known_file.read_text()) if known_file.exists() else marks
    if known["tables"] != marks["tables"]:
        shutil.rmtree(home / "mutants", ignore_errors=True)
    elif known["tests"] != marks["tests"]:
        (home / "mutants" / "mutmut-stats.json").unlink(missing_ok=True)
        for meta in (home / "mutants").rglob("*.meta"):
            content = json.loads(meta.read_text())
            codes = content["exit_code_by_key"]
            content["exit_code_by_key"] = {
                key: code if VERDICTS.get(code) in ("killed", "by mypy") else None
                for key, code in codes.items()
            }
            meta.write_text(json.dumps(content))
    shutil.rmtree(home / "mutants" / "tests", ignore_errors=True)
    known_file.write_text(json.dumps(marks))


def _digest(paths: Iterator[Path]) -> str:
    return sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()


def _mutate(part: Part, pattern: str) -> None:
    mutmut = Path(sys.executable).with_name("mutmut")
    names = _mangled(part, pattern) if pattern else []
    command = [str(mutmut), "run", "--max-children", CHILDREN, *names]
    with (FOLDER / part.name / "output.txt").open("w") as output:
        done = subprocess.run(command, cwd=FOLDER / part.name, stdout=output, stderr=output, check=False)
    if done.returncode:
        raise SystemExit(f"mutmut failed, see {output.name}")


def _mangled(part: Part, pattern: str) -> list[str]:
    """What mutmut calls the functions of a pattern; it marks the last part of a name."""
    module, _, last = pattern.rpartition(".")
    return [pattern, f"{pattern}*", f"{module}.x_{last}*", f"{module}.x?{last}*", f"{module}.*x_*{last}*"]


def _account(part: Part, pattern: str) -> Account:
    account = Account()
    for path in _files(part):
        name = path.relative_to(ROOT)
        mutated = FOLDER / part.name / "mutants" / name
        meta = mutated.with_name(mutated.name + ".meta")
        if not meta.exists():
            continue
        spans = json.loads(mutated.with_name(mutated.name + ".spans").read_text())["spans"]
        lines = mutated.read_text().splitlines()
        for key, code in json.loads(meta.read_text())["exit_code_by_key"].items():
            mangled = key.rpartition(".")[2]
            function = _plain(key)
            if pattern and not fnmatch.fnmatch(function, pattern):
                continue
            verdict = VERDICTS.get(code, "crashed")
            if verdict in ALIVE:
                mutant = _compared(function, mangled, lines, spans)
                verdict = "wording" if mutant.of_words else verdict
                if verdict in ALIVE:
                    account.alive.append(mutant)
            account.tried.add(function)
            account.verdicts[verdict] += 1
    return account


def _plain(key: str) -> str:
    """As we write it: `domain.chance.Chance.draw` of `domain.chance.xǁChanceǁdraw__mutmut_1`."""
    module, _, mangled = key.partition("__mutmut_")[0].rpartition(".")
    return f"{module}.{mangled[2:].replace('ǁ', '.')}"


def _compared(function: str, mangled: str, lines: list[str], spans: dict[str, list[int]]) -> Mutant:
    original = mangled.partition("__mutmut_")[0] + "__mutmut_orig"
    before, after = (
        [line.strip().replace(f"{name}(", "(") for line in lines[spans[name][0] - 1 : spans[name][1]]]
        for name in (original, mangled)
    )
    changes = [line for line in difflib.ndiff(before, after) if line[:2] in ("- ", "+ ")]
    was, now = (" ⏎ ".join(line[2:] for line in changes if line[0] == sign) for sign in "-+")
    return Mutant(function, was, now)


def _silent(code: str) -> str:
    """The code with its sentences left out."""
    return re.sub(r"""(["'])(?:(?!\1)[^\\]|\\.)* (?:(?!\1)[^\\]|\\.)*\1""", '""', code)


def _table(accounts: dict[str, Account]) -> str:
    rows = [("part", "mutants", *COLUMNS)]
    for name, account in accounts.items():
        numbers = (account.verdicts.total(), *(account.verdicts[column] for column in COLUMNS))
        rows.append((name, *map(str, numbers)))
    return "\n".join("  ".join(f"{cell:>9}" for cell in row) for row in rows)


if __name__ == "__main__":
    os.nice(10)
    sys.exit(main(*sys.argv[1:]))
