"""Sizes of memory as a setting gives them: bytes, `512mb`, `4gb`, or a share of this machine's, `50%`."""

import os
import re
from pathlib import Path

UNITS = {"": 1, "kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30}
LEAST_BYTES = 16 << 20  # an empty store takes a few
LIMITS = (  # of the container that we run in, if we do
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def size_of(notation: str) -> int:
    """Bytes; ValueError says how to write it."""
    read = re.fullmatch(r"([0-9]{1,15})(%|[kmg]b|)", notation.strip().lower())
    if read is None:
        raise ValueError("write a number of bytes, a size as 512mb or 4gb, or a share of the memory as 50%")
    number, unit = int(read[1]), read[2]
    if unit == "%" and not 1 <= number <= 100:
        raise ValueError("a share is 1% to 100%")
    size = available() * number // 100 if unit == "%" else number * UNITS[unit]
    if size < LEAST_BYTES:
        raise ValueError(f"it must be {LEAST_BYTES >> 20}mb at least")
    return size


def available() -> int:
    """The machine's memory in bytes, or what our container may use of it, if that is less."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([machine, *filter(None, map(_limit, LIMITS))])


def _limit(file: Path) -> int | None:
    try:
        text = file.read_text(encoding="ascii").strip()
    except OSError:
        return None
    return int(text) if text.isdigit() and int(text) > 0 else None
