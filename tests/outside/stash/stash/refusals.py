"""What the rules of Stash refuse, beside the rules of every match."""

from domain.refusals import Refusal


class StashRefusal(Refusal):
    """The refusals of Stash, in the order in which `rules.md` explains them."""

    NOT_IN_HAND = "not_in_hand"
    FOLLOW_SUIT = "follow_suit"
