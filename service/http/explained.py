"""What the kinds of problem mean, in words and by an example, for the pages that their `type` leads to."""

from typing import Any

from service.http.description import problem_example, recorded
from service.http.problems import KINDS

MEANINGS = {
    400: "The request, or one of its headers, cannot be read. Nothing was changed.",
    401: "It is not known who asks: no token came with the request, or one that opens nothing here.",
    403: "It is known who asks, and it is not theirs to do. Nothing was changed.",
    404: "There is nothing of this name, or nothing that the caller may know of.",
    405: "The path is right, the method is not one of its own. Nothing was changed.",
    406: "What was asked for cannot be had in any form that the request accepts. Nothing was changed.",
    408: "The request did not come whole in time. Nothing was changed.",
    409: "The request is well-formed, but not possible as the match stands. Nothing was changed.",
    410: "What was here has come to its end. Nothing was changed.",
    412: "The request was meant for another version than the match is at. Nothing was changed.",
    413: "The body is longer than any that could be meant. Nothing was changed.",
    415: "The body is not of a kind that can be read here. Nothing was changed.",
    422: "The request was read, but it cannot be meant so. Nothing was changed.",
    429: "More came than is allowed in so short a time. Nothing was changed.",
    500: "The service failed at the request; the fault is not the caller's.",
    501: "The request is written in a way that is not understood here. Nothing was changed.",
    503: "The service cannot do this right now.",
}


def explanation(code: str) -> dict[str, Any]:
    """A kind of problem: what it means, what can be done, and what a document of it looks like."""
    kind = KINDS[code]
    own = {"code": code, "status": kind.status, "title": kind.title}
    example = problem_example(code, recorded())["value"]
    return own | {"meaning": MEANINGS[kind.status], "remedy": kind.remedy, "example": example}
