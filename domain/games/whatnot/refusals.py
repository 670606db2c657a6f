"""What the rules of The Whatnot Cabinet refuse, beside the rules of every match."""

from domain.refusals import Refusal


class WhatnotRefusal(Refusal):
    """The refusals of The Whatnot Cabinet, in the order in which `rules.md` explains them."""

    COLUMN_OCCUPIED = "column_occupied"
    TILE_NOT_THERE = "tile_not_there"
    SPECIAL_TAKES_NO_SPACE = "special_takes_no_space"
    SPACE_MISSING = "space_missing"
    SPACE_TAKEN = "space_taken"
    NOT_NOW = "not_now"
    NOT_TWO_FACE_UP = "not_two_face_up"
    RIVALS_OWN = "rivals_own"
    ADVANCED_FOR_TWO = "advanced_for_two"
