"""The port that stores webhooks, their deliveries, and what is due."""

from collections.abc import Callable, Iterable
from typing import Literal, Protocol, TypeAlias

from service.webhooks.model import Delivery, FirstAnswer, Webhook

Added: TypeAlias = Literal["added", "known", "full"]


def unkeyed(_hook: Webhook) -> None:
    """What is kept of a request without a key."""


class Webhooks(Protocol):
    """Times are milliseconds since 1970."""

    def add(self, webhook: Webhook, first: FirstAnswer | None = None) -> Added:
        """Keep a new webhook; `full` if its owner has MOST_HOOKS.

        `known` if its id is there, or what `first` says is answered already.
        """

    def first_answer(self, id_: str) -> FirstAnswer | None:
        """What a request was answered, for a day; it is kept in one step with what the request did."""

    def find(self, id_: str) -> Webhook | None:
        """A webhook."""

    def of_owner(self, owner: str) -> list[Webhook]:
        """All webhooks of an owner, oldest first."""

    def change(
        self,
        id_: str,
        new: Callable[[Webhook], Webhook],
        first: Callable[[Webhook], FirstAnswer | None] = unkeyed,
    ) -> Webhook | None:
        """Make a webhook what `new` makes of it, undisturbed by others; None if there is none.

        RepeatedError if what `first` says of the changed webhook is answered already.
        """

    def remove(self, webhook: Webhook) -> bool:
        """Let go of a webhook and its deliveries; False if that has been done."""

    def watched(self, matches: Iterable[str]) -> set[str]:
        """Those of the matches about which anybody may want to be told."""

    def watching(self, match: str) -> list[Webhook]:
        """The webhooks that may want to be told about a match."""

    def deliver(self, delivery: Delivery, due: int, first: FirstAnswer | None = None) -> Added:
        """Keep a delivery that is tried again from `due` on; `known` if it was made, or answered, before."""

    def delivery(self, id_: str) -> Delivery | None:
        """A delivery, while it is kept."""

    def deliveries(self, webhook: str, after: str | None, count: int) -> list[Delivery]:
        """Deliveries of a webhook, newest first, after one of them; LookupError if that is gone."""

    def settle(self, before: Delivery, after: Delivery) -> bool:
        """Record how it went; False, with nothing changed, if the delivery is not as before any more."""

    def failed(self, webhook: str, now: int) -> tuple[int, int]:
        """Count a failed attempt; how many have failed one after the other, and since when."""

    def pause(self, webhook: str, until: int) -> None:
        """Nothing is to be sent to a webhook for a while."""

    def paused(self, *whose: str) -> int:
        """Until when nothing is to be sent to a webhook, or for an account: the latest of these."""

    def resume(self, webhook: str) -> None:
        """Forget failures and pause."""

    def owe(self, announcements: Iterable[tuple[str, int]], due: int) -> None:
        """Remember that what happened to a match at a version is to be announced, from `due` on."""

    def announced(self, match: str, version: int) -> None:
        """What happened is announced: all deliveries are kept."""

    def forget(self, delivery: str) -> None:
        """A delivery that is not kept any more is not due either."""

    def claim(self, now: int, until: int, count: int) -> list[tuple[str, int]]:
        """What is due, for nobody else until `until`: (match, version) to tell, (delivery, 0) to try."""

    def put_off(self, claimed: Iterable[tuple[str, int]], until: int) -> None:
        """What was claimed is due at another time."""

    def put_aside(self, claimed: tuple[str, int], why: str) -> None:
        """What was claimed is never due again: it is a dead letter."""
