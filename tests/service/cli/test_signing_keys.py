"""Signing keys on the command line, in processes of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)
from environs import EnvError

from service.auth.signing_keys import Signer, public_key
from service.redis_store.journal import RedisJournal
from service.redis_store.signing_keys import RedisSigningKeys
from service.run.embedded import EmbeddedServer
from service.settings import settings

RAW = bytes(range(32))
OPEN = NoEncryption()


def signing_keys(word: str, url: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "service.cli.main", "signing-keys", word]
    given = os.environ | {"REDIS_URL": url}
    return subprocess.run(command, env=given, capture_output=True, text=True, timeout=60, check=False)


def test_a_rotation_adds_a_key_and_the_list_tells_the_period_of_each(
    journal: RedisJournal, server: EmbeddedServer
) -> None:
    (before,) = Signer(RedisSigningKeys(journal.client)).public_keys()
    made = signing_keys("rotate", server.url)
    new = made.stdout.strip()
    first, second = (line.split("\t") for line in signing_keys("list", server.url).stdout.splitlines())
    assert (first[0], second[0]) == (before.id, new)
    assert first[2] == second[1]
    assert second[2] == ""
    assert f"It signs from {second[1]} on." in made.stderr
    for name in journal.client.keys("signing_key:*"):
        assert journal.client.get(name).decode() not in made.stdout + made.stderr


def pem(key: object, encryption: KeySerializationEncryption = OPEN) -> str:
    written: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)  # type: ignore[attr-defined]
    return written.decode()


def given(text: str, monkeypatch: pytest.MonkeyPatch) -> bytes | None:
    """What the settings make of SIGNING_KEY."""
    monkeypatch.setenv("SIGNING_KEY", text)
    settings.cache_clear()
    try:
        return settings().signing_key
    finally:
        monkeypatch.undo()
        settings.cache_clear()


def test_a_key_is_given_as_a_text_or_as_a_file_and_not_shown_with_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = pem(Ed25519PrivateKey.from_private_bytes(RAW))
    file = tmp_path / "key.pem"
    file.write_text(text)
    assert given(text, monkeypatch) == given(str(file), monkeypatch) == RAW
    assert given("", monkeypatch) is None
    monkeypatch.setenv("SIGNING_KEY", text)
    settings.cache_clear()
    assert "signing_key" not in repr(settings())
    monkeypatch.undo()
    settings.cache_clear()
    assert public_key(RAW).raw == Ed25519PrivateKey.from_private_bytes(RAW).public_key().public_bytes_raw()


WRONG = {
    "another kind": pem(derive_private_key(7, SECP256R1())),
    "encrypted": pem(Ed25519PrivateKey.from_private_bytes(RAW), BestAvailableEncryption(b"secret")),
    "cut": pem(Ed25519PrivateKey.from_private_bytes(RAW))[:-40],
    "no file": "/nowhere/key.pem",
    "a folder": "/",
    "not PEM": __file__,
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_what_is_no_key_is_refused_in_a_sentence_that_shows_nothing_of_it(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(EnvError, match="SIGNING_KEY: ") as refused:
        given(text, monkeypatch)
    lines = [line for line in text.splitlines() if line and "-----" not in line]
    assert "\n" not in str(refused.value)
    if text.startswith("-----"):
        assert not any(line in str(refused.value) for line in lines)
