"""The port that tells how far the relay and the workers are behind."""

from typing import Protocol


class Progress(Protocol):
    """Times are ages in ms by the store's clock, 0 if nothing waits; StoreUnavailableError."""

    def oldest_owed(self) -> int:
        """For how long the match has waited that waits longest for an automaton, a bot or its score."""

    def relay_lag(self) -> int:
        """How old the oldest commit is that no relay has handed over."""
