"""Editions by name and content hash: what commit 1 states, and what a log's header carries whole."""

from functools import cache
from typing import Any

from domain.errors import UnknownEdition
from domain.game import Edition
from domain.games import AnyGame
from service.log.canonical import digest


def edition_content(edition: Edition) -> dict[str, Any]:
    """An edition as JSON: its name and its tables of rows."""
    return {
        "name": edition.name,
        "components": {name: list(rows) for name, rows in edition.components.items()},
    }


def edition_of(content: dict[str, Any]) -> Edition:
    """The edition that a header carries."""
    return Edition(content["name"], {name: tuple(rows) for name, rows in content["components"].items()})


def edition_hash(edition: Edition) -> str:
    """SHA-256 over the RFC 8785 form of the content, in hex."""
    return digest(edition_content(edition))


@cache
def edition_hashes(game: AnyGame) -> dict[str, str]:
    """The hash of every edition of a game, by name."""
    return {name: edition_hash(edition) for name, edition in game.editions.items()}


def find_edition(game: AnyGame, name: str, wanted: str) -> Edition:
    """The edition of this name and hash; UnknownEdition if it is not installed, or has been altered."""
    if edition_hashes(game).get(name) != wanted:
        raise UnknownEdition(f"edition {name!r} of {game.name} with hash {wanted} is not installed")
    return game.editions[name]
