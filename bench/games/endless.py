"""Endless, a game for one whose only command counts: a match of it is as long as you like."""

# ruff: noqa: ARG001, ARG005  the contract's shapes

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from domain.chance import Chance
from domain.game import Edition, Game, Json, Story, Viewer
from domain.rulebook import Rulebook
from domain.score import SeatScore
from domain.stored import stored


@dataclass(frozen=True, slots=True)
class State:
    """How often it was counted."""

    counted: int = 0


@stored("count")
@dataclass(frozen=True, slots=True)
class Count:
    """Count one further."""


@stored("counted")
@dataclass(frozen=True, slots=True)
class Counted:
    """It was counted; the fields are about as long as those of a move."""

    seat: int
    number: int
    word: str


def tell(story: Story[State, Counted], command: Count, seat: int, chance: Chance) -> None:
    story.tell(Counted(seat, story.state.counted + 1, "one further than before"))


def evolve(state: State, event: Counted) -> State:
    return replace(state, counted=event.number)


def legal(state: State, seat: int) -> Iterator[Count]:
    yield Count()


def score(state: State, viewer: Viewer) -> tuple[SeatScore, ...]:
    return (SeatScore(0, (), state.counted),)


def view(state: State, viewer: Viewer) -> Mapping[str, Json]:
    return {"counted": state.counted}


def imagine(box: None, seen: Mapping[str, Any], chance: Chance) -> State:
    return State(seen["counted"])


GAME: Game[State, Count, Counted] = Game(
    name="endless",
    title="Endless",
    rulebook=Rulebook("# Endless", {}),
    refusals=(),
    glossary=(),
    rules_version=1,
    seats=range(1, 2),
    options=(),
    editions={"core": Edition("core", {})},
    default_edition="core",
    state=State,
    commands=(Count,),
    events=(Counted,),
    endings=(),
    results=(),
    score_parts={},
    box=lambda edition: None,
    initial=lambda box, table: State(),
    setup=lambda state, chance: (),
    tell=tell,
    evolve=evolve,
    to_act=lambda state: (0,),
    legal=legal,
    outcome=lambda state: None,
    score=score,
    view=view,
    imagine=imagine,
)
