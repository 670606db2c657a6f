"""Who calls: a token of a match, an API key, or nobody; and what repeats of a request are known by."""

import re
from dataclasses import dataclass, field

from flask import current_app, g, request

from domain.match.actors import HOST
from service.auth.api_keys import PREFIX, ApiKey
from service.auth.tokens import digest, holder_of
from service.dependencies import Dependencies
from service.http.judgement.sent import LONG_KEY, idempotency_key, sent
from service.http.middleware.rate_limits import address, recognised
from service.http.protocol.problems import Problem, unauthorized
from service.matches.aggregate import Aggregate
from service.matches.joining import Caller
from service.matches.play import Play
from service.matches.visibility import may_see
from service.store.deployment import keyed

MATCH_ID = re.compile(r"m_[a-z2-7]{26}")


def dependencies() -> Dependencies:
    """The use cases and the ports of this application."""
    found: Dependencies = current_app.extensions["dependencies"]
    return found


def play() -> Play:
    """The one pipe."""
    return dependencies().play


def find(match: str, *, newest: bool = True) -> Aggregate:
    """The match of a path: the newest, or (where a write will find out) as last seen."""
    if not MATCH_ID.fullmatch(match):
        raise Problem("match_not_found", f"There is no match {match[:40]}.")
    return play().load(match) if newest else play().peek(match)


@dataclass(frozen=True, slots=True)
class Credential:
    """What is shown in `Authorization`: its digest, computed once, and whether it looks like an API key."""

    digest: str = field(repr=False)
    is_api_key: bool


def credential() -> Credential | None:
    """The token or API key of this request, valid or not; None without one; 401 if it cannot be read."""
    if "credential" not in g:
        g.credential = _read_credential()
    found: Credential | None = g.credential
    return found


def _read_credential() -> Credential | None:
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, shown = header.partition(" ")
    shown = shown.strip()
    if scheme.lower() != "bearer" or not shown:
        raise unauthorized("token_missing", "Write the header as Authorization: Bearer <token>.")
    return Credential(digest(shown), shown.startswith(PREFIX))


def shown_digest() -> str:
    """The digest of the token or API key of the request, valid or not; 401 without one."""
    found = credential()
    if found is None:
        raise unauthorized("token_missing", "Send a token or an API key: Authorization: Bearer <token>.")
    return found.digest


def principal() -> str:
    """Who is counted: the token or API key by its digest, or the address of a caller without one."""
    found = credential()
    return address() if found is None else f"token:{found.digest[:32]}"


def actor(loaded: Aggregate) -> str | None:
    """The caller: `seat:<n>`, `host`, `spectator:<n>`, or None for one without a token of this match.

    401 if the token is not one of this match or, for a private match, if there is none. An API key counts as
    a spectator of the matches it may see.
    """
    shown, key = credential(), api_key()
    if shown is None or key is not None:
        _check_onlooker(loaded, key)
        return None
    held = shown.digest
    found = holder_of(held, loaded.fields) or holder_of(held, play().journal.head(loaded.id).fields)
    if found is None:
        raise unauthorized("token_unknown", "The token does not belong to this match, or it was revoked.")
    recognised(principal())
    return found


def _check_onlooker(loaded: Aggregate, key: ApiKey | None) -> None:
    """401 unless a caller without a token of the match may watch it."""
    if key is not None and not may_see(key, loaded):
        raise unauthorized("token_unknown", "This API key cannot see private matches of others.")
    if key is None and loaded.state.created.private:
        raise unauthorized("token_missing", "The match is private: send one of its tokens.")


def required_actor(loaded: Aggregate) -> str:
    """The caller, as `actor`; 401 without a token of the match."""
    found = actor(loaded)
    if found is None:
        raise unauthorized("token_missing", "Send a token of the match: Authorization: Bearer <token>.")
    return found


def check_host(by: str) -> None:
    """403 unless the host calls."""
    if by != HOST:
        raise Problem("host_required", f"Only the host can manage invites; you are {by}.")


def api_key() -> ApiKey | None:
    """The caller's API key; None for another token or none; 401 for an unknown key."""
    shown = credential()
    if shown is None or not shown.is_api_key:
        return None
    key = dependencies().keys.find(shown.digest)
    if key is None:
        raise unauthorized("token_unknown", "The API key is unknown or was revoked.")
    recognised(principal())
    return key


def scoped(scope: str) -> ApiKey:
    """The caller's API key; 401 without one, 403 if it lacks the scope."""
    key = api_key()
    if key is None:
        raise unauthorized("token_missing", "Send an API key: Authorization: Bearer <key>.")
    if scope not in key.scopes:
        raise Problem("scope_required", f"The API key {key.name!r} does not have the scope {scope}.")
    return key


def newcomer(owner: str = "") -> Caller:
    """A caller who is about to get a token or a code; `owner` is the id of their API key, if any."""
    secret = dependencies().deployment.secret()
    return Caller(idempotency_key(LONG_KEY), sent().fingerprint, owner, secret)


def command_id(least: int = 1) -> str | None:
    """The id by which the log and the store know a keyed request of a token; keys are each token's own.

    A player who takes over a seat has a new token, and so new keys. The id is public; the deployment's secret
    keeps anyone from finding the key by trial.
    """
    key = idempotency_key(least)
    return None if key is None else keyed_id(f"{shown_digest()}/{key}").hex()


def keyed_id(text: str) -> bytes:
    """128 bits made of an Idempotency-Key and of what it belongs to, by the deployment's secret."""
    return keyed(dependencies().deployment.secret(), "request", text)[:16]
