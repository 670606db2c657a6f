"""A whole state that looks just like a view: what others placed in secret is placed at random (for bots)."""

from collections.abc import Mapping
from typing import Any

from domain.chance import Chance
from domain.games.drawer import events as e
from domain.games.drawer.components import Box
from domain.games.drawer.legal import placements
from domain.games.drawer.reducer import evolve
from domain.games.drawer.spaces import mask_of
from domain.games.drawer.state import COMPARTMENTS, Compartment, Drawer, Placement, State, Tile


def imagine(box: Box, view: Mapping[str, Any], chance: Chance) -> State:
    """Every unseen placement is one that its seat may have made; ValueError if there is none."""
    turned = (*view["row"]["face_up"], *view["discards"])
    state = State(
        box=box,
        individual=view["variant"] == "individual",
        two_large_gaps=view["two_large_gaps"],
        pool=frozenset(),
        deck=frozenset(box.items) - {*turned},
        drawers=tuple(_drawer(box, drawer, view["item"]) for drawer in view["drawers"]),
        goals=tuple(view["goals"][name] for name in COMPARTMENTS),
        round=view["round"],
        row=tuple(view["row"]["face_up"]),
        discards=tuple(view["discards"]),
        over=view["over"],
    )
    for drawer in view["drawers"]:
        if drawer["placed"] and drawer["placement"] is None:
            state = _place(state, drawer["seat"], chance)
    return state


def _place(state: State, seat: int, chance: Chance) -> State:
    """The seat places the item in secret."""
    choices = tuple(placements(state, seat))
    choice = choices[chance.draw(f"imagined/{seat}", range(len(choices)))]
    return evolve(state, e.ItemPlaced(seat, state.row[-1], choice.compartment, choice.cells))


def _drawer(box: Box, view: Mapping[str, Any], item: str) -> Drawer:
    """The drawer as far as it is seen: a placement that is not is not made yet."""
    compartments = tuple(_compartment(view["compartments"][name]) for name in COMPARTMENTS)
    placed = view["placement"]
    pending = placed and Placement(view["seat"], placed["compartment"], tuple(placed["cells"]))
    used = {tile.item for tiles in compartments for tile in tiles} | {view["aside"]}
    supply = frozenset(box.items) - used - ({item} if pending else set())
    return Drawer(supply, compartments, pending, view["aside"], view["finished"])


def _compartment(rows: list[list[str | None]]) -> Compartment:
    items = [item for row in rows for item in row]
    lying = sorted({item for item in items if item is not None})
    return tuple(Tile(item, mask_of(n for n, there in enumerate(items) if there == item)) for item in lying)
