"""The description shows, of every operation, who may call it and what a call looks like."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask import Flask

from domain.games import games
from service.connections.refusals import TITLES
from service.http.openapi.examples import NOT_RECORDED
from service.http.protocol.problems import KINDS
from tests.playing import is_ours
from tests.service.http.contract import Contract

ROOT = Path(__file__).parents[4]
# Refused below the application, where no example is kept; and faults of ours.
NEVER_HAD = {"bad_request", "request_timeout", "too_many_unfinished", "not_implemented", "internal_error"}


@pytest.fixture
def contract(app: Flask) -> Contract:
    return Contract(app)


def bodies(contract: Contract) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every body that is described: of which operation and answer, the pointer to it, and its description."""
    for path, method, operation in contract.operations():
        where = f"/paths/{escaped(path)}/{method}"
        name = operation["operationId"]
        for kind, body in operation.get("requestBody", {}).get("content", {}).items():
            yield f"{name} request", f"{where}/requestBody/content/{escaped(kind)}", body
        for status, answer in operation["responses"].items():
            for kind, body in answer.get("content", {}).items():
                yield f"{name} {status} {kind}", f"{where}/responses/{status}/content/{escaped(kind)}", body


def escaped(step: str) -> str:
    """A step of a JSON pointer."""
    return step.replace("~", "~0").replace("/", "~1")


def values(contract: Contract, body: dict[str, Any]) -> Iterator[Any]:
    """The values of a body's examples, those of components too."""
    shared = contract.document["components"]["examples"]
    for example in body.get("examples", {}).values():
        yield shared[example["$ref"].rsplit("/", 1)[1]]["value"] if "$ref" in example else example["value"]


def test_every_body_of_every_operation_has_an_example(contract: Contract) -> None:
    without = [name for name, _, body in bodies(contract) if not body.get("examples")]
    assert without == [], "let the calls of test_openapi.py bring it about, then `make openapi`"


def test_every_link_of_the_description_leads_to_a_page_and_a_heading_on_it(contract: Contract) -> None:
    told = yaml.safe_dump(contract.document, width=10_000)
    links = set(re.findall(r"\]\((/[^)]+)\)", told)) | set(
        re.findall(r"`(/v1/games/\{game\}/rules#\w+)`", told)
    )
    assert {"/docs/verifying", "/docs/integrating#webhooks", "/v1/games/{game}/rules#position"} <= links
    for link in {link.replace("{game}", game) for link in links for game in games()}:
        page = contract.client.get(link, headers={"Accept": "text/html"})
        anchor = link.partition("#")[2]
        assert page.status_code == 200, link
        assert not anchor or f'id="{anchor}"' in page.text, link


def test_every_example_of_a_problem_says_what_happened(contract: Contract) -> None:
    shown = {code: example["value"] for code, example in contract.document["components"]["examples"].items()}
    assert [code for code, example in shown.items() if example["detail"] == KINDS[code].remedy] == []
    assert [code for code, example in shown.items() if re.search(r"\b0 [a-z]", example["detail"])] == []
    assert shown["stale_version"]["changes"].endswith("/log?after=1")


def test_what_is_refused_below_the_application_has_the_titles_of_the_table() -> None:
    assert {code: KINDS[code].title for code in TITLES} == TITLES


def test_every_example_is_as_its_schema_says(contract: Contract) -> None:
    flaws = {
        f"{name}: {flaw}"
        for name, pointer, body in bodies(contract)
        for value in values(contract, body)
        for flaw in contract.fits(value, f"{pointer}/schema")
    }
    assert flaws == set()


def test_the_examples_of_a_command_show_every_type_of_every_game_of_ours(contract: Contract) -> None:
    content = contract.document["paths"]["/v1/matches/{match_id}/commands"]["post"]["requestBody"]["content"]
    shown = {example["value"].get("type") for example in content["application/json"]["examples"].values()}
    unions = [
        contract.document["components"]["schemas"][f"{name}.command"]["discriminator"]["mapping"]
        for name, game in games().items()
        if is_ours(game)
    ]
    assert shown >= {kind for mapping in unions for kind in mapping}


def test_a_problem_that_a_call_can_bring_about_is_shown_as_it_was_answered(contract: Contract) -> None:
    for code, example in contract.document["components"]["examples"].items():
        problem = example["value"]
        assert (problem["code"], problem["status"]) == (code, KINDS[code].status)
        assert (problem["detail"] == NOT_RECORDED.get(code)) is (code in NEVER_HAD), code


def test_every_answer_names_its_request_and_every_refusal_of_strangers_says_how_to_come_in(
    contract: Contract,
) -> None:
    for path, method, operation in contract.operations():
        for status, answer in operation["responses"].items():
            assert "X-Request-ID" in answer["headers"], (path, method, status)
        refused = operation["responses"].get("401")
        assert refused is None or "WWW-Authenticate" in refused["headers"], (path, method)
        assert (refused is not None) >= bool(operation["security"]), (path, method)


def test_who_may_call_is_told_of_every_operation(contract: Contract) -> None:
    schemes = contract.document["components"]["securitySchemes"]
    for path, method, operation in contract.operations():
        named = {name for requirement in operation["security"] for name in requirement}
        assert named <= schemes.keys(), (path, method)
    paths = contract.document["paths"]
    assert paths["/v1/matches/{match_id}/commands"]["post"]["security"] == [{"seatToken": []}]
    assert {} in paths["/v1/matches/{match_id}"]["get"]["security"]
    assert paths["/v1/games"]["get"]["security"] == []


def test_nothing_is_described_that_nothing_uses_nor_told_by_reference_to_another_place(
    contract: Contract,
) -> None:
    assert "PaginationMetadata" not in contract.document["components"]["schemas"]
    assert "&id" not in (ROOT / "openapi.yaml").read_text(encoding="utf-8")


def test_the_committed_examples_are_what_calls_are_answered() -> None:
    command = [sys.executable, "-m", "tests.recorded", "--check", "service/http/examples.json"]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_generators_find_nothing_that_they_are_known_to_mistake(contract: Contract) -> None:
    """A choice of truths becomes words, two groups under one tag one file, a list without a name no type."""
    document = contract.document
    for pointer, node in _walk(document):
        if "/examples/" in pointer:
            continue  # what an answer holds is no part of the description, though it may look like it
        assert not any(isinstance(choice, bool) for choice in node.get("enum", ())), pointer
        for choice in node.get("anyOf", ()):
            assert choice.get("type") != "array", f"{pointer}: name it"
    of_calls, of_messages = (_tags(document[part]) for part in ("paths", "webhooks"))
    assert of_calls.isdisjoint(of_messages)
    assert of_calls | of_messages <= {tag["name"] for tag in document["tags"]}


def _tags(section: dict[str, Any]) -> set[str]:
    """The tags of all operations of a section."""
    return {tag for pointer, told in _walk(section) if "operationId" in told for tag in told["tags"]}


def _walk(node: Any, pointer: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of a document."""
    if isinstance(node, dict):
        yield pointer, node
    pairs = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for name, inner in pairs:
        yield from _walk(inner, f"{pointer}/{name}")
