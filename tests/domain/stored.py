"""What logs keep of every command and event, a line each: `python -m tests.domain.stored` writes it down.

Stored history is read by these names and fields for ever. A line may change only together with a new upcaster
(then its version rises), or as long as no log anywhere has it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path

from domain.games import AnyGame, games
from domain.match.commands import MATCH_COMMANDS
from domain.match.events import MATCH_EVENTS
from domain.stored import secrets_at, stored_as
from tests.playing import folder_of, is_ours

NAME = "stored.txt"


def written_down() -> Mapping[Path, list[str]]:
    """The lines of every file: that of the games here, and one beside the twin of each game from outside."""
    here = Path(__file__).with_name(NAME)
    found = {here: [*_of("match", "command", MATCH_COMMANDS), *_of("match", "event", MATCH_EVENTS)]}
    for game in games().values():
        file = here if is_ours(game) else folder_of(game) / NAME
        found[file] = [*found.get(file, ()), *lines(game)]
    return found


def lines(newest: AnyGame) -> Iterator[str]:
    """Every stored type: whose it is, its name and version, its fields; secret ones have a star."""
    found = (
        line
        for game in newest.versions.values()
        for line in (
            *_of(game.name, "command", (*game.commands, *game.automaton_commands)),
            *_of(game.name, "event", game.events),
        )
    )
    yield from dict.fromkeys(found)


def _of(owner: str, part: str, kinds: Iterable[type]) -> Iterator[str]:
    for kind in kinds:
        known = stored_as(kind)
        hidden = secrets_at(kind, known.version)
        names = (item.name + "*" * (item.name in hidden) for item in fields(kind))  # type: ignore[arg-type]
        yield " ".join((owner, part, known.name, f"v{known.version}:", *names)).rstrip()


if __name__ == "__main__":
    for path, listed in written_down().items():
        path.write_text("\n".join(listed) + "\n")
