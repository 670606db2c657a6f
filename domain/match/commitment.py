"""The two secrets of a match, and what its first commit says of them.

All draws come from the seed, which a creator may choose; whatever is hidden in the log is sealed with salts
from the sealing key, which is always random. So whoever chose the seed may know the draws, but cannot open a
sealed choice. The commitment to the seed has the sealing key in it: a weak seed cannot be guessed from it,
and two matches with one seed do not show by it that they have.
"""

from dataclasses import dataclass, field
from hashlib import sha256

SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class Secrets:
    """A match's seed and sealing key, 32 bytes each; neither is ever printed."""

    seed: bytes = field(repr=False)
    sealing_key: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if {len(self.seed), len(self.sealing_key)} != {SECRET_BYTES}:
            raise ValueError(f"a seed and a sealing key have {SECRET_BYTES} bytes each")

    @property
    def sealing_commitment(self) -> str:
        """SHA-256(sealing key), in hex."""
        return sha256(self.sealing_key).hexdigest()

    @property
    def seed_commitment(self) -> str:
        """SHA-256(sealing key ‖ seed), in hex."""
        return sha256(self.sealing_key + self.seed).hexdigest()
