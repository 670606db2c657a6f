"""What logs keep of every command and event, a line each: `python -m tests.domain.stored` writes it down.

Stored history is read by these names and fields for ever. A line may change only together with a new upcaster
(then its version rises), or as long as no log anywhere has it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path

from domain.games import games
from domain.match.commands import MATCH_COMMANDS
from domain.match.events import MATCH_EVENTS
from domain.stored import secrets_at, stored_as

WRITTEN_DOWN = Path(__file__).with_name("stored.txt")


def lines() -> Iterator[str]:
    """Every stored type: whose it is, its name and version, its fields; secret ones have a star."""
    yield from _of("match", "command", MATCH_COMMANDS)
    yield from _of("match", "event", MATCH_EVENTS)
    for newest in games().values():
        for game in newest.versions.values():
            yield from _of(game.name, "command", (*game.commands, *game.automaton_commands))
            yield from _of(game.name, "event", game.events)


def _of(owner: str, part: str, kinds: Iterable[type]) -> Iterator[str]:
    for kind in kinds:
        known = stored_as(kind)
        hidden = secrets_at(kind, known.version)
        names = (item.name + "*" * (item.name in hidden) for item in fields(kind))  # type: ignore[arg-type]
        yield " ".join((owner, part, known.name, f"v{known.version}:", *names)).rstrip()


if __name__ == "__main__":
    WRITTEN_DOWN.write_text("\n".join(dict.fromkeys(lines())) + "\n")
