"""All processes of a deployment sign with one key at a time, and what was signed verifies for ever."""

import logging
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from service.auth.signing_keys import LEAD_MS, REFRESHED_S, Signer, add_key, make_key, public_key
from service.clock import now
from service.log.public_keys import PublicKey
from service.log.signed_head import LATITUDE_MS, SignedHead
from service.redis_store.client import connect
from service.redis_store.journal import RedisJournal
from service.redis_store.signing_keys import NAME, PRIVATE, RedisSigningKeys
from service.run.embedded import EmbeddedServer
from service.store.journal import StoreFullError, StoreUnavailableError

MATCH, HASH = "m_" + "a" * 26, "0" * 64
GIVEN, OTHER = bytes(range(32)), bytes(range(1, 33))


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = self.began = now()

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def keys(journal: RedisJournal) -> RedisSigningKeys:
    return RedisSigningKeys(journal.client)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def signed(signer: Signer, version: int = 1) -> SignedHead:
    head = signer.sign(MATCH, version, HASH)
    assert head is not None
    return head


def known(signer: Signer) -> dict[str, PublicKey]:
    return {key.id: key for key in signer.public_keys()}


def privates(keys: RedisSigningKeys) -> int:
    return len(keys.client.keys(PRIVATE + "*"))


def test_the_first_key_is_made_once_however_many_begin_at_once(keys: RedisSigningKeys) -> None:
    signers = [Signer(RedisSigningKeys(keys.client)) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        heads = list(pool.map(signed, signers))
    assert len({head.key for head in heads}) == 1
    assert keys.client.hlen(NAME) == privates(keys) == 1
    for head in heads:
        head.check_signature(known(signers[0]))


def test_processes_that_start_at_once_share_a_key_which_a_restart_keeps(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path) as server:
        command, given = [sys.executable, "-m", "service.run.claim"], os.environ | {"REDIS_URL": server.url}
        started = [subprocess.Popen(command, env=given, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        assert [process.communicate(timeout=60)[1] for process in started] == ["", ""]
        (before,) = Signer(RedisSigningKeys(connect(server.url))).public_keys()
        head = signed(Signer(RedisSigningKeys(connect(server.url))))
        server.stop()
        server.start()
        again = Signer(RedisSigningKeys(connect(server.url)))
        assert again.public_keys() == [before]
        assert signed(again).key == head.key == before.id
        head.check_signature(known(again))


def test_a_new_key_is_published_before_it_signs_and_old_heads_verify_for_ever(
    keys: RedisSigningKeys, clock: Clock
) -> None:
    first = signed(Signer(keys, clock=clock))
    clock.now += 1000
    made = make_key(keys, keys.history(), clock.now)
    assert made is not None
    signer = Signer(keys, clock=clock)
    assert [key.id for key in signer.public_keys()] == [first.key, made.id]
    clock.now += LEAD_MS - 1
    assert signed(signer, 2).key == first.key
    clock.now += 1
    second = signed(signer, 3)
    assert second.key == made.id
    old, new = signer.public_keys()
    assert (old.since, old.until, new.since, new.until) == (clock.began, clock.now, clock.now, None)
    for head in (first, second):
        head.check_signature(known(signer))


def test_the_private_part_of_an_old_key_is_forgotten(keys: RedisSigningKeys, clock: Clock) -> None:
    old = signed(Signer(keys, clock=clock)).key
    make_key(keys, keys.history(), clock.began)
    left: int = keys.client.pttl(PRIVATE + old)
    assert LEAD_MS < left <= LEAD_MS + LATITUDE_MS
    make_key(keys, keys.history(), clock.began + 10**9)
    assert keys.client.pttl(PRIVATE + old) <= left, "another rotation does not keep it longer"
    assert keys.private(old) is not None
    keys.retire(old, clock.began)
    assert keys.private(old) is None
    assert len(keys.history()) == 3


def test_of_two_who_rotate_at_once_one_wins(keys: RedisSigningKeys, clock: Clock) -> None:
    Signer(keys, clock=clock).public_keys()
    seen = keys.history()
    assert make_key(keys, seen, clock.began) is not None
    assert make_key(keys, seen, clock.began) is None
    assert (len(keys.history()), privates(keys)) == (2, 2)


def test_a_clock_that_is_behind_makes_no_period_that_ends_before_it_begins(keys: RedisSigningKeys) -> None:
    began = now()
    for at in (began, began + 10**9, began):
        make_key(keys, keys.history(), at)
    for key in Signer(keys).public_keys():
        assert key.until is None or (key.since or 0) <= key.until


def test_a_key_that_is_given_signs_and_never_enters_the_store(keys: RedisSigningKeys, clock: Clock) -> None:
    signer = Signer(keys, GIVEN, clock)
    assert signed(signer).key == public_key(GIVEN).id
    signed(signer).check_signature(known(Signer(keys, GIVEN, clock)))
    assert privates(keys) == 0
    kept = str([keys.client.hgetall(NAME)])
    assert GIVEN.hex() not in kept
    assert len(keys.history()) == 1


def test_another_given_key_follows_the_one_before_it(
    keys: RedisSigningKeys, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    made = signed(Signer(keys, clock=clock)).key
    given = Signer(keys, GIVEN, clock)
    assert signed(given).key == made, "until everybody can know the new one"
    clock.now += LEAD_MS
    assert signed(given, 2).key == public_key(GIVEN).id
    without = Signer(keys, clock=clock)
    with caplog.at_level(logging.WARNING, "bricabrac"):
        assert [without.sign(MATCH, version, HASH) for version in (1, 2)] == [None, None]
    (told,) = caplog.messages
    assert "SIGNING_KEY" in told
    assert GIVEN.hex() not in told
    assert len(keys.history()) == 2


def test_hosts_with_different_keys_do_not_take_turns_for_ever(keys: RedisSigningKeys, clock: Clock) -> None:
    for _ in range(3):
        for given in (GIVEN, OTHER):
            Signer(keys, given, clock).public_keys()
            clock.now += 10**6
    assert [key.id for key in keys.history()] == [public_key(GIVEN).id, public_key(OTHER).id]
    assert Signer(keys, GIVEN, clock).sign(MATCH, 1, HASH) is None
    assert signed(Signer(keys, OTHER, clock)).key == public_key(OTHER).id


def test_a_flood_of_readers_of_one_head_costs_a_signature_a_second_and_the_store_nothing(
    keys: RedisSigningKeys, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    signer = Signer(keys, clock=clock)
    first = signed(signer)
    monkeypatch.setattr(signer, "_kept", None)  # whoever asks it fails
    assert signed(signer) is first
    clock.now += 999
    assert signed(signer) is first
    clock.now += 1
    again = signed(signer)
    assert (again.at > first.at, again.hash) == (True, first.hash)
    assert signed(signer, 2).version == 2


def test_where_the_store_refuses_nothing_is_signed_and_nothing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with EmbeddedServer(tmp_path) as server:
        keys = RedisSigningKeys(connect(server.url))
        memory = keys.client.config_get("maxmemory")["maxmemory"]
        keys.client.config_set("maxmemory", 1)
        signer = Signer(keys)
        assert signer.sign(MATCH, 1, HASH) is None
        with pytest.raises(StoreFullError):
            signer.public_keys()
        keys.client.config_set("maxmemory", memory)
        assert signed(signer).version == 1
        server.stop()
        assert Signer(keys).sign(MATCH, 1, HASH) is None
        monkeypatch.setattr(signer, "_due", 0.0)
        assert signed(signer, 2).version == 2, "it signs on with the key that it knows"
        with pytest.raises(StoreUnavailableError):
            signer.public_keys()


def test_a_process_learns_of_a_new_key_before_it_signs(keys: RedisSigningKeys) -> None:
    began = now()
    assert REFRESHED_S * 1000 < LEAD_MS
    assert add_key(keys, (), began, public_key(GIVEN)) == PublicKey(public_key(GIVEN).raw, began)
