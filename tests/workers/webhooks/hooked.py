"""Webhooks for the tests: registered over HTTP, delivered by a relay and jobs that a test drives."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask.testing import FlaskClient

from service.auth.api_keys import SCOPES, new_key
from service.bootstrap import bootstrap
from service.clock import now
from service.matches.play import Play
from tests.receivers import Receiver
from tests.service.http.table import Table, lay, post
from workers.relay import Relay
from workers.webhooks.dispatcher import Dispatcher

Bearer = Mapping[str, str]


@dataclass
class Hooked:
    """Everything between a commit and a receiver, a step at a time."""

    client: FlaskClient
    play: Play
    relay: Relay
    store: Any
    receiver: Receiver
    dispatcher: Dispatcher

    @property
    def side(self) -> Any:
        return bootstrap(self.play.journal.client)  # type: ignore[attr-defined]

    def key(self, *scopes: str) -> dict[str, str]:
        """The header of a fresh API key."""
        return {"Authorization": f"Bearer {new_key(self.side.keys, 'Test', scopes or SCOPES[2:], now())[1]}"}

    def lay(self, seats: Any = 2, **body: Any) -> Table:
        return lay(self.client, self.play, seats, **body)

    def register(self, who: Bearer, **body: Any) -> dict[str, Any]:
        """A registered webhook of the receiver, with its secret."""
        made = post(self.client, "/v1/webhooks", {"url": self.receiver.url, **body}, who)
        assert made.status_code == 201, made.json
        return dict(made.json)

    def deliver(self, later: int = 0) -> None:
        """Relay what has happened, tell it, and take up what is due (so many ms) later."""
        while pointers := self.relay.feed.new(0.05):
            self.relay.relay(pointers)
        self.work()
        for paused in self.store.scan_iter("{hooks}:pause:*") if later else ():
            self.store.hset(paused, "until", 0)  # as if so much time had passed
        self.work(later)

    def work(self, later: int = 0) -> None:
        """Tell and send what is due (so many ms later), and what follows from it."""
        self.dispatcher.work_off(now() + later)

    def deliveries(self, hook: Mapping[str, Any], who: Bearer) -> list[dict[str, Any]]:
        """The listed deliveries, newest first."""
        listed = self.client.get(f"/v1/webhooks/{hook['id']}/deliveries?limit=200", headers=who)
        assert listed.status_code == 200, listed.json
        return list(listed.json["items"])

    def read(self, hook: Mapping[str, Any], who: Bearer) -> dict[str, Any]:
        """The webhook as it is listed."""
        return dict(self.client.get(f"/v1/webhooks/{hook['id']}", headers=who).json)

    def act(self, hook: Mapping[str, Any], what: str, who: Bearer) -> dict[str, Any]:
        """`ping`, `rotate`, or `deliveries/<id>/redeliver`."""
        done = self.client.post(f"/v1/webhooks/{hook['id']}/{what}", headers=who)
        assert done.status_code in (200, 202), done.json
        return dict(done.json)
