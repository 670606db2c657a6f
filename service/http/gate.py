"""No request reaches the store before its number of partitions is known to be right."""

from flask import Flask, request

from service.http.api import ROOT
from service.opening import Gate


def guard(app: Flask, gate: Gate) -> None:
    """Check at the first request to the API: the store need not be there when the process starts."""

    def check() -> None:
        if request.path.startswith(ROOT):
            gate.check()

    app.before_request(check)
