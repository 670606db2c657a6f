"""The caller, the idempotency key and the expected version of a request, from its headers."""

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any, TypeVar

import orjson
from flask import current_app, request
from marshmallow import Schema, ValidationError

from service.auth.api_keys import PREFIX, ApiKey, find_key
from service.auth.tokens import actor_of, digest
from service.dependencies import Dependencies
from service.http.middleware.rate_limits import address, recognised
from service.http.protocol.etags import tagged_revision
from service.http.protocol.problems import Problem, invalid, pointed, unauthorized
from service.log.canonical import canonical
from service.matches.aggregate import Loaded
from service.matches.joining import Caller
from service.matches.play import Play
from service.matches.requests import Request, Result
from service.matches.revision import Revision
from service.matches.visibility import may_see
from service.store.deployment import keyed
from service.strict_json import NotStrictError, read_json

Read = TypeVar("Read")
KEY = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{1,255}")  # no quotes, no backslash
LONG_KEY = 16  # the least length of a key that guards tokens
MATCH_ID = re.compile(r"m_[a-z2-7]{26}")


def dependencies() -> Dependencies:
    """The use cases and the ports of this application."""
    found: Dependencies = current_app.extensions["dependencies"]
    return found


def play() -> Play:
    """The one pipe."""
    return dependencies().play


def find(match: str, *, newest: bool = True) -> Loaded:
    """The match of a path: the newest, or (where a write will find out) as last seen."""
    if not MATCH_ID.fullmatch(match):
        raise Problem("match_not_found", f"There is no match {match[:40]}.")
    return play().load(match) if newest else play().peek(match)


def actor(loaded: Loaded) -> str | None:
    """The caller: `seat:<n>`, `host`, `spectator:<n>`, or None for one without a token of this match.

    401 if the token is not one of this match or, for a private match, if there is none. An API key counts as
    a spectator of the matches it may see.
    """
    shown = _bearer()
    key = None if shown is None else _key_of(shown)
    if shown is None or key is not None:
        _check_onlooker(loaded, key)
        return None
    found = actor_of(shown, loaded.fields) or actor_of(shown, play().journal.head(loaded.id).fields)
    if found is None:
        raise unauthorized("token_unknown", "The token does not belong to this match, or it was revoked.")
    recognised(principal())
    return found


def _check_onlooker(loaded: Loaded, key: ApiKey | None) -> None:
    """401 unless a caller without a token of the match may watch it."""
    if key is not None and not may_see(key, loaded):
        raise unauthorized("token_unknown", "This API key cannot see private matches of others.")
    if key is None and loaded.state.created.private:
        raise unauthorized("token_missing", "The match is private: send one of its tokens.")


def required_actor(loaded: Loaded) -> str:
    """The caller, as `actor`; 401 without a token of the match."""
    found = actor(loaded)
    if found is None:
        raise unauthorized("token_missing", "Send a token of the match: Authorization: Bearer <token>.")
    return found


def api_key() -> ApiKey | None:
    """The caller's API key; None for another token or none; 401 for an unknown key."""
    shown = _bearer()
    return None if shown is None else _key_of(shown)


def scoped(scope: str) -> ApiKey:
    """The caller's API key; 401 without one, 403 if it lacks the scope."""
    key = api_key()
    if key is None:
        raise unauthorized("token_missing", "Send an API key: Authorization: Bearer <key>.")
    if scope not in key.scopes:
        raise Problem("scope_required", f"The API key {key.name!r} does not have the scope {scope}.")
    return key


def credential() -> str | None:
    """The digest of the token or API key of the request; None without one."""
    shown = _bearer()
    return None if shown is None else digest(shown)


def shown_digest() -> str:
    """The digest of the token or API key of the request, valid or not; 401 without one."""
    found = credential()
    if found is None:
        raise unauthorized("token_missing", "Send a token or an API key: Authorization: Bearer <token>.")
    return found


def principal() -> str:
    """Who is counted: the token or API key by its digest, or the address of a caller without one."""
    shown = _bearer()
    return address() if shown is None else f"token:{digest(shown)[:32]}"


def _key_of(shown: str) -> ApiKey | None:
    if not shown.startswith(PREFIX):
        return None
    key = find_key(dependencies().keys, shown)
    if key is None:
        raise unauthorized("token_unknown", "The API key is unknown or was revoked.")
    recognised(principal())
    return key


def _bearer() -> str | None:
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, shown = header.partition(" ")
    if scheme.lower() != "bearer" or not shown.strip():
        raise unauthorized("token_missing", "Write the header as Authorization: Bearer <token>.")
    return shown.strip()


def idempotency_key(least: int = 1) -> str | None:
    """The Idempotency-Key, bare or as a structured string in quotes; None without one."""
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return None
    key = header[1:-1] if len(header) > 1 and header[0] == header[-1] == '"' else header
    if not KEY.fullmatch(key) or len(key) < least:
        detail = f"The Idempotency-Key must have {least} to 255 visible ASCII characters."
        raise Problem("idempotency_key_invalid", detail)
    return key


def sent() -> bytes:
    """The body, as it was received."""
    return request.get_data()


def sent_nothing() -> bytes:
    """The body of a request that takes none: empty, or an empty object; 422 otherwise."""
    body = sent()
    if body.strip() not in (b"", b"{}"):
        raise invalid(("", "This request takes no body."))
    return body


def token_digest() -> str:
    """The digest of the caller's token, where one is required."""
    return digest(_bearer() or "")


def stranger(body: bytes, owner: str = "") -> Caller:
    """A caller who is about to get a token; `owner` is the id of their API key, if any."""
    return Caller(idempotency_key(LONG_KEY), fingerprint(body), owner, dependencies().deployment.secret())


def command_id(owner: str, key: str | None) -> str | None:
    """The id by which the log and the store know a keyed request; keys are each token's own.

    A player who takes over a seat has a new token, and so new keys. The id is public; the deployment's secret
    keeps anyone from finding the key by trial.
    """
    return None if key is None else keyed_id(f"{owner}/{key}").hex()


def keyed_id(text: str) -> bytes:
    """128 bits made of an Idempotency-Key and of what it belongs to, by the deployment's secret."""
    return keyed(dependencies().deployment.secret(), "request", text)[:16]


def fingerprint(body: bytes) -> str:
    """What makes two requests the same: method, path and body, whatever the spacing of its JSON."""
    try:
        written = canonical(orjson.loads(body))
    except (ValueError, TypeError, RecursionError):
        written = body
    return sha256(f"{request.method} {request.path} ".encode() + written).hexdigest()[:32]


def or_first_answer(match: str, ask: Request, read: Callable[[], Read]) -> Read | Result:
    """The result of `read`; where it refuses, the first answer to the same key, if there is one."""
    try:
        return read()
    except Problem:
        known = play().known(match, ask)
        if known is None:
            raise
        return known


def if_match() -> Revision | None:
    """The version of If-Match; None without one, or with `*`."""
    header = request.headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    named = tagged_revision(header.strip())
    if named is None:
        raise Problem("if_match_invalid", 'If-Match must be one ETag such as "v7", or *.')
    return named


def only_if_match() -> Revision | None:
    """The version of If-Match, for a request that takes no body."""
    sent_nothing()
    return if_match()


def json_body(body: bytes) -> Any:
    """The JSON of a body; 415 if its headers name another format, 422 if it cannot be parsed."""
    if not request.is_json:
        raise Problem("unsupported_media_type", "The body must be JSON, with Content-Type: application/json.")
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        told = "Send the body without a Content-Encoding."
        raise Problem("unsupported_media_type", told, {"Accept-Encoding": "identity"})
    try:
        return read_json(body)
    except NotStrictError as flaw:
        raise invalid((flaw.pointer, str(flaw))) from flaw


def loaded_with(schema: Schema, value: Any) -> Any:
    """A JSON value loaded by a schema; 422 with a pointer for each field that is wrong."""
    try:
        return schema.load(value)
    except ValidationError as flaw:
        raise invalid(*pointed(flaw.messages)) from flaw
