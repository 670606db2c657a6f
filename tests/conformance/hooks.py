"""What Schemathesis is told of our keys: each request is one of its own, not a repeat of an earlier one."""

import re
from typing import Any
from uuid import uuid4

import schemathesis

NAME = "Idempotency-Key"


@schemathesis.hook
def before_call(_context: Any, case: Any, _arguments: Any) -> None:
    """A key that the operation takes is made anew; others go out as they are, to be refused."""
    told = case.operation.definition.raw.get("parameters", [])
    for pattern in (each["schema"]["pattern"] for each in told if each["name"] == NAME):
        if re.fullmatch(pattern, str(case.headers.get(NAME, ""))):
            case.headers[NAME] = uuid4().hex
