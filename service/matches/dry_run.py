"""What a command would cause, without chance and without writing: a dry run.

It must tell nothing that its caller does not know, so it never decides on the real position or with the real
secrets. It decides in several worlds that look to the caller just like the real one, each with chances of its
own, and tells what comes out alike in all of them; the rest depends on chance or on hidden things.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from secrets import token_bytes
from typing import Any

import orjson

from domain.chance import SEED_BYTES, Chance
from domain.game import Viewer
from domain.match.commitment import Secrets
from domain.match.foresight import foreseen, settled
from domain.match.rules import decide
from domain.match.state import Match
from service.log.codec import dump
from service.log.record import sealed_pointers
from service.matches.aggregate import Aggregate
from service.matches.batch import Batch, check_people
from service.matches.views import viewer_of

WORLDS = 8
Dice = Callable[[], bytes]  # 32 random bytes at each call
random_bytes: Dice = partial(token_bytes, SEED_BYTES)


@dataclass(frozen=True, slots=True)
class DryRunResult:
    """What is sure to happen: so many commands accepted, these events; `certain` if that is all of it.

    `after` is the match as it would be, as far as it is certain.
    """

    accepted: int
    events: Sequence[Mapping[str, Any]]
    certain: bool
    after: Match


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What came of a command in one world; `settled` says that nothing was drawn and nothing revealed."""

    after: Match
    events: Sequence[Mapping[str, Any]]
    settled: bool
    foreseen: bool


def dry_run(
    loaded: Aggregate,
    commands: Sequence[Any],
    by: str,
    dice: Dice = random_bytes,
    *,
    peopled: bool = False,
) -> DryRunResult:
    """What commands would cause, as their sender would see it; CommandRefusedError as when sent.

    A refusal comes out alike in all worlds, for it depends on nothing that the caller does not know.
    """
    viewer, events, certain = viewer_of(by), list[Mapping[str, Any]](), True
    batch = Batch(by, loaded.version)
    worlds = [imagined(loaded.state, viewer, dice) for _ in range(WORLDS)]
    for command in commands:
        with batch.following():
            outcomes = [_attempt(world, command, by, Secrets(dice(), dice())) for world in worlds]
            if peopled:
                check_people(worlds[0], outcomes[0].after)
        alike = _common([each.events for each in outcomes])
        ends = {(each.after.status, each.after.to_act) for each in outcomes}
        certain = len(ends) == 1 and all(each.events == alike and each.settled for each in outcomes)
        batch.known = all(each.foreseen for each in outcomes)
        events += alike
        worlds = [each.after for each in outcomes]
    return DryRunResult(len(commands), events, certain, after=worlds[0])


def imagined(match: Match, viewer: Viewer, dice: Dice) -> Match:
    """A match that looks to its viewer just like the real one; what is hidden from them is dealt anew."""
    if match.status != "playing":
        return match  # nothing was dealt yet, or no move is left
    game, seen = match.game, orjson.loads(orjson.dumps(match.game.view(match.position, viewer)))
    return replace(match, position=game.imagine(game.box(match.edition), seen, Chance(dice())))


def _attempt(world: Match, command: Any, by: str, secrets: Secrets) -> _Outcome:
    """What a command causes in one world; RuleBroken."""
    story, viewer = decide(world, command, by, secrets), viewer_of(by)
    seen = _seen(by, command, story.events)
    return _Outcome(story.state, seen, settled(world, story, viewer), foreseen(world, story, viewer))


def _seen(by: str, command: Any, events: Sequence[Any]) -> list[dict[str, Any]]:
    """Events as the sender of the command would see them: without what is sealed from the sender."""
    written = [dump(event) for event in events]
    for pointer, seats in sealed_pointers(by, command, events).items():
        _, part, *rest = pointer.split("/")
        if part == "events" and viewer_of(by) not in seats:
            index, name = rest
            del written[int(index)][name]
    return written


def _common(outcomes: Sequence[Sequence[Mapping[str, Any]]]) -> list[Mapping[str, Any]]:
    """The events with which all begin."""
    alike = list[Mapping[str, Any]]()
    for events in zip(*outcomes, strict=False):
        if any(event != events[0] for event in events):
            break
        alike.append(events[0])
    return alike
