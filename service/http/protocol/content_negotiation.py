"""Which form of an answer the caller likes best, by `Accept` (RFC 9110, 12.5.1).

Parameters of a media type are passed over: none of our forms has any that a caller could choose by, and
`application/json; charset=utf-8` is what many clients accept.
"""

from collections.abc import Sequence

from flask import request


def best_form(forms: Sequence[str]) -> str | None:
    """The form that is liked best, the first of equals; None where none is accepted."""
    accepted = request.environ.get("HTTP_ACCEPT", "").strip()
    if not accepted or accepted == "*/*" or not request.accept_mimetypes:
        return forms[0]
    likings = {
        value.partition(";")[0].strip().lower(): quality for value, quality in request.accept_mimetypes
    }
    best = max(forms, key=lambda form: _liking(form, likings))
    return best if _liking(best, likings) > 0 else None


def _liking(form: str, likings: dict[str, float]) -> float:
    """What the most specific range says of a form."""
    for wide in (form, f"{form.partition('/')[0]}/*", "*/*"):
        if wide in likings:
            return likings[wide]
    return 0
