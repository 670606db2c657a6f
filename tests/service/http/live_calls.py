"""Calls of everything that is live: answered, and refused for every reason that a caller can have."""

from typing import Any

from service.auth.api_keys import new_key
from service.http.app import create_app
from service.live import feed_cursor
from service.live.stream_slots import StreamLimits, StreamSlot, StreamSlots
from tests.service.http.contract import Contract
from tests.service.http.stream_reader import SSE
from tests.service.http.table import JSON, NDJSON, Table, post

FORMS = ((SSE, ""), (NDJSON, "?follow=true"), (NDJSON, ""), (JSON, "?wait=1"), ("image/png", ""))


def bearer(table: Table) -> dict[str, str]:
    """A fresh API key."""
    keys = table.client.application.extensions["dependencies"].keys
    return {"Authorization": f"Bearer {new_key(keys, 'a tool', [], 0)[1]}"}


def everything_live(table: Table) -> Contract:
    """Every operation and form, with and without what opens it, on streams that end at once."""
    app, key = _app(table, StreamLimits(seconds=0)), bearer(table)
    contract, client = Contract(app), app.test_client()
    for ask in (client.get, client.head):
        for form, query in FORMS:
            for given in (
                {},
                table.bearer("host"),
                key,
                {"Authorization": "Bearer x"},
                {"Last-Event-ID": "x"},
            ):
                for path in (f"{table.url}/log", "/v1/feed", "/v1/matches/m_x/log"):
                    ask(path + query, headers={"Accept": form, **given}, buffered=True)
    last = {"Last-Event-ID": str(table.play.load(table.id).version)}
    client.get(f"{table.url}/log", headers={"Accept": SSE, **last})
    for given in ({}, table.bearer("host"), key, {"Authorization": "Bearer x"}):
        for path in (f"{table.url}/tickets", "/v1/feed/tickets", "/v1/matches/m_x/tickets"):
            shown = (post(client, path, {}, given).json or {}).get("ticket", "bricabrac_ticket_x")
            for _ in range(2):
                stream = path.replace("feed/tickets", "feed").replace("/tickets", "/log")
                client.get(f"{stream}?ticket={shown}", headers={"Accept": SSE}, buffered=True)
    old = feed_cursor.written(
        (b"0-0",) * 64, 0, table.client.application.extensions["dependencies"].deployment.secret()
    )
    for word in ("x", old):
        client.get(f"/v1/feed?cursor={word}", headers=key)
    return contract


def full_house(table: Table) -> Contract:
    """What is answered where no stream has a place."""
    contract = Contract(_app(table, StreamLimits()))
    _fill(contract.client.application.extensions["stream_slots"])
    crowded = Contract(_app(table, StreamLimits(per_process=0)))
    key = bearer(table)
    for one in (contract, crowded):
        for form, query in FORMS:
            one.client.get(f"{table.url}/log{query}", headers={"Accept": form})
            one.client.get(f"/v1/feed{query}", headers={"Accept": form, **key})
    busy = Contract(_app(table, StreamLimits()))
    admission = busy.client.application.extensions["admission"]
    admission.taken = admission.most
    busy.client.get("/v1/games")
    busy.client.post("/v1/matches", json={})
    assert {code for *_, code in busy.seen} == {"overloaded"}
    contract.seen |= crowded.seen | busy.seen
    contract.flaws |= crowded.flaws | busy.flaws
    return contract


def _fill(slots: StreamSlots) -> None:
    """Let every caller have as many streams open as one may have."""
    take = slots.take

    def take_all(caller: str) -> StreamSlot:
        while True:
            take(caller)

    slots.take = take_all  # type: ignore[method-assign]


def _app(table: Table, limits: StreamLimits) -> Any:
    return create_app(table.client.application.extensions["dependencies"], limits)
