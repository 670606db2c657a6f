"""What the kinds of problem mean, in words and by an example, for the pages that their `type` leads to."""

from collections.abc import Sequence
from typing import Annotated, TypedDict

from service.http.openapi.examples import problem_example, recorded
from service.http.protocol.problem_document import ProblemDocument
from service.http.protocol.problems import KINDS

MEANINGS = {
    400: "The request, or one of its headers, is malformed. Nothing was changed.",
    401: "You did not authenticate, or the token you sent is not valid here.",
    403: "You are authenticated, but you are not allowed to do this. Nothing was changed.",
    404: "What you asked for does not exist, or you are not allowed to see it.",
    405: "The path exists, but not with this method. Nothing was changed.",
    406: "The answer is not available in any media type that you accept. Nothing was changed.",
    408: "The request did not arrive in full in time. Nothing was changed.",
    409: "The request is well formed, but not possible in the current state. Nothing was changed.",
    410: "What was here has ended. Nothing was changed.",
    412: "The request was for another version of the match. Nothing was changed.",
    413: "The body is too large. Nothing was changed.",
    415: "The body is in a format that this service does not read. Nothing was changed.",
    422: "The request is well formed, but some of its content is not valid. Nothing was changed.",
    429: "You sent more than your limit allows. Nothing was changed.",
    500: "The service failed. You did nothing wrong.",
    501: "The request uses a feature of HTTP that this service does not support. Nothing was changed.",
    503: "The service cannot handle the request right now.",
}


class KindDocument(TypedDict):
    """A kind of problem."""

    code: str
    status: int
    title: str
    meaning: str
    remedy: Annotated[str, "What you can do about it."]
    example: ProblemDocument


class KindList(TypedDict):
    """Every kind of problem."""

    items: Sequence[KindDocument]


def explanation(code: str) -> KindDocument:
    """A kind of problem: what it means, what can be done, and what a document of it looks like."""
    kind = KINDS[code]
    return {
        "code": code,
        "status": kind.status,
        "title": kind.title,
        "meaning": MEANINGS[kind.status],
        "remedy": kind.remedy,
        "example": problem_example(code, recorded())["value"],
    }
