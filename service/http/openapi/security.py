"""Who may call an operation, as OpenAPI tells it: by the headers it reads and the refusals it knows."""

from collections.abc import Sequence

SCHEMES = {
    "seatToken": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "bricabrac_…",
        "description": "The token of a seat, the host or a spectator. You get it when you create a match,"
        " take a seat, use an invite or rotate a token. It is shown only once and works for that match only.",
    },
    "apiKey": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "bricabrac_key_…",
        "description": "An API key from the operator, with the scopes that an operation requires.",
    },
}


def credentials(headers: Sequence[str], codes: Sequence[str]) -> list[dict[str, list[str]]]:
    """What an operation asks for, one of these: {} is nothing.

    Nothing where it reads no Authorization, a key or a match's token where it asks keys for a scope, a token
    where it refuses strangers; otherwise it answers everyone, and shows what each may see.
    """
    if "Authorization" not in headers:
        return []
    if "scope_required" in codes:
        return [{"apiKey": []}, {"seatToken": []}]
    if {"seat_required", "own_seat_required", "host_required"} & set(codes):
        return [{"seatToken": []}]
    return [{}, {"seatToken": []}, {"apiKey": []}]
