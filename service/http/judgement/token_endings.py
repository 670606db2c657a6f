"""Requests that end the token they come with, and how their repeats are known all the same."""

from contextlib import suppress

from service.http.judgement.callers import (
    command_id,
    fingerprint,
    idempotency_key,
    play,
    required_actor,
    token_digest,
)
from service.http.protocol.problems import Problem
from service.matches.aggregate import Loaded
from service.matches.requests import KeyReusedError, Request, Result


def ending(loaded: Loaded, body: bytes, least: int = 1) -> Request | Result:
    """A request that ends the token it comes with, or what it has done if it comes again.

    Its repeat comes with a token that is revoked by then: with the same key it gets the first answer, and
    nothing else.
    """

    def ask(by: str) -> Request:
        known_by = command_id(token_digest(), idempotency_key(least))
        return Request(by, known_by, fingerprint(body), token=token_digest(), ends=True)

    try:
        by = required_actor(loaded)
    except Problem:
        with suppress(Problem, KeyReusedError):
            if (first := play().known(loaded.id, ask(""))) is not None:
                return first
        raise
    return ask(by)
