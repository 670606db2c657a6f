"""One who follows a match over HTTP, comes again where he was when he is cut off, and keeps what he hears."""

import time
from collections.abc import Callable, Mapping
from typing import Any

import httpx
import orjson
from httpx_sse import EventSource

PATIENCE = 180.0  # seconds for a whole match
PAUSE = 0.05  # seconds until one who was cut off comes again
Headers = Mapping[str, str]


class Follower:
    """One who follows a match in some form; `cuts` counts how often he was cut off."""

    def __init__(self, url: str, path: str, headers: Headers) -> None:
        self.url, self.path, self.headers = url, path, dict(headers)
        self.commits: list[Any] = []
        self.cuts = 0

    @property
    def version(self) -> int:
        """The version he has."""
        return int(self.commits[-1]["version"]) if self.commits else 0

    def follow(self, once: Callable[[httpx.Client], bool]) -> "Follower":
        """Come again until `once` says that there is nothing more."""
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            try:
                with httpx.Client(base_url=self.url, timeout=20) as client:
                    if once(client):
                        return self
            except httpx.TransportError:
                self.cuts += 1
            time.sleep(PAUSE)
        raise TimeoutError(f"{self.path} has not ended")

    def by_events(self) -> "Follower":
        """As an EventSource does."""
        return self.follow(self._events)

    def by_lines(self) -> "Follower":
        """Lines of JSON that go on."""
        return self.follow(self._lines)

    def by_pages(self) -> "Follower":
        """Pages that are waited for."""
        return self.follow(self._page)

    def _events(self, client: httpx.Client) -> bool:
        headers = {**self.headers, "Accept": "text/event-stream", "Last-Event-ID": str(self.version)}
        with client.stream("GET", self.path, headers=headers) as got:
            if got.status_code == 200:
                for event in EventSource(got).iter_sse():
                    if event.event == "commit":
                        self.commits.append(orjson.loads(event.data))
            return got.status_code == 204

    def _lines(self, client: httpx.Client) -> bool:
        headers = {**self.headers, "Accept": "application/x-ndjson"}
        with client.stream("GET", f"{self.path}?follow=true&after={self.version}", headers=headers) as got:
            if got.status_code == 200:
                for line in got.iter_lines():
                    record = orjson.loads(line or "{}")
                    self.commits += [record] if "command" in record else []
            return got.status_code == 204

    def _page(self, client: httpx.Client) -> bool:
        headers = {**self.headers, "Accept": "application/json", "Prefer": "wait=5"}
        got = client.get(f"{self.path}?after={self.version}", headers=headers)
        if got.status_code != 200:
            return False
        self.commits += got.json()["items"]
        status = client.get(self.path.removesuffix("/log"), headers=self.headers)
        return status.status_code == 200 and status.json()["status"] == "finished" and not got.json()["items"]
