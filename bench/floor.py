"""The floors: a Flask POST that stores nothing, and one that does one bare append, and the requests for them.

A bare append is one script, one entry with an explicit id and one hash, as durable as a commit, sent by
redis-py as it comes; its record is 500 bytes that nobody had to make, and neither a token nor a key is read.
"""

from collections.abc import Iterable
from itertools import count
from typing import Any

import orjson
from flask import Flask, Response, jsonify, request
from redis import Redis

from bench.load import Task, post
from service.settings import settings

RECORD = "r" * 500
APPEND = """#!lua
redis.call('XADD', KEYS[1], ARGV[1] .. '-0', 'record', ARGV[2])
redis.call('HSET', KEYS[2], 'version', ARGV[1])
return ARGV[1]
"""
_names = count()


def create_app() -> Flask:
    """The application that gunicorn serves."""
    app, client = Flask("floor"), Redis.from_url(settings().redis_url)
    append = client.register_script(APPEND)

    @app.post("/null")
    def null() -> tuple[Response, int]:
        return jsonify(version=_body()["v"]), 201

    @app.post("/append")
    def store() -> tuple[Response, int]:
        body = _body()
        match, version = body["m"], body["v"]
        append(keys=[f"{{{match}}}:log", f"{{{match}}}:head"], args=[version, RECORD])
        return jsonify(version=version), 201

    return app


def _body() -> dict[str, Any]:
    given: dict[str, Any] = request.get_json()
    return given


def requests(path: str, sizes: Iterable[int]) -> Task:
    """Requests for one stream that was never written to, with bodies of these sizes."""
    match = f"f{next(_names)}"
    return [(0, post(path, _padded(match, version, size))) for version, size in enumerate(sizes, start=1)]


def _padded(match: str, version: int, size: int) -> bytes:
    bare = orjson.dumps({"m": match, "v": version, "p": ""})
    return orjson.dumps({"m": match, "v": version, "p": "p" * (size - len(bare))})
