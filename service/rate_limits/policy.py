"""What limits there are: policies, and how an operator writes them."""

from dataclasses import dataclass

from limits import parse_many

NAMES = ("writes", "reads", "creations", "bot_matches", "failures")
PORTIONS = 200  # a quota has so many


@dataclass(frozen=True, slots=True)
class Policy:
    """At most `quota` requests of one caller in a window of so many seconds."""

    name: str
    quota: int
    window: int

    @property
    def portion(self) -> int:
        """How many requests a process takes from the store at a time."""
        return max(1, self.quota // PORTIONS)


def policy_of(name: str, notation: str) -> Policy:
    """A policy from a notation like `6000/minute` or `20 per 5 minutes`; ValueError says what is wrong."""
    item, *more = parse_many(notation)
    if more:
        raise ValueError(f"{notation!r} is more than one limit")
    if item.amount < 1:
        raise ValueError(f"{notation!r} admits nothing; an empty value turns the limit off")
    return Policy(name, item.amount, item.get_expiry())
