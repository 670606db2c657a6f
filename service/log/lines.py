"""The lines of a log as it is kept, plain or gzipped."""

import gzip
import zlib

from service.log.chain import FlawError

GZIP_MAGIC = b"\x1f\x8b"


def log_lines(kept: bytes) -> list[bytes]:
    """The lines of a kept log, unpacked if it begins as gzip does; FlawError if the packing is damaged."""
    if not kept.startswith(GZIP_MAGIC):
        return kept.split(b"\n")
    try:
        return gzip.decompress(kept).split(b"\n")
    except (EOFError, gzip.BadGzipFile, zlib.error) as damage:
        raise FlawError(0, f"the gzip file is damaged: {damage}") from damage
