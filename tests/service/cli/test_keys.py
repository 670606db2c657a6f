"""API keys on the command line, in processes of their own: against a store, a running service, a folder."""

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from service.redis_store.client import connect
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer, running
from tests.e2e.running import running as serving

TABLE = {"game": "whatnot", "seats": [{"name": "Ann"}]}


def keys(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "service.cli.main", "keys", *words]
    given = {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "DATA")}
    return subprocess.run(
        command, env=given | environment, capture_output=True, text=True, timeout=60, check=False
    )


def refused(*words: str, status: int = 1, **environment: str) -> str:
    tried = keys(*words, **environment)
    assert (tried.returncode, tried.stdout) == (status, "")
    assert "Traceback" not in tried.stderr
    return tried.stderr.strip().splitlines()[-1]


def created(url: str, key: str) -> int:
    return httpx.post(f"{url}/v1/matches", json=TABLE, headers={"Authorization": f"Bearer {key}"}).status_code


def test_a_key_is_shown_once_listed_by_what_it_is_and_gone_when_revoked(
    journal: RedisJournal, server: EmbeddedServer
) -> None:
    url = {"REDIS_URL": server.url}
    made = keys("add", "The tournament", "--scope", "webhooks", "--scope", "create", **url)
    (shown,) = made.stdout.splitlines()
    assert shown.startswith("bricabrac_key_")
    keys("add", "Another", "--scope", "read-all", **url)
    listed = keys("list", **url)
    first, second = (line.split("\t") for line in listed.stdout.splitlines())
    assert first[1:3] == ["The tournament", "create,webhooks"]
    assert second[1:3] == ["Another", "read-all"]
    assert first[3].endswith("Z")
    assert first[0] in made.stderr
    place = server.url.partition("?")[0]
    for told in (made, listed):
        assert f"Using the store at {place} (REDIS_URL)." in told.stderr
    kept = str(journal.client.hgetall("apikeys"))
    for text in (listed.stdout, listed.stderr, made.stderr, kept):
        assert shown.removeprefix("bricabrac_key_") not in text
    assert keys("revoke", first[0], **url).returncode == 0
    assert [line.split("\t")[0] for line in keys("list", **url).stdout.splitlines()] == [second[0]]
    assert first[0] in refused("revoke", first[0], **url)


def test_keys_of_a_running_service_count_at_once_and_until_they_are_revoked(tmp_path: Path) -> None:
    data = {"DATA": str(tmp_path / "var")}
    with serving(tmp_path, OPEN_CREATION="false") as service:
        assert created(service.url, "bricabrac_key_" + "A" * 43) == 401
        shown = keys("add", "A frontend", "--scope", "create", **data).stdout.strip()
        assert created(service.url, shown) == 201
        id_ = keys("list", **data).stdout.split("\t")[0]
        assert keys("revoke", id_, **data).returncode == 0
        assert created(service.url, shown) == 401
        kept = keys("add", "Another", "--scope", "create", **data).stdout.strip()
    (tmp_path / "serve.log").unlink()
    with serving(tmp_path, OPEN_CREATION="false") as service:
        assert created(service.url, kept) == 201


@pytest.mark.parametrize("words", [["add", "Lost", "--scope", "create"], ["list"], ["revoke", "k_1"]])
def test_where_there_is_no_store_nothing_is_made(tmp_path: Path, words: list[str]) -> None:
    folder = tmp_path / "var"
    said = refused(*words, DATA=str(folder))
    assert said.startswith(f"Error: There is no store in {folder}: ")
    assert "make run" in said
    assert "DATA" in said
    assert "REDIS_URL" in said
    assert not folder.exists()
    (folder / "valkey").mkdir(parents=True)
    assert "There is no store" in refused(*words, DATA=str(folder))
    assert list((folder / "valkey").iterdir()) == []


def test_where_nothing_runs_the_folders_server_is_started_for_the_moment(tmp_path: Path) -> None:
    data = {"DATA": str(tmp_path)}
    with EmbeddedServer(tmp_path / "valkey"):
        pass
    made = keys("add", "Early", "--scope", "create", **data)
    assert made.stderr.splitlines()[0] == f"Using the store in {tmp_path}."
    assert made.stdout.startswith("bricabrac_key_")
    assert running(tmp_path / "valkey") is None
    assert "\tEarly\tcreate\t" in keys("list", **data).stdout
    with EmbeddedServer(tmp_path / "valkey") as server:
        assert running(tmp_path / "valkey") == server.url
        assert connect(server.url).hlen("apikeys") == 1
        server.kill()
        assert running(tmp_path / "valkey") is None
        server.start()
        assert running(tmp_path / "valkey") == server.url


def test_what_is_wrong_is_told_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "There is no store" in refused("list", DATA=str(tmp_path / "file"))
    assert "does not answer" in refused("list", REDIS_URL="redis://127.0.0.1:1")
    assert "does not answer" in refused("list", REDIS_URL="redis+cluster://127.0.0.1:1")
    assert "LIMIT_WRITES" in refused("list", REDIS_URL="redis://127.0.0.1:1", LIMIT_WRITES="many")
    assert "PORT" in refused("list", REDIS_URL="redis://127.0.0.1:1", PORT="none")


@pytest.mark.parametrize(
    "words",
    [["add"], ["add", "x"], ["add", "x", "--scope", "all"], ["add", " ", "--scope", "create"], ["revoke"]]
    + [["add", f"key{sign}", "--scope", "create"] for sign in ("\u200b", "\u2800", "\u202e")],
)
def test_what_is_no_key_is_refused_before_anything_is_kept(tmp_path: Path, words: list[str]) -> None:
    refused(*words, status=2, DATA=str(tmp_path / "var"))
    assert not (tmp_path / "var").exists()
