"""What Schemathesis is told of our keys: each request is one of its own, not a repeat of an earlier one."""

import re
from typing import Any
from uuid import uuid4

import schemathesis

GOOD = re.compile(r'[!#-\[\]-~]{16,255}|"[!#-\[\]-~]{16,255}"')


@schemathesis.hook
def before_call(_context: Any, case: Any, _arguments: Any) -> None:
    """A key that is a key is made anew; others go out as they are, to be refused."""
    if GOOD.fullmatch(str(case.headers.get("Idempotency-Key", ""))):
        case.headers["Idempotency-Key"] = uuid4().hex
