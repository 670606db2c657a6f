"""The one command of players."""

from dataclasses import dataclass
from typing import TypeAlias

from domain.fields import bounded
from domain.stored import stored


@stored("play_card")
@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card of your hand to the trick (S1)."""

    card: int = bounded(1, 999)


Command: TypeAlias = PlayCard
PLAYER_COMMANDS = (PlayCard,)
