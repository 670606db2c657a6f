"""What `Play` takes and gives: requests, results and refusals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from domain.errors import RuleBroken
from service.auth.tokens import FIELD
from service.errors import ServiceError
from service.log.record import Entry
from service.matches.aggregate import Aggregate
from service.matches.revision import Revision


class MatchNotFoundError(ServiceError, status=404, code="match_not_found"):
    """There is no such match."""


class VersionNotFoundError(ServiceError, status=404, code="version_not_found"):
    """The match has not reached that version."""


class StaleVersionError(ServiceError, status=412, code="stale_version"):
    """The match is not at the version that the caller expected."""

    def __init__(self, expected: Revision, current: Revision) -> None:
        if expected.version == current.version:
            super().__init__(
                f"The history of the match has changed: version {current.version} is now {current}."
            )
        else:
            super().__init__(f"The match is at version {current.version}, not {expected.version}.")
        self.expected, self.current = expected, current


class TokenRevokedError(ServiceError, status=401, code="token_unknown"):
    """The token of a request was revoked."""


class KeyReusedError(ServiceError, status=422, code="idempotency_key_reused"):
    """The Idempotency-Key was used with another request."""


class CommandRefusedError(ServiceError, status=409, code="illegal_command"):
    """A rule refused a command; `index` is its place in the batch."""

    def __init__(self, rule: RuleBroken, index: int, version: int) -> None:
        super().__init__(rule.sentence)
        self.rule, self.index, self.version = rule, index, version


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks, by which id the request is known again, and at which version it is meant, if at one only.

    `fields` are stored beside the commits; `nonce` is kept with the answer (tokens are made from
    it). `token` is the digest of the token it came with, if with one; `ends` is a request that revokes its
    own token, and so the only one that gets its first answer again after that. `peopled`: the match is not to
    be left to bots alone.
    """

    by: str
    key: str | None = None
    fingerprint: str = ""
    expected: Revision | None = None
    nonce: str = ""
    fields: Mapping[str, str] = field(default_factory=dict, repr=False)
    token: str = ""
    ends: bool = False
    peopled: bool = False

    def check(self, fields: Mapping[str, str]) -> None:
        """TokenRevokedError unless the head of the match still has this token for the caller."""
        if self.token and fields.get(FIELD + self.by) != self.token:
            raise TokenRevokedError(
                "The token was revoked: its seat was left or taken over, or the token was rotated."
            )


@dataclass(frozen=True, slots=True)
class Result:
    """What is stored: the commits, the match after the last of them, whether an earlier request did it."""

    loaded: Aggregate
    entries: Sequence[Entry]
    nonce: str
    replayed: bool = False
