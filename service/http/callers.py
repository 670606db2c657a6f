"""Who calls, and by which key and version a request is meant: the headers of the contract."""

import json
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any, TypeVar

import orjson
from flask import current_app, request
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import RequestEntityTooLarge

from service.asking import Request, Result
from service.http.problems import Problem, invalid, pointed
from service.keys import PREFIX, ApiKey, find_key
from service.loaded import Loaded
from service.log.canonical import canonical
from service.play import Play
from service.seating import Caller
from service.side import Side
from service.tokens import actor_of, digest

Read = TypeVar("Read")
KEY = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{1,255}")  # no quotes, no backslash
LONG_KEY = 16  # the least length of a key that guards tokens
TAG = re.compile(r'(?:W/)?"v(\d{1,15})"')
MATCH_ID = re.compile(r"m_[a-z2-7]{26}")


def play() -> Play:
    """The one use case layer of this process."""
    found: Play = current_app.extensions["play"]
    return found


def side() -> Side:
    """What is kept beside the matches."""
    found: Side = current_app.extensions["side"]
    return found


def find(match: str, *, newest: bool = True) -> Loaded:
    """The match of a path: newest, or (where a write will find out) as last seen."""
    if not MATCH_ID.fullmatch(match):
        raise Problem("match_not_found", f"There is no match {match[:40]}.")
    return play().load(match) if newest else play().peek(match)


def actor(loaded: Loaded) -> str | None:
    """Who calls: `seat:<n>`, `host`, or None without a token; 401 where the token is of nobody here."""
    shown = _bearer()
    if shown is None or _key_of(shown) is not None:
        return None
    found = actor_of(shown, loaded.fields) or actor_of(shown, play().journal.head(loaded.id).fields)
    if found is None:
        raise _unauthorized("token_unknown", "The token is of no seat of this match.")
    return found


def required_actor(loaded: Loaded) -> str:
    """Who calls, as `actor`, but a token is needed."""
    found = actor(loaded)
    if found is None:
        raise _unauthorized("token_missing", "A seat's token is needed: Authorization: Bearer <token>.")
    return found


def api_key() -> ApiKey | None:
    """The API key that calls, None where another token or none does; 401 where it is not known."""
    shown = _bearer()
    return None if shown is None else _key_of(shown)


def scoped(scope: str) -> ApiKey:
    """The API key that calls; 401 without one, 403 where it lacks the scope."""
    key = api_key()
    if key is None:
        raise _unauthorized("token_missing", "An API key is needed: Authorization: Bearer <key>.")
    if scope not in key.scopes:
        raise Problem("scope_required", f"The key {key.name!r} has not the scope {scope}.")
    return key


def shown_digest() -> str:
    """The digest of the token or key that calls, whoever's it is; 401 without one."""
    shown = _bearer()
    if shown is None:
        raise _unauthorized(
            "token_missing", "A token or an API key is needed: Authorization: Bearer <token>."
        )
    return digest(shown)


def principal() -> str:
    """Who is counted: the token or API key that calls, by its digest, or the address of who has none."""
    shown = _bearer()
    return f"address:{request.remote_addr}" if shown is None else f"token:{digest(shown)[:32]}"


def _key_of(shown: str) -> ApiKey | None:
    if not shown.startswith(PREFIX):
        return None
    key = find_key(side().keys, shown)
    if key is None:
        raise _unauthorized("token_unknown", "There is no such API key, or it was revoked.")
    return key


def _bearer() -> str | None:
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, shown = header.partition(" ")
    if scheme.lower() != "bearer" or not shown.strip():
        raise _unauthorized("token_missing", "Authorization is to be: Bearer <token>.")
    return shown.strip()


def _unauthorized(code: str, detail: str) -> Problem:
    return Problem(code, detail, {"WWW-Authenticate": 'Bearer realm="bricabrac"'})


def idempotency_key(least: int = 1) -> str | None:
    """The Idempotency-Key, bare or as a structured string in quotes; None without one."""
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return None
    key = header[1:-1] if len(header) > 1 and header[0] == header[-1] == '"' else header
    if not KEY.fullmatch(key) or len(key) < least:
        detail = f"An Idempotency-Key has {least} to 255 visible ASCII characters here."
        raise Problem("idempotency_key_invalid", detail)
    return key


def sent() -> bytes:
    """The body; 413 if it is too large, also where it comes without a length."""
    read = request.get_data()
    if request.content_length is None and len(read) >= current_app.config["MAX_CONTENT_LENGTH"]:
        raise RequestEntityTooLarge
    return read


def stranger(body: bytes) -> Caller:
    """A caller who is about to get a token."""
    return Caller(idempotency_key(LONG_KEY), fingerprint(body))


def command_id(by: str, key: str | None) -> str | None:
    """The id by which the log and the store know a keyed request; keys are each caller's own."""
    return None if key is None else sha256(f"{by}/{key}".encode()).hexdigest()[:32]


def fingerprint(body: bytes) -> str:
    """What makes two requests the same: method, path and body, however its JSON is spaced."""
    try:
        written = canonical(orjson.loads(body))
    except (ValueError, TypeError, RecursionError):
        written = body
    return sha256(f"{request.method} {request.path} ".encode() + written).hexdigest()[:32]


def or_first_answer(match: str, ask: Request, read: Callable[[], Read]) -> Read | Result:
    """What `read` makes of the request; where it refuses, the answer that the same key got before, if any."""
    try:
        return read()
    except Problem:
        known = play().known(match, ask)
        if known is None:
            raise
        return known


def if_match() -> int | None:
    """The version of If-Match; None without one, or with `*`."""
    header = request.headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    tag = TAG.fullmatch(header.strip())
    if tag is None:
        raise Problem("if_match_invalid", 'If-Match is one entity tag like "v7", or *.')
    return int(tag[1])


def json_body(body: bytes) -> Any:
    """The JSON of a body; 415 if it is no JSON by its media type, 422 if it cannot be read."""
    if not request.is_json:
        raise Problem(
            "unsupported_media_type", "The body is to be JSON, with Content-Type: application/json."
        )
    try:
        value = orjson.loads(body)  # the stricter reader: no NaN, no lone surrogates, UTF-8 only
        UNIQUE_KEYS.decode(body.decode())
    except (ValueError, RecursionError) as flaw:
        raise invalid(("", f"not JSON: {flaw}")) from flaw
    return value


def loaded_with(schema: Schema, value: Any) -> Any:
    """A JSON value as a schema reads it; 422 with a pointer for each field that is wrong."""
    try:
        return schema.load(value)
    except ValidationError as flaw:
        raise invalid(*pointed(flaw.messages)) from flaw


def _unique(pairs: list[tuple[str, Any]]) -> None:
    seen = set[str]()
    for name, _ in pairs:
        if name in seen:
            raise ValueError(f"the key {name!r} comes twice in one object")
        seen.add(name)


UNIQUE_KEYS = json.JSONDecoder(object_pairs_hook=_unique)  # looks only for keys that come twice
