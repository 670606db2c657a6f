"""What the relay does for webhooks: it notes which commits have to be announced.

The dispatchers announce them. Two relays do no harm: they note the same.
"""

from collections.abc import Sequence

from service.clock import now
from service.redis_store.feed import Pointer
from service.webhooks.model import Webhooks


class WebhookRelay:
    """From the feed to what is owed to the webhooks."""

    def __init__(self, webhooks: Webhooks) -> None:
        self.webhooks = webhooks

    def hear(self, pointers: Sequence[Pointer]) -> None:
        """Have told what happened to matches that somebody watches."""
        watched = self.webhooks.watched(pointer.match for pointer in pointers)
        owed = [(pointer.match, pointer.version) for pointer in pointers if pointer.match in watched]
        if owed:
            self.webhooks.owe(owed, now())
