"""What is kept beside the matches: the ports that the edge works with, besides the one pipe."""

from dataclasses import dataclass

from service.hooks import HookBook
from service.keys import KeyRing


@dataclass(frozen=True, slots=True)
class Side:
    """One field a port."""

    keys: KeyRing
    hooks: HookBook
