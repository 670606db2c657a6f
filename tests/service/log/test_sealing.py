"""Who knows the seed opens nothing: every salt comes from a key of the server's, which nobody chooses.

A snooper has the public record, the seed, and all that somebody may have chosen to hide; he tries every salt
that can be made of what he knows. With the sealing key in place of the seed the same search finds everything:
so it is a search that would.
"""

import hmac
import random
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import orjson
import pytest
import rfc8785

from domain.games import games
from domain.match.commands import ReleaseSeed
from domain.match.rules import HOST
from service.log.codec import dump_command
from service.log.record import Entry
from service.matches.aggregate import Aggregate
from service.matches.play import Play
from service.matches.requests import Request
from service.matches.views import lines, match_document
from service.random_bytes import repeatable
from service.store.memory_journal import MemoryJournal
from tests.service.log.tables import SEED, creation, finished, lay, lay_table, move, played

WEAK_SEEDS = [bytes(32), b"\xff" * 32, *(n.to_bytes(32, "big") for n in range(1, 200))]
Sealed = tuple[dict[str, Any], str]  # a record, and a pointer into what is sealed in it


@pytest.fixture
def play() -> Play:
    return Play(MemoryJournal())


def public(entries: list[Entry]) -> list[dict[str, Any]]:
    return [orjson.loads(entry.record) for entry in entries]


def secrets_of(records: list[dict[str, Any]]) -> Iterator[Sealed]:
    """What is sealed, names apart."""
    for record in records:
        yield from ((record, pointer) for pointer in record["sealed"] if not pointer.endswith("/name"))


def salts(known: bytes, record: dict[str, Any], pointer: str) -> Iterator[bytes]:
    """Every salt that might be made of a secret that one knows."""
    where = f"{record['match']}/{record['version']}/{pointer}"
    created = sha256(known).digest()
    for key in (
        known,
        created,
        sha256(known.hex().encode()).digest(),
        hmac.digest(known, b"sealing", "sha256"),
    ):
        for message in (f"salt/{where}", where, f"salt/{pointer}", pointer):
            yield hmac.digest(key, message.encode(), "sha256")
            yield sha256(key + message.encode()).digest()
        yield key


def opens(known: bytes, sealed: Sealed, values: list[Any]) -> bool:
    """Whether one of the values is what is sealed, by any salt that can be made of what is known."""
    record, pointer = sealed
    written = [rfc8785.dumps(value) for value in values]
    return any(
        sha256(salt + value).hexdigest() == record["sealed"][pointer]
        for salt in salts(known, record, pointer)
        for value in written
    )


def placements(loaded: Aggregate, entry: Entry) -> list[Any]:
    """All that a placement of Junk Drawer may have hidden, field by field."""
    seat = int(entry.public()["by"].removeprefix("seat:"))
    commands = [dump_command(command) for command in loaded.state.game.legal(loaded.state.position, seat)]
    return [value for command in commands for name, value in command.items() if name != "type"]


def test_a_placement_sealed_in_junk_drawer_cannot_be_computed_by_who_chose_the_seed(play: Play) -> None:
    game, player, tried = games()["drawer"], random.Random(3), 0
    loaded = lay_table(play, game, creation(game, 3), SEED)
    for _ in range(3):
        before, result = loaded, move(play, loaded, player)
        loaded = result.loaded
        hidden = placements(before, result.entries[0])
        for sealed in secrets_of(public(list(result.entries))):
            assert not opens(SEED, sealed, hidden)
            assert opens(loaded.secrets.sealing_key, sealed, hidden), "the search would find it"
            tried += 1
    assert tried >= 6


def test_hands_sealed_in_stuff_and_nonsense_cannot_be_opened_by_who_chose_the_seed(play: Play) -> None:
    game = games()["nonsense"]
    loaded = lay_table(play, game, creation(game, 3), SEED)
    entries = play.journal.read(loaded.id, 0)
    values = {}
    for entry in entries:
        for pointer, secret in orjson.loads(entry.secrets).items():
            if "handle" not in secret:
                values[entry.version, pointer] = secret["value"]
    sealed = list(secrets_of(public(entries)))
    assert len(sealed) == len(values) >= 3
    for record, pointer in sealed:
        truth = [values[record["version"], pointer]]  # the snooper guesses right, and still cannot tell
        assert not opens(SEED, (record, pointer), truth)
        assert opens(loaded.secrets.sealing_key, (record, pointer), truth)


@pytest.mark.parametrize("game", games().values(), ids=games().keys())
def test_every_salt_of_a_finished_match_is_the_sealing_keys_alone(play: Play, game: Any) -> None:
    loaded = finished(
        play, lay_table(play, game, creation(game, max(2, game.seats[0])), SEED), random.Random(1)
    )
    loaded = play.do(loaded, [ReleaseSeed()], Request(HOST)).loaded
    key, seen = bytes.fromhex(loaded.state.sealing_key or ""), 0
    for entry in play.journal.read(loaded.id, 0, count=10**4):
        record = orjson.loads(*lines([entry], loaded, None))
        for pointer, opened in record.get("opened", {}).items():
            salt = hmac.digest(key, f"salt/{loaded.id}/{entry.version}/{pointer}".encode(), "sha256").hex()
            assert (opened["salt"] == salt) is not pointer.endswith("/name")
            seen += 1
    assert seen > 4


def created(play: Play, loaded: Aggregate) -> dict[str, Any]:
    event: dict[str, Any] = play.journal.read(loaded.id, 0, 1)[0].public()["events"][0]
    return event


@pytest.mark.parametrize("seed", WEAK_SEEDS[:3], ids=["zeros", "ones", "one"])
def test_a_weak_seed_cannot_be_guessed_from_the_first_commit(play: Play, seed: bytes) -> None:
    loaded = lay(play, 2, vacant=2, seed=seed)  # nothing is drawn yet
    record = play.journal.read(loaded.id, 0, 1)[0].record.decode()
    said = created(play, loaded)
    public_words = [bytes.fromhex(said[word]) for word in ("sealing_commitment", "edition_hash")]
    for guess in WEAK_SEEDS:
        for salt in (b"", loaded.id.encode(), *public_words):
            for guessed in (salt + guess, guess + salt):
                assert sha256(guessed).hexdigest() not in record
            assert hmac.digest(guess, salt, "sha256").hex() not in record
    sealing_key = loaded.secrets.sealing_key
    assert said["seed_commitment"] == sha256(sealing_key + seed).hexdigest()


def test_two_tables_of_a_duplicate_do_not_show_in_their_first_commit_that_they_are_one(play: Play) -> None:
    tables = [lay(play, 2, vacant=2) for _ in range(2)] + [lay(play, 2, vacant=2, seed=bytes(32))]
    first, second, other = (set(_hashes(play, loaded)) for loaded in tables)
    common = {created(play, tables[0])["edition_hash"]}
    assert first & second == first & other == second & other == common | {"0" * 64}


def _hashes(play: Play, loaded: Aggregate) -> Iterator[str]:
    record = play.journal.read(loaded.id, 0, 1)[0].public()
    yield from (record["hash"], record["previous"], *record["sealed"].values())
    yield from (word for word in record["events"][0].values() if isinstance(word, str) and len(word) == 64)


def test_two_matches_of_one_seed_draw_alike_and_are_sealed_apart(play: Play) -> None:
    one, two = (lay(play, 2, seed=SEED) for _ in range(2))
    assert one.state.position == two.state.position
    assert one.secrets.sealing_key != two.secrets.sealing_key


def test_nobody_chooses_the_sealing_key_but_the_source_that_a_test_injects() -> None:
    one, two = (Play(MemoryJournal(), random_bytes=repeatable(b"the same")) for _ in range(2))
    assert lay(one).secrets == lay(two).secrets
    assert lay(one).secrets.sealing_key != lay(two, seed=bytes(32)).secrets.seed
    keys = {lay(Play(MemoryJournal())).secrets.sealing_key for _ in range(20)}
    assert len(keys) == 20


def test_the_sealing_key_is_told_with_the_seed_and_kept_nowhere_else_then(play: Play) -> None:
    for seed in (None, SEED):
        begun = loaded = lay(play, 2, seed=seed)
        key = begun.secrets.sealing_key.hex()
        for loaded in played(play, begun, random.Random(2)):
            done = loaded.state.status == "finished" and seed is None
            shown = [orjson.dumps(match_document(loaded, viewer)).decode() for viewer in (None, 0, 1)]
            entries = play.journal.read(loaded.id, 0, count=999)
            log = b"".join(lines(entries, loaded, 0)).decode()
            assert [key in word for word in shown] == [done] * 3
            assert (key in log) is done
        if seed is not None:
            loaded = play.do(loaded, [ReleaseSeed()], Request(HOST)).loaded
        assert match_document(loaded, None)["sealing"]["revealed"] == key
        assert not {"seed", "sealing_key"} & play.journal.head(loaded.id).fields.keys()
        assert play.load(loaded.id).secrets.sealing_key.hex() == key


def test_what_holds_secrets_prints_none_of_them(play: Play) -> None:
    loaded = lay(play, 2, seed=None)
    head = play.journal.head(loaded.id)
    printed = f"{loaded} {head} {loaded.secrets} {play.journal.read(loaded.id, 0)} {loaded.names}"
    assert "Player 1" in printed  # a name is no secret while it is remembered
    for word in (
        loaded.secrets.seed,
        loaded.secrets.sealing_key,
        *(each.key for each in loaded.names.values()),
    ):
        assert word.hex() not in printed
        assert repr(word) not in printed
