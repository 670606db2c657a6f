"""`bricabrac verify` and signed heads: who kept one finds that a log was rewritten or cut, and who signed."""

import gzip
import json
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.cli.main import main
from service.log.public_keys import WELL_KNOWN, PublicKey, key_set
from service.log.signed_head import SignedHead, sign
from tests.service.log.forging import Log, parsed, rechain, true_log, written

PROVED, WRONG, USAGE, NOT_YET, NOT_HERE = 0, 1, 2, 3, 4
TRUE = parsed(true_log())
LAST = len(TRUE) - 1
AT = "2026-11-30T02:03:04.123Z"
PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = PublicKey(PRIVATE.public_key().public_bytes_raw())
OTHER = PublicKey(Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().public_bytes_raw())


def head_of(log: Log, version: int = LAST) -> dict[str, Any]:
    """The head that a deployment signed when a log had come to a version."""
    commit = log[version]
    return sign(SignedHead(commit["match"], version, commit["hash"], AT, KEY.id), PRIVATE).document()


def log_with(log: Log, **head: Any) -> bytes:
    """An export that ends with a signed head, in which something may be altered."""
    return b"".join(written([*log, {"signed_head": head_of(log, len(log) - 1) | head}]))


def rewritten() -> Log:
    """The true log with other times: every hash made good again, and no draw or decision is another."""
    log = parsed(true_log())
    for commit in log[5:]:
        commit["at"] = "2020-01-01T00:00:00.000Z"
    rechain(log)
    return log


@pytest.fixture
def files(tmp_path: Path) -> Mapping[str, Path]:
    contents = {
        "true": b"".join(written(TRUE)),
        "rewritten": b"".join(written(rewritten())),
        "cut": b"".join(written(TRUE[:-1])),
        "other": true_log(2, 1),
        "signed": log_with(TRUE),
        "packed": gzip.compress(log_with(TRUE)),
        "forged": log_with(TRUE, signature="0" * 128),
        "backdated": log_with(TRUE, at="2020-01-01T00:00:00.000Z"),
        "head": json.dumps(head_of(TRUE)).encode(),
        "early": json.dumps({"signed_head": head_of(TRUE, 7)}, indent=2).encode(),
        "end": json.dumps({"version": LAST, "status": "finished", "signed_head": head_of(TRUE)}).encode(),
        "foreign": json.dumps(head_of(parsed(true_log(2, 1)), 3)).encode(),
        "false": json.dumps(head_of(TRUE) | {"signature": "0" * 128}).encode(),
        "keys": json.dumps(key_set([OTHER, KEY])).encode(),
        "ended": json.dumps(key_set([PublicKey(KEY.raw, 0, 1000)])).encode(),
        "strange": json.dumps(key_set([OTHER])).encode(),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return {name: tmp_path / name for name in contents}


def judge(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["verify", *map(str, words)])


@pytest.mark.parametrize("head", ["head", "early", "end", "signed", "packed"])
def test_a_log_that_continues_a_head_is_proved_whatever_the_head_is_kept_in(
    files: Mapping[str, Path], head: str
) -> None:
    judged = judge(files["true"], "--since", files[head], "--key", files["keys"])
    version = 7 if head == "early" else LAST
    assert f", continued from version {version} of {AT}: proved" in judged.output
    assert judged.exit_code == PROVED


def test_a_rewritten_log_is_proved_by_itself_and_found_by_a_head(files: Mapping[str, Path]) -> None:
    assert judge(files["rewritten"]).exit_code == PROVED
    for head in ("head", "early"):
        judged = judge(files["rewritten"], "--since", files[head])
        assert judged.exit_code == WRONG
        assert f"the log was rewritten: at {AT}" in judged.output


def test_a_cut_log_is_sound_by_itself_and_found_by_a_head(files: Mapping[str, Path]) -> None:
    assert judge(files["cut"]).exit_code in (PROVED, NOT_YET)
    judged = judge(files["cut"], "--since", files["head"])
    assert (judged.exit_code, "the log was cut" in judged.output) == (WRONG, True)
    assert judge(files["cut"], "--since", files["early"]).exit_code != WRONG


def test_every_log_has_to_continue_a_head_of_its_own(files: Mapping[str, Path]) -> None:
    two = ("--since", files["head"], "--since", files["foreign"])
    assert judge(files["true"], files["other"], *two).exit_code == PROVED
    judged = judge(files["true"], "--since", files["foreign"])
    assert (judged.exit_code, "the signed head is of" in judged.output) == (WRONG, True)


def test_what_was_not_checked_is_said(files: Mapping[str, Path]) -> None:
    assert "signed" not in judge(files["true"]).output
    judged = judge(files["signed"])
    assert f", signed at {AT} (signature not checked: give --key): proved" in judged.output
    assert judged.exit_code == PROVED
    judged = judge(files["true"], "--since", files["head"])
    assert f"of {AT} (signature not checked: give --key): proved" in judged.output
    assert (
        judge(files["signed"], "--key", files["keys"]).output.rstrip().endswith(f", signed at {AT}: proved")
    )


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        (("forged",), WRONG, "is not that of the key"),
        (("backdated",), WRONG, "is not that of the key"),
        (("true", "--since", "false"), WRONG, "is not that of the key"),
        (("signed", "--key", "ended"), WRONG, "was not in use"),
        (("signed", "--key", "strange"), NOT_HERE, "is not among those that are given"),
        (("true", "--since", "head", "--key", "strange"), NOT_HERE, "is not among those that are given"),
    ],
)
def test_a_signature_that_is_wrong_or_of_an_unknown_key_is_told_apart(
    files: Mapping[str, Path], words: tuple[str, ...], status: int, reason: str
) -> None:
    keys = () if "--key" in words else ("--key", files["keys"])
    judged = judge(*(files.get(word, word) for word in words), *keys)
    assert (judged.exit_code, reason in judged.output) == (status, True), judged.output


@pytest.mark.parametrize(
    "change",
    [{"version": LAST - 1}, {"hash": "0" * 64}, {"match": "m_" + "a" * 26}, {"at": "then"}, {"more": 1}],
)
def test_a_trailer_that_does_not_fit_the_log_is_a_flaw_without_any_key(
    tmp_path: Path, change: Mapping[str, Any]
) -> None:
    file = tmp_path / "log"
    file.write_bytes(log_with(TRUE, **change))
    judged = judge(file)
    assert (judged.exit_code, f"WRONG at version {LAST}: " in judged.output) == (WRONG, True)


def test_a_trailer_stands_once_and_at_the_end(tmp_path: Path) -> None:
    *lines, trailer = log_with(TRUE).splitlines(keepends=True)
    middle = written([{"signed_head": head_of(TRUE, 5)}])
    for number, log in enumerate(
        ([*lines, trailer, trailer], [*lines[:6], *middle, *lines[6:]], [lines[0], trailer], [trailer])
    ):
        file = tmp_path / str(number)
        file.write_bytes(b"".join(log))
        assert judge(file).exit_code == WRONG


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b'{"signed_head": 1}', b"\x1f\x8b", b"\xff"])
def test_what_is_no_head_and_what_are_no_keys_is_a_mistake_in_the_command(
    files: Mapping[str, Path], tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "wrong").write_bytes(content)
    for option in ("--since", "--key"):
        judged = judge(files["true"], option, tmp_path / "wrong")
        assert (judged.exit_code, option in judged.output) == (USAGE, True)
    assert judge(files["true"], "--key", tmp_path / "nowhere").exit_code == USAGE


class Service(BaseHTTPRequestHandler):
    """Publishes keys at the well-known place, and too much elsewhere."""

    answers: ClassVar = {WELL_KNOWN: json.dumps(key_set([KEY])).encode(), "/long": b" " * ((1 << 20) + 1)}

    def do_GET(self) -> None:
        found = self.answers.get(self.path)
        self.send_response(404 if found is None else 200)
        self.end_headers()
        self.wfile.write(found or b"")

    def log_message(self, *_: Any) -> None:
        """Nothing."""


def test_keys_are_read_from_where_a_service_publishes_them(files: Mapping[str, Path]) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        for place in (url, f"{url}/", url + WELL_KNOWN):
            assert judge(files["signed"], "--key", place).exit_code == PROVED
        for place in (f"{url}/nothing", f"{url}/long", "ftp://127.0.0.1/", "http://127.0.0.1:1"):
            assert judge(files["signed"], "--key", place).exit_code == USAGE
        server.shutdown()
