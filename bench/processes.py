"""What processes use, from /proc: processor seconds and resident memory."""

import os
from collections.abc import Iterable
from pathlib import Path

PROC = Path("/proc")


def processor_seconds(pids: Iterable[int]) -> float:
    """Seconds of user and system time that all threads of these processes have used, to the microsecond."""
    return sum(_thread(thread) for pid in pids for thread in (PROC / str(pid) / "task").iterdir())


def children(parent: int) -> list[int]:
    """The process ids of a process's children."""
    found = (path for path in PROC.iterdir() if path.name.isdigit())
    return sorted(int(path.name) for path in found if _parent(path) == parent)


def resident_bytes() -> int:
    """The resident memory of this process."""
    return int((PROC / "self" / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _thread(thread: Path) -> float:
    try:
        return int((thread / "schedstat").read_text().split()[0]) / 1e9
    except FileNotFoundError:  # a kernel that keeps none: the same in ticks of 10 ms
        user, system = _stat(thread)[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _parent(process: Path) -> int:
    try:
        return int(_stat(process)[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0


def _stat(path: Path) -> list[str]:
    return (path / "stat").read_text().rpartition(")")[2].split()
