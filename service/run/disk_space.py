"""Whether the disk of a folder has room for a log that grows."""

import os
import tempfile
from pathlib import Path

RESERVE_BYTES = 32 * 1024 * 1024  # more than is appended between two looks


def is_short(folder: Path) -> bool:
    """Whether the disk says that less than the reserve is free; quick, to be asked all the time."""
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize < RESERVE_BYTES


def missing(folder: Path) -> str:
    """Why the reserve cannot be written now, by any limit there is; empty if it can."""
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix="room-") as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, RESERVE_BYTES)
            else:
                file.write(bytes(RESERVE_BYTES))
    except OSError as refused:
        return refused.strerror or str(refused)
    return ""
