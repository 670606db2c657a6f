"""The guides over HTTP: all of `docs/`, as pages and as Markdown, and every link in them leads somewhere."""

from pathlib import Path
from urllib.parse import urljoin

import pytest
from flask.testing import FlaskClient

from service.http.pages.guides import guides, relinked
from tests.pages import LINK
from tests.service.http.resources.test_rules import Ids
from tests.service.http.table import problem

FILES = {file.stem: file for file in Path(__file__).parents[4].joinpath("docs").glob("*.md")}
BROWSER = {"Accept": "text/html,*/*;q=0.8"}
EVERY = pytest.mark.parametrize("name", sorted(FILES))


class Hrefs(Ids):
    """Collects where the links and pictures of a page lead, too."""

    def __init__(self, page: str) -> None:
        self.hrefs: list[str] = []
        super().__init__(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        if tag in ("a", "img"):
            self.hrefs += [value for name, value in attrs if name in ("href", "src") and value]


def leads_somewhere(client: FlaskClient, base: str, link: str) -> bool:
    """Whether a link is answered, as a browser asks, and has its anchor there."""
    if link.startswith("https://"):
        return True
    path, _, anchor = urljoin(base, link).partition("#")
    answer = client.get(path.replace(".md", ""), headers=BROWSER)
    known = client.get(path, headers=BROWSER).status_code in (200, 503)
    return known and (not anchor or anchor in Ids(answer.text).ids)


def test_every_file_of_docs_is_served() -> None:
    assert guides().keys() == FILES.keys()


@EVERY
def test_a_guide_is_markdown_unless_a_browser_asks(client: FlaskClient, name: str) -> None:
    title = FILES[name].read_text(encoding="utf-8").partition("\n")[0]
    for path, headers in ((f"/docs/{name}", {}), (f"/docs/{name}.md", {}), (f"/docs/{name}.md", BROWSER)):
        answer = client.get(path, headers=headers)
        assert (answer.status_code, answer.mimetype) == (200, "text/markdown")
        assert answer.text.startswith(f"{title}\n")
        assert (
            client.get(path, headers=headers | {"If-None-Match": answer.headers["ETag"]}).status_code == 304
        )
    page = client.get(f"/docs/{name}", headers=BROWSER)
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert f">{title.removeprefix('# ')}</h1>" in page.text


@EVERY
def test_every_link_and_picture_of_a_page_leads_somewhere_and_to_pages(
    client: FlaskClient, name: str
) -> None:
    found = Hrefs(client.get(f"/docs/{name}", headers=BROWSER).text).hrefs
    for link in found:
        assert leads_somewhere(client, f"/docs/{name}", link), link
        assert ".md" not in link


@EVERY
def test_every_link_of_the_markdown_leads_somewhere(client: FlaskClient, name: str) -> None:
    for link in LINK.findall(client.get(f"/docs/{name}.md").text):
        assert leads_somewhere(client, f"/docs/{name}.md", link), link


def test_links_are_those_of_the_service_and_code_stays_as_it_is() -> None:
    code = "`[a](../b.md)`\n\n```sh\nx=[a](../b.md)\n```\n"
    text = f"[API](../openapi.yaml), [bot](../tests/bot.py), [Live](integrating.md#live)\n{code}"
    assert relinked(text, ".md") == f"[API](/openapi.yaml), bot, [Live](integrating.md#live)\n{code}"
    assert relinked(text, "") == f"[API](/openapi.yaml), bot, [Live](integrating#live)\n{code}"


def test_pictures_are_shown(client: FlaskClient) -> None:
    for name in ("architecture", "overview"):
        answer = client.get(f"/docs/{name}.svg")
        assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
        assert answer.data.startswith(b"<svg")
    problem(client.get("/docs/none.svg"), 404, "not_found")


@pytest.mark.parametrize("path", ["/docs/none", "/docs/none.md", "/docs/overview", "/docs/verifying.md.md"])
def test_an_unknown_guide_is_404_and_names_those_that_there_are(client: FlaskClient, path: str) -> None:
    assert "verifying" in problem(client.get(path), 404, "not_found")["detail"]
