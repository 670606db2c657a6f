"""The shape of a problem document (RFC 9457), with the members that kinds of problems have of their own."""

from collections.abc import Mapping, Sequence
from typing import Annotated, TypedDict


class Error(TypedDict):
    """One thing that is wrong with a request."""

    pointer: Annotated[str, "A JSON pointer into the body, or /<parameter>."]
    detail: str


class Members(TypedDict, total=False):
    """What a problem says besides, by its kind."""

    errors: Annotated[Sequence[Error], "For a validation error: each field that is wrong."]
    rule: Annotated[str, {"x-is": "Rule"}]
    rule_url: Annotated[str, "Where the rules explain `rule`."]
    pointer: Annotated[str, "For a list of commands: the one that was refused."]
    legal: Annotated[str, "For a refused command of a seat: where to list its legal commands."]
    score: Annotated[str, "For a match that is over: its score."]
    version: Annotated[int, "The version of the match at which the command was refused."]
    current_version: Annotated[int, "For a stale version: the current version."]
    violated_policies: Annotated[Sequence[str], "For `rate_limited`: the limits you have reached."]
    checks: Annotated[Mapping[str, str], "For `not_ready`: the result of each check."]
    figures: Annotated[Mapping[str, int], "For `not_ready`: the figures of `/readyz`."]
    changes: Annotated[str, "For a stale version: the commits you are missing."]


class _OfEveryKind(TypedDict):
    type: Annotated[str, "Explains this kind of problem: /problems/<code>."]
    title: str
    status: int
    detail: str
    code: str
    request_id: str


class ProblemDocument(_OfEveryKind, Members):
    """A problem document (RFC 9457)."""
