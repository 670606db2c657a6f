"""README and docs/ say what is so: links lead somewhere, settings are the settings, code on a page works."""

import gzip
import json
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from standardwebhooks import Webhook

from domain import chance
from domain.games import games
from service.auth.signing_keys import public_key
from service.http.protocol.problems import KINDS
from service.log.signed_head import SignedHead
from service.matches.simulate import Plan, simulate
from service.settings import Settings, settings
from service.webhooks.model import EVENTS, PING, new_secret
from tests.pages import PAGES, ROOT, anchors, blocks, links, page, rows

GOLDEN = sorted(ROOT.glob("tests/**/golden/*.ndjson.gz"))
SEED = bytes(range(32))
TOLD_IN_WORDS = {
    "REDIS_URL",
    "RQ_REDIS_URL",
    "SIGNING_KEY",
    "STORE_MEMORY",
    "WEBHOOK_HOSTS",
}  # their defaults


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.name)
def test_every_relative_link_and_anchor_leads_somewhere(file: Path) -> None:
    found = [link for link in links(file) if "://" not in link]
    for link in found:
        path, _, anchor = link.partition("#")
        target = (file.parent / path).resolve() if path else file
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_of_docs_is_linked_from_the_readme() -> None:
    linked = {link.partition("#")[0] for link in links(ROOT / "README.md")}
    assert {f"docs/{file.name}" for file in ROOT.glob("docs/*.md")} <= linked


def test_the_settings_are_those_of_the_page_with_the_defaults_told_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: dict[str, str] = {}
    for names, defaults, _ in rows("docs/operating.md", "Settings"):
        listed = [name.strip("`") for name in names.split(", ")]
        told |= zip(listed, (each.strip("`") for each in defaults.split(", ")), strict=True)
    for name in told:
        monkeypatch.delenv(name, raising=False)
    usual = settings.__wrapped__()
    assert set(told) == {name.upper() for name in Settings.__slots__}
    for name in told.keys() - TOLD_IN_WORDS:
        assert told[name] == _written(getattr(usual, name.lower())), name


def _written(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case float():
            return f"{value:g}"
        case tuple():
            return ",".join(value)
    return str(value)


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.name)
def test_every_problem_that_is_told_with_its_status_is_one(file: Path) -> None:
    for status, code in re.findall(r"\b([45]\d\d)\s+`([a-z_]+)`", file.read_text(encoding="utf-8")):
        assert code in KINDS, code
        assert KINDS[code].status == int(status), code


def test_every_event_of_webhooks_is_told() -> None:
    told = [event.strip("`") for event, *_ in rows("docs/integrating.md", "Webhooks")]
    assert told == [*EVENTS, PING]


def test_examples_of_json_are_json() -> None:
    for name in ("docs/integrating.md", "docs/operating.md"):
        for block in blocks(name, "json"):
            assert isinstance(json.loads(block), dict)


def _defined_in(name: str) -> dict[str, Any]:
    """What the one Python block of a page defines."""
    (code,) = blocks(name, "python")
    defined: dict[str, Any] = {"__name__": name}
    exec(compile(code, name, "exec"), defined)
    return defined


def test_a_webhook_is_genuine_to_the_lines_of_the_page_when_it_is_and_only_then() -> None:
    is_genuine = _defined_in("docs/integrating.md")["is_genuine"]
    former, secret, now, body = new_secret(), new_secret(), int(time.time()), '{"type":"ping"}'

    def headers(at: int, *secrets: str) -> dict[str, str]:
        signed = [Webhook(each).sign("h_1", datetime.fromtimestamp(at, UTC), body) for each in secrets]
        return {"webhook-id": "h_1", "webhook-timestamp": str(at), "webhook-signature": " ".join(signed)}

    assert is_genuine(secret, headers(now, secret), body.encode())
    assert is_genuine(former, headers(now, secret, former), body.encode())
    assert not is_genuine(former, headers(now, secret), body.encode())
    assert not is_genuine(secret, headers(now, secret), b'{"type":"pong"}')
    assert not is_genuine(secret, headers(now - 3600, secret), body.encode())


@pytest.fixture(scope="module")
def verifier() -> dict[str, Any]:
    """The verifier of the page."""
    return _defined_in("docs/verifying.md")


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.name)
def test_the_verifier_of_the_page_proves_what_was_ever_stored(verifier: dict[str, Any], file: Path) -> None:
    assert verifier["verify"](gzip.decompress(file.read_bytes()).splitlines()) is not None


@pytest.mark.parametrize(
    ("tamper", "complaint"),
    [
        (lambda lines: [*lines[:2], *lines[3:]], "order"),
        (lambda lines: [lines[0].replace(b'"points":1', b'"points":9', 1), *lines[1:]], "edition"),
        (lambda lines: [*lines[:3], lines[3].replace(b'"seat:', b'"seat:9', 1), *lines[4:]], "hash"),
        (
            lambda lines: [lines[0], lines[1].replace(b'"value":"Player', b'"value":"Prayer'), *lines[2:]],
            "seal",
        ),
        (lambda lines: [lines[0].replace(b"{", b'{"format":2,', 1), *lines[1:]], "twice"),
    ],
)
def test_the_verifier_of_the_page_finds_what_was_changed(
    verifier: dict[str, Any], tamper: Callable[[list[bytes]], list[bytes]], complaint: str
) -> None:
    kept = ROOT / "tests/games/whatnot/golden/two_seats.ndjson.gz"
    lines = gzip.decompress(kept.read_bytes()).splitlines()
    with pytest.raises(AssertionError, match=complaint):
        verifier["verify"](tamper(lines))


def signed_on_the_page() -> dict[str, Any]:
    """The example of a signed head."""
    (block,) = blocks("docs/verifying.md", "json")
    head: dict[str, Any] = json.loads(block)["signed_head"]
    return head


def test_the_signed_head_of_the_page_is_signed_as_the_page_says() -> None:
    """By the bytes 0 to 31, over what is written out here once more."""
    head = signed_on_the_page()
    statement = {name: value for name, value in head.items() if name != "signature"}
    signed = Ed25519PrivateKey.from_private_bytes(SEED).sign(
        b"bricabrac signed head 1\n" + rfc8785.dumps(statement)
    )
    assert head["signature"] == signed.hex()
    assert head["key"] == public_key(SEED).id
    assert SignedHead.read(head).document() == head


def test_the_verifier_of_the_page_takes_a_signed_head_that_fits(verifier: dict[str, Any]) -> None:
    lines = gzip.decompress(
        (ROOT / "tests/games/whatnot/golden/two_seats.ndjson.gz").read_bytes()
    ).splitlines()
    last = json.loads(lines[-1])
    fits = signed_on_the_page() | {name: last[name] for name in ("match", "version", "hash")}
    assert verifier["verify"]([*lines, rfc8785.dumps({"signed_head": fits})]) is not None
    for wrong in ({"match": "m_"}, {"version": 1}, {"hash": "0"}):
        with pytest.raises(AssertionError, match="signed head"):
            verifier["verify"]([*lines, rfc8785.dumps({"signed_head": fits | wrong})])


def test_the_vectors_of_the_page_are_what_chance_gives(verifier: dict[str, Any]) -> None:
    told = [row[-1].strip("`") for row in rows("docs/verifying.md", "Chance is one function")][-5:]
    drawn = chance.Chance(SEED)
    assert told == [
        chance.key(SEED, "die/1", 1).hex(),
        ", ".join(map(str, drawn.shuffle("die/1", range(1, 7)))),
        ", ".join(map(str, drawn.shuffle("first-seat", range(4)))),
        str(drawn.draw("bag/0", range(1, 86))),
        chance.mix(SEED, {0: "ab", 2: "cd"}).hex(),
    ]
    assert ", ".join(map(str, verifier["shuffle"](SEED, "die/1", range(1, 7)))) == told[1]


def test_the_occasions_of_the_page_are_those_that_are_drawn_on(monkeypatch: pytest.MonkeyPatch) -> None:
    told, game = set(), ""
    for name, *more in rows("docs/verifying.md", "Chance is one function"):
        if len(more) == 2:  # not the vectors
            game = name.strip("`") or game
            told.add((game, more[0].strip("`").replace("<n>", "0")))
    drawn, known = set[str](), chance._known
    monkeypatch.setattr(chance, "_known", lambda seed, what: drawn.add(what) or known(seed, what))
    found = set()
    for name, seats in (("whatnot", 1), ("whatnot", 2), ("nonsense", 3), ("drawer", 2)):
        options = {option.name: option.default for option in games()[name].options}
        simulate(Plan(games()[name], seats, options, SEED), 0)
        found |= {(name, re.sub(r"^(bag|deck|die)/\d+$", r"\1/0", each)) for each in drawn}
        drawn.clear()
    assert found == told


def test_the_commands_of_make_that_are_told_are_there() -> None:
    targets = set(re.findall(r"^([a-z]+):", page("Makefile"), re.MULTILINE))
    told = {
        word for file in PAGES for word in re.findall(r"\bmake ([a-z]+)`", file.read_text(encoding="utf-8"))
    }
    assert {"run", "test"} <= told <= targets
