"""The order in which a write of a match is judged: the same list for all of them, each step a method.

identify, authorize, count, replay, parse, precondition, decide, append, answer (design, section 6). The
first step that refuses answers, and no later step sees what an earlier one has refused.
"""

from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Generic, TypeVar, cast

from flask import Response
from marshmallow import Schema

from domain.match.actors import Seat, read_actor
from service.http.judgement.callers import (
    check_host,
    command_id,
    find,
    newcomer,
    play,
    required_actor,
    shown_digest,
)
from service.http.judgement.sent import if_match, sent
from service.http.middleware.rate_limits import admit
from service.http.protocol.problems import Problem
from service.http.protocol.refusals import refusing
from service.matches.aggregate import Aggregate
from service.matches.joining import Caller
from service.matches.requests import KeyReusedError, Request, Result

Asked = TypeVar("Asked")


class Write(ABC, Generic[Asked]):
    """A write of a match. A resource fills in the steps; `judge` takes them in order.

    This one is for callers without a token, who are about to get one.
    """

    conditional = True  # whether it heeds If-Match
    schema: Schema | None = None  # of its body; None where it takes none
    loaded: Aggregate

    def __init__(self, match_id: str = "", number: int = 0) -> None:
        """The match of the path, and the number of a seat or an invite in it."""
        self.match_id, self.number, self.body = match_id, number, sent()

    def judge(self) -> Response:
        """The answer to the request: what was done, now or by its first sending, or the first refusal."""
        if (first := self._identified()) is not None:
            admit()
            return self.answer(first)
        self.authorize()
        admit(*self.limits())
        request = self.request()
        try:
            asked = self.parse()
            expected = if_match() if self.conditional else None
        except Problem:  # a repeat gets its first answer, whatever is wrong with it now
            known = play().known(self.match_id, request)
            if known is None:
                raise
            return self.answer(known)
        return self.conclude(asked, replace(request, expected=expected))

    def _identified(self) -> Result | None:
        """Identify the caller; or what a repeat did that comes with the token it revoked (`Ending`)."""
        self.identify()
        return None

    def identify(self) -> None:
        """Find the match, and who calls: 404, 401."""
        self.loaded = find(self.match_id)

    def authorize(self) -> None:
        """403 if the caller may not do this."""

    def limits(self) -> tuple[str, ...]:
        """The rate limits that count it, besides the one for writes: 429."""
        return ()

    @cached_property
    def caller(self) -> Caller:
        """What tokens and codes of the answer are made of; 422 for an invalid key."""
        return newcomer()

    def request(self) -> Request:
        """The request by which repeats are recognised; 422 for an invalid key."""
        return self.caller.asks("")

    @property
    def seated(self) -> bool:
        """Whether a seat calls."""
        return False

    def parse(self) -> Asked:
        """What is asked, by default as `schema` loads it: 415, 422."""
        if self.schema is not None:
            asked: Asked = self.body.read(self.schema)
            return asked
        self.body.nothing()
        return cast("Asked", None)

    def conclude(self, asked: Asked, request: Request) -> Response:
        """Decide, append and answer: 412 for a version that is not current, 409 where a rule refuses."""
        with refusing(self.loaded, self.commands_in(asked), seated=self.seated):
            result = self.decide(asked, request)
        return self.answer(result)

    def commands_in(self, asked: Asked) -> int:  # noqa: ARG002  what most writes need not look at
        """How many commands are asked: a refusal says which one it means."""
        return 1

    @abstractmethod
    def decide(self, asked: Asked, request: Request) -> Result:
        """Decide and append, as one (`Play.do`); a repeat gets what its first sending did."""

    @abstractmethod
    def answer(self, result: Result) -> Response:
        """The answer, the same the first time and again."""


class HeldWrite(Write[Asked]):
    """A write by the holder of a token of the match: `self.by` is the actor."""

    by: str
    least_key = 1  # characters of an Idempotency-Key

    def identify(self) -> None:
        self.loaded = find(self.match_id)
        self.by = required_actor(self.loaded)

    @property
    def seated(self) -> bool:
        return isinstance(read_actor(self.by), Seat)

    def request(self) -> Request:
        return self._request(self.by)

    def _request(self, by: str) -> Request:
        return Request(by, command_id(self.least_key), self.body.fingerprint, token=shown_digest())


class HostWrite(HeldWrite[Asked]):
    """A write by the host."""

    def authorize(self) -> None:
        check_host(self.by)


class Ending(HeldWrite[None]):
    """A write that revokes the token it comes with.

    Its repeat comes with a token that is revoked by then: with the same key it gets the first answer, and
    nothing else.
    """

    def _identified(self) -> Result | None:
        self.loaded = find(self.match_id)
        try:
            self.by = required_actor(self.loaded)
        except Problem:
            with suppress(Problem, KeyReusedError):
                if (first := play().known(self.loaded.id, self._request(""))) is not None:
                    return first
            raise
        return None

    def _request(self, by: str) -> Request:
        return replace(super()._request(by), ends=True)
