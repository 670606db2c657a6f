"""The scripts and styles of the pages, read once from this package, each with its fingerprint."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

MEDIA_TYPES = {"js": "text/javascript", "css": "text/css"}


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of a page."""

    name: str
    content: bytes
    digest: str
    media_type: str


@cache
def _assets() -> dict[str, Asset]:
    found = {}
    for file in files("service.http").joinpath("static").iterdir():
        kind = file.name.rpartition(".")[2]
        if kind in MEDIA_TYPES:
            content = file.read_bytes()
            digest = sha256(content).hexdigest()[:16]
            found[file.name] = Asset(file.name, content, digest, MEDIA_TYPES[kind])
    return found


def asset(name: str) -> Asset | None:
    """The file of this name; None if there is none."""
    return _assets().get(name)


def url_of(name: str) -> str:
    """Where a file is served: another place for another content."""
    return f"/docs/{_assets()[name].digest}/{name}"
