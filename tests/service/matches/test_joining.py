"""Laying a table and sitting down: tokens are shown, never kept, and a repeat shows the same ones."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any, NamedTuple

import pytest

from domain.games import games
from domain.games.whatnot import GAME
from domain.match.commands import CreateMatch, TakeSeat
from domain.match.rules import HOST
from service.auth import tokens
from service.matches.joining import Caller, create_match, shown_tokens, take_seat
from service.matches.play import Play
from service.matches.requests import CommandRefusedError, KeyReusedError, Request, Result
from service.redis_store.journal import RedisJournal
from service.store.memory_journal import MemoryJournal
from tests.service.log.tables import SEED, choices, creation, lay, lay_table

SECRET = bytes(range(32))  # the deployment's
KEY = Caller("a-key-that-nobody-guesses", "first request", secret=SECRET)
ALL_OPEN = creation(GAME, 2, vacant=2)


class Seated(NamedTuple):
    """What was stored, and the tokens that are shown."""

    result: Result
    tokens: Mapping[str, str]


def create(
    play: Play, caller: Caller, command: CreateMatch | None = None, seed: bytes | None = None
) -> Seated:
    result = create_match(play, GAME, command or creation(GAME, 2, vacant=1), caller, seed)
    return Seated(result, shown_tokens(result, caller))


def sit(play: Play, match: str, caller: Caller, seat: int = 0) -> Seated:
    result = take_seat(play, play.load(match), TakeSeat(seat, f"Player {seat}"), caller, None)
    return Seated(result, shown_tokens(result, caller))


@pytest.fixture
def one() -> Play:
    return Play(MemoryJournal())


def test_the_host_and_every_named_seat_get_a_token_each(one: Play) -> None:
    created = create(one, KEY)
    assert created.tokens.keys() == {HOST, "seat:0"}
    assert len(set(created.tokens.values())) == 2
    for actor, token in created.tokens.items():
        assert token.startswith(tokens.PREFIX)
        assert tokens.holder_of(tokens.digest(token), created.result.loaded.fields) == actor
    assert tokens.holder_of(tokens.digest("bricabrac_guess"), created.result.loaded.fields) is None


def test_the_same_request_again_shows_the_same_match_and_tokens(one: Play) -> None:
    first = create(one, KEY)
    for play in (one, Play(one.journal)):
        again = create(play, KEY)
        assert again.result.replayed
        assert again.tokens == first.tokens
        assert again.result.loaded.id == first.result.loaded.id
    assert len(one.journal.read(first.result.loaded.id, 0)) == 1


def test_whoever_sits_down_gets_a_token_and_gets_it_again(one: Play) -> None:
    match = create(one, Caller(), ALL_OPEN).result.loaded.id
    first = sit(one, match, KEY)
    assert first.tokens.keys() == {"seat:0"}
    for play in (one, Play(one.journal)):
        assert sit(play, match, KEY).tokens == first.tokens
        assert tokens.holder_of(tokens.digest(first.tokens["seat:0"]), play.load(match).fields) == "seat:0"
    assert one.load(match).version == 2


def test_a_seat_that_is_taken_is_not_taken_again_nor_its_token_replaced(one: Play) -> None:
    other = Play(one.journal)
    match = create(one, Caller(), ALL_OPEN).result.loaded.id
    stale = other.load(match)
    token = sit(one, match, KEY).tokens["seat:0"]
    for play, loaded in ((one, one.load(match)), (other, stale)):
        with pytest.raises(CommandRefusedError) as refused:
            take_seat(
                play, loaded, TakeSeat(0, "Eve"), Caller("another-key-of-somebody", secret=SECRET), None
            )
        assert refused.value.rule.code == "seat_taken"
    assert tokens.holder_of(tokens.digest(token), Play(one.journal).load(match).fields) == "seat:0"


def test_a_process_learns_the_tokens_of_who_sat_down_elsewhere(one: Play) -> None:
    other = Play(one.journal)
    match = create(one, Caller(), ALL_OPEN).result.loaded.id
    other.load(match)
    token = sit(one, match, Caller()).tokens["seat:0"]
    assert tokens.holder_of(tokens.digest(token), other.load(match).fields) == "seat:0"
    assert other.peek(match).secrets == one.peek(match).secrets


def test_a_key_used_for_another_creation_or_seat_is_refused(one: Play) -> None:
    created = create(one, KEY)
    with pytest.raises(KeyReusedError):
        create(one, replace(KEY, fingerprint="another request"), creation(GAME, 3))
    assert len(one.journal.read(created.result.loaded.id, 0)) == 1
    match = create(one, Caller(), ALL_OPEN).result.loaded.id
    sit(one, match, KEY)
    with pytest.raises(KeyReusedError):
        sit(one, match, replace(KEY, fingerprint="another request"), seat=1)


def test_a_creation_repeated_after_its_answer_is_forgotten_is_refused_and_harms_nothing(
    journal: RedisJournal,
) -> None:
    created = create(Play(journal), KEY, creation(GAME, 2))
    match = created.result.loaded.id
    journal.client.delete(journal.keys.of_match(match, f"did:{KEY.command_id}"))
    for play in (Play(journal), Play(journal)):
        with pytest.raises(KeyReusedError):
            create(play, KEY, creation(GAME, 2))
        loaded = play.load(match)
        assert loaded.secrets == created.result.loaded.secrets
        for actor, token in created.tokens.items():
            assert tokens.holder_of(tokens.digest(token), loaded.fields) == actor
    by, command = choices(loaded)[0]
    assert play.do(loaded, [command], Request(by)).loaded.version == 2


def test_without_a_key_every_request_is_a_new_one(one: Play) -> None:
    tables = [create(one, Caller(fingerprint="same")) for _ in range(3)]
    assert len({table.result.loaded.id for table in tables}) == 3
    assert len({token for table in tables for token in table.tokens.values()}) == 6


def test_a_key_is_worth_nothing_to_who_sees_what_it_left_in_the_log(one: Play) -> None:
    """The log tells the command id and the match's id; from neither the tokens can be made."""
    created = create(one, KEY)
    seen = one.journal.read(created.result.loaded.id, 0)[0].record.decode()
    assert KEY.key is not None
    assert KEY.key not in seen
    assert KEY.command_id is not None
    assert KEY.command_id in seen
    for known in (KEY.command_id, created.result.loaded.id):
        guess = replace(KEY, key=known)
        assert set(create(one, guess).tokens.values()).isdisjoint(created.tokens.values())


def test_ids_are_random_without_a_key_and_the_same_with_the_same_key() -> None:
    assert KEY.match_id == replace(KEY, fingerprint="other").match_id
    assert len({Caller().match_id for _ in range(100)} | {KEY.match_id}) == 101


def test_not_even_who_knows_a_key_makes_its_ids_and_tokens_without_the_deployments_secret(one: Play) -> None:
    """So no key is found by trying: `league-7-table-12` was, in a moment, when ids were its bare hashes."""
    weak = Caller("league-7-table-12", "first request", secret=SECRET)
    elsewhere = replace(weak, secret=bytes(32))
    created = create(one, weak)
    bare = sha256(f"key/{weak.key}".encode()).hexdigest()[:32]
    assert weak.command_id not in (bare, elsewhere.command_id)
    assert weak.match_id != elsewhere.match_id
    nonce = created.result.nonce
    assert weak.token(nonce, HOST) != elsewhere.token(nonce, HOST)
    assert weak.invite_code(nonce) != elsewhere.invite_code(nonce)
    with pytest.raises(ValueError, match="secret"):
        Caller("league-7-table-12")


def test_every_match_of_every_game_has_a_seed_and_a_sealing_key_of_its_own(one: Play) -> None:
    secrets = {
        lay_table(one, game, creation(game, game.seats[0]), seed=None).secrets
        for game in games().values()
        for _ in range(10)
    }
    assert len({each.seed for each in secrets}) == 10 * len(games())
    assert len({each.sealing_key for each in secrets}) == 10 * len(games())
    assert lay(one, 2).secrets.seed == SEED


def test_a_refused_creation_leaves_nothing_behind(journal: RedisJournal) -> None:
    with pytest.raises(CommandRefusedError):
        create(Play(journal), KEY, creation(GAME, 3, options={"advanced": True}))
    assert list(journal.client.scan_iter()) == []
    assert create(Play(journal), KEY).result.loaded.version == 1


def everything_on(journal: RedisJournal) -> Iterator[bytes]:
    """Every byte of every key and value."""
    read: dict[bytes, Any] = {
        b"string": journal.client.get,
        b"hash": journal.client.hgetall,
        b"stream": journal.client.xrange,
        b"zset": lambda key: journal.client.zrange(key, 0, -1),
    }
    for key in journal.client.scan_iter():
        yield key + repr(read[journal.client.type(key)](key)).encode()


def test_no_token_and_no_key_is_anywhere_in_the_store(journal: RedisJournal) -> None:
    play = Play(journal)
    created = create(play, KEY, ALL_OPEN)
    match = created.result.loaded.id
    seated = [
        sit(play, match, Caller(f"key-of-a-player-{seat}", "x", secret=SECRET), seat) for seat in (0, 1)
    ]
    shown = [*created.tokens.values(), *(token for one in seated for token in one.tokens.values())]
    kept = b"\n".join(everything_on(journal))
    assert match.encode() in kept
    assert len(shown) == 3
    for token in shown:
        assert tokens.digest(token).encode() in kept
        secret = token.removeprefix(tokens.PREFIX)
        assert not any(secret[start : start + 12].encode() in kept for start in range(len(secret) - 11))
    assert not any(key.encode() in kept for key in (KEY.key or "", "key-of-a-player-0", "key-of-a-player-1"))
