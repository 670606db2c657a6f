"""A receiver of webhooks that is really there: checks signatures as integrators would, keeps what it got."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pytest_httpserver import HTTPServer
from standardwebhooks import Webhook
from werkzeug.wrappers import Request, Response


@dataclass
class Receiver:
    """Answers 200, or what was laid out to be answered first; `got` are headers and bodies, in order."""

    server: HTTPServer
    answers: list[Response] = field(default_factory=list)
    got: list[tuple[dict[str, str], str]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://localhost:{self.server.port}/told"

    @property
    def told(self) -> list[dict[str, Any]]:
        """The bodies, as JSON."""
        return [json.loads(body) for _, body in self.got]

    @property
    def ids(self) -> list[str]:
        return [headers["webhook-id"] for headers, _ in self.got]

    def types(self) -> list[str]:
        return [told["type"] for told in self.told]

    def take(self, request: Request) -> Response:
        """Keep what came and answer."""
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.got.append((headers, request.get_data(as_text=True)))
        return self.answers.pop(0) if self.answers else Response("thanks")

    def verify(self, secret: str) -> None:
        """WebhookVerificationError where anything that came was not signed with a secret."""
        for headers, body in self.got:
            Webhook(secret).verify(body, headers)


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver on a free port of this machine."""
    with HTTPServer(host="localhost") as server:
        receiver = Receiver(server)
        server.expect_request("/told").respond_with_handler(receiver.take)
        yield receiver
