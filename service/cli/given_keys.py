"""Public keys for the command line: from a file, or from where a service publishes them."""

import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import click

from service.log.public_keys import WELL_KNOWN, PublicKey, read_keys

MOST_BYTES = 1 << 20
PATIENCE_S = 10.0


class KeysType(click.ParamType):  # type: ignore[type-arg]  # some versions of click have none
    """A JWK Set, a JWK or a public key in PEM: a file or a URL (without a path: the well-known place)."""

    name = "file or url"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> Mapping[str, PublicKey]:
        """The keys by id."""
        try:
            return read_keys(_fetched(value) if "://" in value else Path(value).read_bytes())
        except OSError as refused:
            self.fail(f"{value} cannot be read: {refused.strerror or refused}.", param, ctx)
        except ValueError as wrong:
            self.fail(f"{value}: {wrong}.", param, ctx)


def _fetched(url: str) -> bytes:
    """OSError where it cannot be had, ValueError where it is too long or no URL of the web."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https"):
        raise ValueError("only http and https are read")
    place = parts._replace(path=WELL_KNOWN) if parts.path in ("", "/") else parts
    try:
        with urllib.request.urlopen(place.geturl(), timeout=PATIENCE_S) as answer:  # noqa: S310  http or https
            text: bytes = answer.read(MOST_BYTES + 1)
    except urllib.error.HTTPError as refused:
        refused.close()
        raise OSError(f"status {refused.code}") from refused
    if len(text) > MOST_BYTES:
        raise ValueError("this is too long for a set of keys")
    return text
