"""The pages: drawn with what this package brings, under a policy that lets nothing else in."""

import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from flask.testing import FlaskClient

from domain.games import games
from service.http.pages.problem_kinds import MEANINGS
from service.http.protocol.problems import KINDS
from tests.service.http.table import problem

HTML = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
GUIDES = ("playing", "integrating", "verifying", "operating", "architecture", "developing")
TEXTS = ("/v1/rules", "/v1/games/whatnot/rules", *(f"/docs/{name}" for name in GUIDES))
PAGES = ("/", "/docs", "/problems", *TEXTS, *(f"/problems/{code}" for code in KINDS))
VENDORED = ("swagger-ui-bundle.js", "swagger-ui.css")


class Page(HTMLParser):
    """What a page loads and links to, and whatever a strict policy would forbid in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.inline: list[str] = []
        self._within = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._within = tag
        if tag in ("script", "link", "img"):
            self.loads.append(given.get("src") or given.get("href") or "")
        if tag == "a":
            self.links.append(given.get("href") or "")
        self.inline += [name for name in given if name == "style" or name.startswith("on")]

    def handle_data(self, data: str) -> None:
        if self._within in ("script", "style") and data.strip():
            self.inline.append(data)

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002  the parser names it so
        self._within = ""


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_nothing_inline_and_all_its_parts_are_ours_and_there(
    client: FlaskClient, path: str
) -> None:
    answer = client.get(path, headers=HTML)
    assert answer.content_type == "text/html; charset=utf-8"
    page = Page(answer.text)
    assert page.inline == []
    parts = [urljoin(path, part) for part in page.loads if part != "data:,"]
    assert parts
    for part in parts:
        assert part.startswith("/docs/"), "nothing comes from elsewhere"
        assert client.get(part).status_code == 200
    for link in page.links:
        if not link.startswith("https://"):
            ready = (200, 503) if link == "/readyz" else (200,)
            assert client.get(urljoin(path, link), headers=HTML).status_code in ready, link
    policy = answer.headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_the_parts_of_a_page_are_kept_for_ever_under_the_name_of_their_content(client: FlaskClient) -> None:
    parts = [part for part in Page(client.get("/docs").text).loads if part != "data:,"]
    assert {part.rpartition("/")[2] for part in parts} >= {*VENDORED, "docs.js", "pages.css"}
    for part in parts:
        answer = client.get(part)
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        expected = "text/css" if part.endswith("css") else "text/javascript"
        assert answer.mimetype == expected
        digest = part.split("/")[2]
        problem(client.get(part.replace(digest, "0" * 16)), 404, "not_found")
    for name in ("../app.py", "docs.html", "swagger-ui.LICENSE.txt", "none.js"):
        problem(client.get(f"/docs/{digest}/{name}"), 404, "not_found")


def test_the_description_is_drawn_from_this_service_and_reported_to_nobody(client: FlaskClient) -> None:
    (script,) = (part for part in Page(client.get("/docs").text).loads if part.endswith("docs.js"))
    text = client.get(script).text
    assert 'url: "/openapi.yaml"' in text
    assert "validatorUrl: null" in text
    assert not re.search(r"https?://", text)


def test_what_the_pages_need_is_in_the_package_with_its_licences() -> None:
    package = files("service.http")
    static = {file.name for file in package.joinpath("static").iterdir()}
    assert {*VENDORED, "docs.js", "pages.css", "swagger-ui.LICENSE.txt", "swagger-ui.NOTICE.txt"} <= static
    assert "swagger-ui-bundle.js.LICENSE.txt" in static
    assert "Apache License" in package.joinpath("static", "swagger-ui.LICENSE.txt").read_text()
    project = Path(__file__).parents[4].joinpath("pyproject.toml").read_text(encoding="utf-8")
    assert '"service.http" = ["static/*", "templates/*", "guides/*.md", "guides/*.svg"]' in project
    assert {f"{name}.md" for name in GUIDES} <= {file.name for file in package.joinpath("guides").iterdir()}


@pytest.mark.parametrize("code", KINDS)
def test_a_browser_reads_what_a_problem_means_and_a_program_gets_the_same_as_json(
    client: FlaskClient, code: str
) -> None:
    page = client.get(f"/problems/{code}", headers=HTML)
    told: Any = client.get(f"/problems/{code}").json
    assert f"<code>{code}</code>" in page.text
    assert told["title"] in page.text
    assert MEANINGS[KINDS[code].status] == told["meaning"]
    assert "What to do" in page.text
    assert "request_id" in page.text
    assert "`" not in page.text.partition("<pre")[0], "words of programs are marked up"


def test_all_kinds_of_problems_are_listed(client: FlaskClient) -> None:
    assert [kind["code"] for kind in client.get("/problems").json["items"]] == list(KINDS)
    text = client.get("/problems", headers=HTML).text
    assert {f"/problems/{code}" for code in KINDS} <= set(Page(text).links)
    assert "idempotency_<wbr>key_<wbr>invalid" in text, "a long name may break on a narrow screen"


def test_a_page_escapes_what_it_is_told(client: FlaskClient) -> None:
    answer = client.get("/problems/<script>alert(1)</script>", headers=HTML)
    assert (answer.status_code, answer.content_type) == (404, "application/problem+json")


def test_a_browser_gets_a_page_with_every_game_and_its_rules_and_a_program_the_links(
    client: FlaskClient,
) -> None:
    answer = client.get("/", headers=HTML)
    links = set(Page(answer.text).links)
    assert {"/docs", "/problems", "/readyz", "/openapi.yaml", "/v1/matches", "/v1/rules"} <= links
    for game in games().values():
        assert game.title in answer.text
        assert f"/v1/games/{game.name}/rules" in links
    for command in re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", answer.text, re.DOTALL):
        path = re.search(r"</span>(/\S+)", command)
        assert path is not None
        known = {
            rule.rule.replace("<match_id>", "$MATCH") for rule in client.application.url_map.iter_rules()
        }
        assert path[1] in known
    assert "Accept" in answer.headers["Vary"]
    for accept in ("*/*", "application/json"):
        told = client.get("/", headers={"Accept": accept})
        assert told.mimetype == "application/json"
        assert "Accept" in told.headers["Vary"]
        assert told.headers["ETag"] != answer.headers["ETag"]
    kept = client.get("/", headers=HTML | {"If-None-Match": answer.headers["ETag"]})
    assert (kept.status_code, kept.data) == (304, b"")
    problem(client.get("/?who=me", headers=HTML), 422, "validation_error")
    problem(client.get("/", headers={"Accept": "image/png"}), 406, "not_acceptable")


@pytest.mark.parametrize("host", ["one.example", "two.example:8000", "[::1]:8000"])
def test_the_commands_of_the_start_page_go_where_it_was_asked_for(client: FlaskClient, host: str) -> None:
    answer = client.get("/", headers=HTML | {"Host": host})
    commands = re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", answer.text, re.DOTALL)
    assert [re.sub(r"<[^>]+>", "", each).split()[1] for each in commands] == [
        f"http://{host}/v1/matches",
        f"http://{host}/v1/matches/$MATCH/legal",
        f"http://{host}/v1/matches/$MATCH/commands",
    ]
    assert answer.headers["Cache-Control"].startswith("private"), "a cache does not show it at another host"


@pytest.mark.parametrize(
    "host", ["<b>", "<script>alert(1)</script>", '"onload=x', "a'b", "a;b", "$(reboot)", "a&b", "evil@a"]
)
def test_a_host_that_is_none_is_neither_markup_nor_part_of_a_command(client: FlaskClient, host: str) -> None:
    answer = client.get("/", headers=HTML | {"Host": host})
    assert host not in answer.text
    assert 'curl <span class="here">http://localhost:8000</span>/v1/matches ' in answer.text


def test_links_to_json_say_so(client: FlaskClient) -> None:
    text = client.get("/", headers=HTML).text
    for link, words in re.findall(r'<a[^>]*href="([^"]+)"[^>]*>(.*?)</a>', text, re.DOTALL):
        answer = client.get(link, headers=HTML)
        assert ("json" in answer.mimetype) == ("(JSON)" in words), link


@pytest.mark.parametrize("path", ["/", "/docs", "/v1/rules", "/v1/games/whatnot/rules", "/docs/playing"])
def test_the_guides_are_linked_where_a_reader_begins(client: FlaskClient, path: str) -> None:
    links = {urljoin(path, link) for link in Page(client.get(path, headers=HTML).text).links}
    assert {f"/docs/{name}" for name in GUIDES} <= links


def test_the_index_leads_to_the_pages(client: FlaskClient) -> None:
    found = client.get("/").json["links"]
    for name in ("docs", "problems", "openapi", "games", "rules", *GUIDES):
        assert client.get(found[name]).status_code == 200
