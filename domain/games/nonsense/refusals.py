"""What the rules of Stuff and Nonsense refuse, beside the rules of every match."""

from domain.refusals import Refusal


class NonsenseRefusal(Refusal):
    """The refusals of Stuff and Nonsense, in the order in which `rules.md` explains them."""

    NOT_WITHIN_A_STEP = "not_within_a_step"
    MARKET_NEEDS_A_CARD = "market_needs_a_card"
    CLUB_NEEDS_AN_ADVENTURE = "club_needs_an_adventure"
    CARD_NOT_THERE = "card_not_there"
    CARD_NOT_IN_HAND = "card_not_in_hand"
    UNKNOWN_DESTINATION = "unknown_destination"
    CARD_REPEATED = "card_repeated"
    TYPE_REPEATED = "type_repeated"
    WORTHLESS_CARD = "worthless_card"
    TOO_FEW_CARDS = "too_few_cards"
    ONE_WAY_TO_PAY = "one_way_to_pay"
    NOT_NOW = "not_now"
