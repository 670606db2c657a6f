"""A real browser: a page of another origin plays, a stream comes in by a ticket, the docs open clean."""

import platform
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Page, sync_playwright

from tests.conformance.node import ROOT
from tests.e2e.running import Service

pytestmark = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"),
    reason="the packed browser is for Linux on x86-64",
)
CHROMIUM = ROOT / ".venv" / "chromium"
FETCH = """
async ([url, token, tag]) => {
  const headers = { Authorization: `Bearer ${token}`, ...(tag && { "If-None-Match": tag }) };
  const answer = await fetch(url, { headers });
  return { status: answer.status, tag: answer.headers.get("ETag"), id: answer.headers.get("X-Request-ID") };
}
"""
SEND = """
async ([url, token, command]) => {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  headers["Idempotency-Key"] = crypto.randomUUID();
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(command) });
  return { status: answer.status, location: answer.headers.get("Location") };
}
"""
LISTEN = """
async ([url, token]) => {
  const asked = { method: "POST", headers: { Authorization: `Bearer ${token}` } };
  const { ticket } = await (await fetch(`${url}/tickets`, asked)).json();
  const stream = new EventSource(`${url}/log?ticket=${ticket}`);
  window.heard = [];
  for (const kind of ["match", "commit"])
    stream.addEventListener(kind, (event) => window.heard.push([kind, parseInt(event.lastEventId)]));
  await new Promise((opened) => stream.addEventListener("match", opened));
}
"""


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Another origin, with an empty page."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "index.html").write_text("<!doctype html><title>Elsewhere</title>")
    quiet = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A page of a real browser."""
    program = CHROMIUM / "chromium"
    assert program.exists(), "the browser is missing: make .venv/node.stamp"
    found: dict[str, str | float | bool] = {
        "LD_LIBRARY_PATH": str(CHROMIUM / "lib"),
        "FONTCONFIG_PATH": str(CHROMIUM / "fonts"),
    }
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"], env=found)
        yield browser.new_page()
        browser.close()


@pytest.fixture
def match(service: Service) -> tuple[str, str]:
    """A solo match in which it is our turn: where it is, and the token of the seat."""
    with service.client() as client:
        asked = {"game": "drawer", "seats": [{"name": "Ada"}]}
        made = client.post("/v1/matches", json=asked).json()
    return f"{service.url}{made['match']['links']['self']}", made["tokens"]["seat:0"]


def legal(service: Service, match: tuple[str, str]) -> Any:
    with service.client() as client:
        listed = client.get(f"{match[0]}/legal", headers={"Authorization": f"Bearer {match[1]}"}).json()
    return listed["commands"][0]


def test_a_page_of_another_origin_reads_tags_and_sends_commands(
    service: Service, page: Page, elsewhere: str, match: tuple[str, str]
) -> None:
    page.goto(elsewhere)
    read = page.evaluate(FETCH, [match[0], match[1], None])
    assert read["status"] == 200
    assert read["tag"]
    assert read["id"]
    assert page.evaluate(FETCH, [match[0], match[1], read["tag"]])["status"] == 304
    sent = page.evaluate(SEND, [f"{match[0]}/commands", match[1], legal(service, match)])
    assert sent["status"] == 201
    assert sent["location"].startswith("/v1/matches/")


def test_an_event_source_comes_in_by_a_ticket_and_hears_of_a_commit(
    service: Service, page: Page, elsewhere: str, match: tuple[str, str]
) -> None:
    page.goto(elsewhere)
    page.evaluate(LISTEN, list(match))
    sent = page.evaluate(SEND, [f"{match[0]}/commands", match[1], legal(service, match)])
    assert sent["status"] == 201
    page.wait_for_function("() => window.heard.length > 1")
    (first, begun), *others = page.evaluate("() => window.heard")
    assert first == "match"
    assert others[0] == ["commit", begun + 1]


def test_the_docs_open_without_an_error_and_show_every_operation(service: Service, page: Page) -> None:
    wrong: list[str] = []
    page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{service.url}/docs")
    page.locator("#api").get_by_text("/v1/matches/{match_id}/commands").first.wait_for()
    page.locator("[data-tag='webhooks']").wait_for()
    assert page.locator("[data-tag='messages']").count() == 0, "an empty section"
    assert wrong == []
