"""Integers in queries and paths: ASCII digits and nothing else, unlike what Python's `int` reads.

`1_0`, `+1`, ` 1` and digits of other scripts are 422, wherever they stand.
"""

import re
from typing import Any

from flask import Flask, request
from marshmallow import fields
from werkzeug.routing import IntegerConverter

from service.http.protocol.problems import invalid

DIGITS = re.compile(r"[0-9]{1,18}")


class Digits(fields.Integer):
    """An integer in a query."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int:
        if not isinstance(value, str) or not DIGITS.fullmatch(value):
            raise self.make_error("invalid", input=value)
        return int(value)


class WrongStep(str):
    """A step of a path that should be an integer and is not."""

    __slots__ = ()


class PathDigits(IntegerConverter):
    """An integer in a path; any other step gets through to `check_path`, which knows its name."""

    regex = "[^/]+"

    def to_python(self, value: str) -> int | WrongStep:
        return int(value) if DIGITS.fullmatch(value) else WrongStep(value)


def install(app: Flask) -> None:
    """Read `<int:…>` in rules that are added from now on by these digits."""
    app.url_map.converters["int"] = PathDigits
    app.before_request(check_path)


def check_path() -> None:
    """422 for a step of the path that should be an integer and is not."""
    for name, value in (request.view_args or {}).items():
        if isinstance(value, WrongStep):
            raise invalid((f"/{name}", "Must be an integer, written in ASCII digits."))
