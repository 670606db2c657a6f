"""Examples of answers, as they were recorded.

`examples.json` is written by `make openapi`: it holds what the calls of the tests were answered.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from service.http.openapi.response_headers import ANSWERED
from service.http.protocol.problems import KINDS

Json = dict[str, Any]


@cache
def recorded() -> Json:
    """What real calls were answered: `requests`, `answers` by operation, `problems` by code, `webhooks`."""
    found: Json = json.loads(files("service.http").joinpath("examples.json").read_text(encoding="utf-8"))
    return found


NOT_RECORDED = {  # what no recorded call brings about, in the words in which it is answered
    "bad_request": "Invalid HTTP Header: 'Host'",
    "gone": "This operation ended on 2027-01-01; use /v2/matches.",
    "internal_error": "Something failed on our side. A change may have been stored: send it again with the"
    " same key.",
    "not_implemented": "Unsupported transfer coding: 'gzip'",
    "request_timeout": "The body of a request must arrive in full within 30 seconds.",
    "too_many_unfinished": "Too many requests of yours are unfinished: finish one first.",
}


def problem_example(code: str, shown: Json) -> Json:
    """A problem as it was answered, or, if no recorded call brings it about, as it would be."""
    kind = KINDS[code]
    made = {
        "type": f"/problems/{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": NOT_RECORDED.get(code, kind.remedy),
        "code": code,
        "request_id": ANSWERED["X-Request-ID"][1],
    }
    return {"summary": kind.title, "value": shown["problems"].get(code, {}).get("value", made)}
