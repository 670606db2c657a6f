"""The seed of a match: who can have chosen its draws, when it is shown, and that one seed draws one match."""

import hmac
import random
from hashlib import sha256
from typing import Any

import pytest

from domain.errors import RuleBroken
from domain.match.commands import ReleaseSeed, TakeSeat
from domain.match.rules import HOST
from service.log.export import lines
from service.log.verify import verify
from service.matches.aggregate import Aggregate
from service.matches.play import Play
from service.matches.requests import CommandRefusedError, Request
from service.store.memory_journal import MemoryJournal
from tests.service.log.tables import SEED, finished, lay


@pytest.fixture
def play() -> Play:
    return Play(MemoryJournal())


def shuffled(seed: bytes, occasion: str, things: list[Any]) -> list[Any]:
    """As the public page on chance says, with nothing of ours."""
    return sorted(things, key=lambda thing: hmac.digest(seed, f"{occasion}/{thing}".encode(), "sha256"))


def laid_with_entropy(play: Play, *entropies: str | None) -> Aggregate:
    loaded = lay(play, len(entropies), vacant=len(entropies))
    for seat, entropy in reversed(list(enumerate(entropies))):
        loaded = play.do(loaded, [TakeSeat(seat, f"Player {seat}", entropy)], Request(f"seat:{seat}")).loaded
    return loaded


def draws(loaded: Aggregate) -> tuple[Any, ...]:
    position = loaded.state.position
    return position.outdoors, position.curiosities, position.wonder, position.landscape


def whole_log(play: Play, loaded: Aggregate) -> list[bytes]:
    return list(lines(loaded.id, loaded.state, play.journal.read(loaded.id, 0), None, loaded.names))


def test_two_matches_with_one_seed_draw_the_same_things(play: Play) -> None:
    tables = [lay(play, 2), lay(play, 2), lay(Play(MemoryJournal()), 2)]
    assert len({loaded.id for loaded in tables}) == 3
    assert len({draws(loaded) for loaded in tables}) == 1
    assert draws(lay(play, 2, seed=bytes(32))) != draws(tables[0])


def test_one_seed_is_drawn_from_in_the_same_order_whatever_players_do(play: Play) -> None:
    cards = []
    for whim in range(5):
        loaded = finished(play, lay(play, 1), random.Random(whim))
        cards.append(loaded.state.position.rival_cards)
    assert len(set(cards)) == 1


def test_the_draws_are_those_of_the_seed_and_can_be_redone_by_hand(play: Play) -> None:
    loaded = lay(play, 2)
    position = loaded.state.position
    assert list(position.curiosities) == shuffled(SEED, "curiosities/0", list(position.box.curiosities))[:5]


def test_entropy_of_players_is_mixed_into_every_draw(play: Play) -> None:
    loaded = laid_with_entropy(play, "00ff", None, "abcd")
    mixed = hmac.digest(SEED, b"entropy/0=00ff,2=abcd", "sha256")
    position = loaded.state.position
    assert list(position.curiosities) == shuffled(mixed, "curiosities/0", list(position.box.curiosities))[:5]
    others = [("00fe", None, "abcd"), ("00ff", "00", "abcd"), ("abcd", None, "00ff"), (None, None, None)]
    all_draws = [draws(loaded), *(draws(laid_with_entropy(play, *entropies)) for entropies in others)]
    assert len(set(all_draws)) == 5


def test_entropy_is_recorded_and_proved_with_the_rest(play: Play) -> None:
    loaded = finished(play, laid_with_entropy(play, "00ff", "abcd"), random.Random(1))
    taken = [entry.public()["events"][0] for entry in play.journal.read(loaded.id, 1, 3)]
    assert [(event["seat"], event["entropy"]) for event in taken] == [(1, "abcd"), (0, "00ff")]
    released = play.do(loaded, [ReleaseSeed()], Request(HOST)).loaded
    assert verify(whole_log(play, released)).complete


def test_the_servers_seed_is_committed_to_at_first_and_revealed_with_the_score(play: Play) -> None:
    loaded = lay(play, 2, seed=None)
    seed = play.journal.head(loaded.id).fields["seed"]
    created = play.journal.read(loaded.id, 0, 1)[0].public()["events"][0]
    key = play.journal.head(loaded.id).fields["sealing_key"]
    assert created["seed_by"] == "server"
    assert created["sealing_commitment"] == sha256(bytes.fromhex(key)).hexdigest()
    assert created["seed_commitment"] == sha256(bytes.fromhex(key + seed)).hexdigest()
    assert seed.encode() not in b"".join(whole_log(play, loaded))
    assert key.encode() not in b"".join(whole_log(play, loaded))
    done = finished(play, loaded, random.Random(1))
    assert (done.state.seed, done.state.sealing_key) == (seed, key)
    assert seed.encode() in whole_log(play, done)[-1]
    assert key.encode() in whole_log(play, done)[-1]
    assert verify(whole_log(play, done)).complete


def test_a_revealed_seed_is_kept_nowhere_but_in_the_log(play: Play) -> None:
    other = Play(play.journal)
    done = finished(play, lay(play, 2, seed=None), random.Random(1))
    for loaded in (done, play.load(done.id), other.load(done.id), Play(play.journal).load(done.id)):
        assert not {"seed", "sealing_key"} & play.journal.head(done.id).fields.keys()
        assert loaded.secrets.seed.hex() == done.state.seed


def test_a_creators_seed_is_shown_to_nobody_until_he_releases_it(play: Play) -> None:
    done = finished(play, lay(play, 2), random.Random(1))
    assert done.state.status == "finished"
    assert done.state.seed is None
    key = done.secrets.sealing_key.hex()
    for secret in (SEED.hex(), key):
        assert secret.encode() not in b"".join(whole_log(play, done))
    assert not verify(whole_log(play, done)).complete
    released = play.do(done, [ReleaseSeed()], Request(HOST)).loaded
    assert (released.state.seed, released.state.sealing_key) == (SEED.hex(), key)
    assert not {"seed", "sealing_key"} & play.journal.head(done.id).fields.keys()
    assert verify(whole_log(play, released)).complete


def refusal(play: Play, loaded: Aggregate, by: str) -> RuleBroken:
    with pytest.raises(CommandRefusedError) as refused:
        play.do(loaded, [ReleaseSeed()], Request(by))
    return refused.value.rule


def test_only_the_host_releases_a_seed_after_the_score_and_once(play: Play) -> None:
    loaded = lay(play, 2)
    assert refusal(play, loaded, HOST).code == "not_finished"
    done = finished(play, loaded, random.Random(1))
    for by in ("seat:0", "seat:1", "referee", ""):
        assert refusal(play, done, by).code == "host_only"
    released = play.do(done, [ReleaseSeed()], Request(HOST)).loaded
    assert refusal(play, released, HOST).code == "seed_revealed"
    by_server = finished(play, lay(play, 2, seed=None), random.Random(1))
    assert refusal(play, by_server, HOST).code == "seed_revealed"


def test_matches_of_the_server_have_seeds_of_their_own(play: Play) -> None:
    seeds = {play.journal.head(lay(play, 2, seed=None).id).fields["seed"] for _ in range(50)}
    assert len(seeds) == 50
    assert {len(seed) for seed in seeds} == {64}
