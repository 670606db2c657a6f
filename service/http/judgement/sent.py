"""What a request carries besides its caller: a body, an Idempotency-Key, an expected version."""

import re
from functools import cached_property
from hashlib import sha256
from typing import Any

import orjson
from flask import g, request
from marshmallow import Schema, ValidationError

from service.http.protocol.etags import tagged_revision
from service.http.protocol.problems import Problem, invalid
from service.http.protocol.refusals import pointed
from service.log.canonical import canonical
from service.matches.revision import Revision
from service.strict_json import NotStrictError, check_unique_keys

KEY = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{1,255}")  # no quotes, no backslash
LONG_KEY = 16  # the least length of a key that guards tokens


class Body:
    """The body of a request: received once, parsed once, however many steps look into it."""

    def __init__(self) -> None:
        self.raw = request.get_data()

    @cached_property
    def _parsed(self) -> tuple[Any, Exception | None]:
        try:
            return orjson.loads(self.raw), None
        except (ValueError, RecursionError) as flaw:
            return None, flaw

    @property
    def unchecked(self) -> Any:
        """Its JSON, for steps before it is validated; None if it cannot be parsed."""
        return self._parsed[0]

    @cached_property
    def fingerprint(self) -> str:
        """What makes two requests the same: method, path and body, whatever the spacing of its JSON."""
        value, flaw = self._parsed
        try:
            written = self.raw if flaw else canonical(value)
        except (ValueError, TypeError, RecursionError):
            written = self.raw
        return sha256(f"{request.method} {request.path} ".encode() + written).hexdigest()[:32]

    def json(self) -> Any:
        """Its JSON; 415 if the headers name another format, 422 if it cannot be parsed."""
        if not request.is_json:
            detail = "The body must be JSON, with Content-Type: application/json."
            raise Problem("unsupported_media_type", detail)
        if request.headers.get("Content-Encoding", "identity").lower() != "identity":
            detail = "Send the body without a Content-Encoding."
            raise Problem("unsupported_media_type", detail, {"Accept-Encoding": "identity"})
        value, flaw = self._parsed
        if flaw:
            raise Problem(
                "validation_error",
                f"The body is not valid JSON: {flaw}",
                errors=[{"pointer": "", "detail": f"Not valid JSON: {flaw}"}],
            ) from flaw
        try:
            check_unique_keys(self.raw)
        except NotStrictError as doubled:
            raise invalid((doubled.pointer, str(doubled))) from doubled
        return value

    def read(self, schema: Schema) -> Any:
        """Its JSON as a schema loads it; 422 with a pointer for each field that is wrong."""
        try:
            return schema.load(self.json())
        except ValidationError as flaw:
            raise invalid(*pointed(flaw.messages)) from flaw

    def nothing(self) -> None:
        """422 unless it is empty, or an empty object: the request takes no body."""
        if self.raw.strip() not in (b"", b"{}"):
            raise invalid(("", "This request takes no body."))


def sent() -> Body:
    """The body of this request."""
    if "body" not in g:
        g.body = Body()
    found: Body = g.body
    return found


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


def if_match() -> Revision | None:
    """The version of If-Match; None without one, or with `*`."""
    header = request.headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    named = tagged_revision(header.strip())
    if named is None:
        raise Problem("if_match_invalid", 'If-Match must be one ETag such as "v7", or *.')
    return named
