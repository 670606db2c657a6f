"""The match as a viewer may see it: others' placements are left out until all have placed (D2)."""

from collections.abc import Mapping

from domain.game import Json, Viewer
from domain.games.drawer import events as e
from domain.games.drawer.scoring import to_beat
from domain.games.drawer.spaces import COUNT, SIDE
from domain.games.drawer.state import (
    CARDS_IN_ROW,
    COMPARTMENTS,
    Compartment,
    Drawer,
    State,
    open_compartments,
)


def view(state: State, viewer: Viewer) -> Mapping[str, Json]:
    """One shape for every viewer; `placement` is null for everyone but the seat that placed."""
    face_down = min(CARDS_IN_ROW - len(state.row), len(state.deck))
    return {
        "variant": "individual" if state.individual else "standard",
        "two_large_gaps": state.two_large_gaps,
        "goals": dict(zip(COMPARTMENTS, state.goals, strict=True)),
        "to_beat": to_beat(state) if state.solo else None,
        "round": state.round,
        "item": state.item,
        "last": state.last,
        "row": {"face_up": state.row, "face_down": face_down},
        "deck": {"size": len(state.deck) - face_down},
        "discards": state.discards,
        "drawers": [_drawer(state, seat, viewer) for seat in range(len(state.drawers))],
        "over": state.over,
    }


def reveals(event: e.Event, viewer: Viewer) -> bool:
    """Whether an event shows the viewer something new: the placements of others, at the end (D2)."""
    match event:
        case e.ItemsRevealed(placements=placements):
            return any(placement.seat != viewer for placement in placements)
        case _:
            return False


def _drawer(state: State, seat: int, viewer: Viewer) -> Json:
    drawer = state.drawers[seat]
    return {
        "seat": seat,
        "open": open_compartments(state, seat),
        "compartments": dict(zip(COMPARTMENTS, map(_rows, drawer.compartments), strict=True)),
        "placed": drawer.pending is not None,
        "placement": _placement(drawer) if seat == viewer else None,
        "aside": drawer.aside,
        "finished": drawer.finished,
    }


def _rows(tiles: Compartment) -> Json:
    """Five rows of five: the item on each space, or null."""
    items = [next((tile.item for tile in tiles if tile.spaces >> cell & 1), None) for cell in range(COUNT)]
    return [items[start : start + SIDE] for start in range(0, COUNT, SIDE)]


def _placement(drawer: Drawer) -> Json:
    pending = drawer.pending
    return None if pending is None else {"compartment": pending.compartment, "cells": pending.cells}
