"""Players who know nothing but the public API: they read, choose a legal command, and send it with a key."""

import hashlib
import hmac
import random
import secrets
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import orjson
import rfc8785

FORMAT = 2
GENESIS = "0" * 64
PATIENCE = 120.0  # seconds for a whole match
RETRIED = 30.0  # seconds for one request


class Table:
    """A match and its players' tokens."""

    def __init__(self, client: httpx.Client, game: str, names: Sequence[str], **more: Any) -> None:
        self.client = client
        body = {"game": game, "seats": [{"name": name} for name in names], **more}
        created = self.ask(
            "POST", "/v1/matches", json=body, headers={"Idempotency-Key": secrets.token_hex(16)}
        )
        assert created.status_code == 201, created.text
        self.players = len(names)
        self.tokens: dict[str, str] = created.json()["tokens"]
        self.id: str = created.json()["match"]["id"]
        self.path = f"/v1/matches/{self.id}"

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        """A request, repeated as it is when no answer comes: writes carry a key, so a repeat is harmless."""
        give_up = time.monotonic() + RETRIED
        while True:
            try:
                answer = self.client.request(method, path, **more)
            except httpx.TransportError:
                answer = None
            if answer is not None and answer.status_code != 503:
                return answer
            assert time.monotonic() < give_up, f"no answer to {method} {path}"
            time.sleep(0.05)

    def read(self) -> Any:
        """The match as anybody may see it."""
        return self.ask("GET", self.path).json()

    def headers(self, seat: int, key: str | None = None) -> dict[str, str]:
        """A player's token, and a key."""
        token = {"Authorization": f"Bearer {self.tokens[f'seat:{seat}']}"}
        return token if key is None else token | {"Idempotency-Key": key}

    def legal(self, seat: int) -> list[Any]:
        """What a player may do."""
        listed = self.ask("GET", f"{self.path}/legal", headers=self.headers(seat)).json()
        commands: list[Any] = listed["commands"]
        return commands

    def turn(self, seat: int) -> Any:
        """The status, and what a player may do once it is the player's turn; at the latest in ten seconds."""
        return self.ask("GET", f"{self.path}/legal?wait=10", headers=self.headers(seat)).json()

    def send(self, seat: int, command: Any, key: str) -> httpx.Response:
        """A player's command."""
        return self.ask("POST", f"{self.path}/commands", json=command, headers=self.headers(seat, key))

    def log(self) -> list[bytes]:
        """The whole log, as lines, without the head that is signed at its end."""
        export = self.ask("GET", f"{self.path}/log", headers={"Accept": "application/x-ndjson"})
        *log, trailer = export.content.splitlines()
        assert orjson.loads(trailer)["signed_head"]["hash"] == orjson.loads(log[-1])["hash"]
        return log

    def score(self) -> Any:
        """The score sheets."""
        return self.ask("GET", f"{self.path}/score").json()


def play_seat(table: Table, seat: int, dice: random.Random) -> None:
    """One player until the match is finished: waits for a turn, thinks of something legal, does it."""
    give_up = time.monotonic() + PATIENCE
    while (match := table.turn(seat))["status"] != "finished":
        assert time.monotonic() < give_up, f"the match does not go on: {match}"
        if match["commands"]:
            answer = table.send(seat, choose(match["commands"], dice), f"{seat}-{match['version']}")
            assert answer.status_code == 201, answer.text


def choose(legal: list[Any], dice: random.Random) -> Any:
    """A human-like choice: tell a story when there is one to tell, otherwise follow a whim."""
    told = [command for command in legal if command["type"] == "tell_adventure"]
    club = [command for command in legal if command.get("to") == "club"]
    return (told or club or [dice.choice(legal)])[0]


def play_in_parallel(table: Table, seed: int = 0) -> None:
    """All players at once, each with a client of its own mind."""
    with ThreadPoolExecutor(table.players) as pool:
        seats = range(table.players)
        playing = [pool.submit(play_seat, table, seat, random.Random(f"{seed}/{seat}")) for seat in seats]
        for player in playing:
            player.result()


def place_at_once(table: Table, seed: int = 0) -> int:
    """Junk Drawer: for each item, all who can place send at the same moment, none is refused. How many."""
    dice, rounds = random.Random(seed), 0
    give_up = time.monotonic() + PATIENCE
    with ThreadPoolExecutor(table.players) as pool:
        while (match := table.read())["status"] != "finished":
            assert time.monotonic() < give_up
            acting = match["to_act"]
            if not acting:
                time.sleep(0.005)
                continue
            choices = {seat: dice.choice(table.legal(seat)) for seat in acting}
            line = threading.Barrier(len(acting))

            def place(
                seat: int, key: str, choices: Any = choices, line: threading.Barrier = line
            ) -> httpx.Response:
                line.wait()
                return table.send(seat, choices[seat], key)

            sent = [pool.submit(place, seat, f"item-{rounds}") for seat in acting]
            assert {answer.result().status_code for answer in sent} == {201}
            rounds += 1
    return rounds


def check_chain(lines: Sequence[bytes]) -> int:
    """The hash chain of a log, by nothing but SHA-256 and RFC 8785; how many commits it has.

    Where the two secrets are revealed they are those committed to, and all but names is sealed with one.
    """
    header, *records = map(orjson.loads, lines)
    assert header["format"] == FORMAT
    key, previous = check_secrets(records), GENESIS
    for version, record in enumerate(records, start=1):
        stated = record.pop("hash")
        opened = record.pop("opened", {})
        stands = (record["format"], record["match"], record["version"], record["previous"])
        assert stands == (FORMAT, header["match"], version, previous)
        assert hashlib.sha256(rfc8785.dumps(record)).hexdigest() == stated
        for pointer, secret in opened.items():
            sealed = bytes.fromhex(secret["salt"]) + rfc8785.dumps(secret["value"])
            assert hashlib.sha256(sealed).hexdigest() == record["sealed"][pointer]
            if key is not None and not pointer.endswith("/name"):
                message = f"salt/{record['match']}/{version}/{pointer}".encode()
                assert hmac.digest(key, message, "sha256").hex() == secret["salt"]
        assert key is None or record["sealed"].keys() == opened.keys()
        previous = stated
    return len(records)


def check_secrets(records: Sequence[Any]) -> bytes | None:
    """The sealing key, if it is revealed: it and the seed are what the first commit has committed to."""
    events = [event for record in records for event in record["events"]]
    created, revealed = events[0], [event for event in events if event.get("sealing_key")]
    if not revealed:
        return None
    seed, key = (bytes.fromhex(revealed[0][name]) for name in ("seed", "sealing_key"))
    assert hashlib.sha256(key).hexdigest() == created["sealing_commitment"]
    assert hashlib.sha256(key + seed).hexdigest() == created["seed_commitment"]
    return key
