"""What the rules of Junk Drawer refuse, beside the rules of every match."""

from domain.refusals import Refusal


class DrawerRefusal(Refusal):
    """The refusals of Junk Drawer, in the order in which `rules.md` explains them."""

    NO_SUCH_COMPARTMENT = "no_such_compartment"
    COMPARTMENT_USED = "compartment_used"
    NOT_ITS_SHAPE = "not_its_shape"
    SPACE_COVERED = "space_covered"
    GOALS_NOT_CHOSEN = "goals_not_chosen"
    NOT_FOUR_CARDS = "not_four_cards"
