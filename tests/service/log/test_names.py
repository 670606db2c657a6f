"""A player's name is sealed under a key of its own: open to who may see the match, until it is forgotten."""

import hmac
import random
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from hashlib import sha256
from typing import Any, get_args, get_type_hints

import orjson
import pytest
import rfc8785

from domain.fields import personal_fields
from domain.games import games
from domain.match.commands import MATCH_COMMANDS, CreateMatch, LeaveSeat, Seat, TakeSeat
from domain.match.events import MATCH_EVENTS
from domain.match.names import named, names_in
from service.log.export import lines
from service.log.names import FIELD, FORGOTTEN, MOST
from service.log.verify import verify
from service.matches.aggregate import Aggregate, restore, snapshot
from service.matches.joining import Caller, create_match
from service.matches.play import Play
from service.matches.requests import Request
from service.matches.views import commits, match_document
from service.store.memory_journal import MemoryJournal
from tests.service.log.forging import parsed, rechain, written
from tests.service.log.goings import log_of
from tests.service.log.restless import restless
from tests.service.log.tables import finished, move

ADA, BEN, ZOE = "Ada Lovelace", "Ben Ünïcode 🎲", "Zoë"
VIEWERS = (None, 0, 1)


@pytest.fixture
def play() -> Play:
    return Play(MemoryJournal())


def lay(play: Play, *names: str | None, private: bool = False) -> Aggregate:
    seats = tuple(Seat("human", name) for name in names)
    command = CreateMatch("whatnot", "core", {}, seats, private)
    return create_match(play, games()["whatnot"], command, Caller(), None).loaded


def took(play: Play, loaded: Aggregate, seat: int, name: str) -> Aggregate:
    return play.do(loaded, [TakeSeat(seat, name)], Request(f"seat:{seat}")).loaded


def left(play: Play, loaded: Aggregate, seat: int) -> Aggregate:
    return play.do(loaded, [LeaveSeat(seat)], Request(f"seat:{seat}")).loaded


def forget(play: Play, match: str, *handles: str) -> None:
    """By hand, as whoever runs the service would: nothing but the head changes."""
    journal = play.journal
    assert isinstance(journal, MemoryJournal)
    head = journal.head(match)
    kept = {name: value for name, value in head.fields.items() if name.removeprefix(FIELD) not in handles}
    assert len(head.fields) - len(kept) == len(handles)
    journal._heads[match] = type(head)(head.version, head.hash, kept)


def shown(loaded: Aggregate) -> list[str | None]:
    return [seat["name"] for seat in match_document(loaded, None)["seats"]]


def exported(play: Play, loaded: Aggregate) -> list[bytes]:
    return log_of(play, loaded)


def opened_in(log: Iterable[bytes]) -> set[tuple[str, str]]:
    records = parsed(b"".join(log))[1:]
    return {
        (pointer, opened["value"])
        for record in records
        for pointer, opened in record.get("opened", {}).items()
        if pointer.endswith("/name")
    }


def test_no_record_of_a_log_has_a_name_in_it_whatever_happens(play: Play) -> None:
    seats = tuple(Seat("human", "Player 1") for _ in range(4))
    command = CreateMatch("whatnot", "core", {}, seats, private=True)
    met = set[str]()
    for whim in range(4):
        loaded = create_match(play, games()["whatnot"], command, Caller(), None).loaded
        *_, loaded = restless(play, loaded, random.Random(whim))
        for entry in play.journal.read(loaded.id, 0, count=10**4):
            assert b"Player 1" not in entry.record + entry.secrets
            assert b"Another" not in entry.record + entry.secrets
            met |= {event["type"] for event in entry.public()["events"]}
    assert met >= {"match_created", "seat_taken", "seat_left", "bot_seated", "match_scored"}


def classes(kind: Any) -> Iterable[Any]:
    """A class, and those of its fields."""
    if is_dataclass(kind):
        yield kind
        for hint in get_type_hints(kind).values():
            yield from classes(hint)
    for part in get_args(kind):
        yield from classes(part)


def test_every_field_with_a_players_name_is_one_that_is_sealed() -> None:
    """A new command or event with a name in it has to be told in `domain.match.names`."""
    holders = {kind for top in (*MATCH_COMMANDS, *MATCH_EVENTS) for kind in classes(top)}
    with_names = {kind for kind in holders if "name" in {each.name for each in fields(kind)}}
    personal = {kind.__name__ for kind in holders if personal_fields(kind)}
    assert personal == {"Seat", "TakeSeat", "SeatTaken"}
    assert {kind.__name__ for kind in with_names} - personal == {"Part"}  # of a score
    command = CreateMatch("g", "e", {}, (Seat("human", "A"), Seat("bot", "random"), Seat("human")))
    assert (named(command), names_in(command)) == ({"/seats/0/name": 0}, {0: "A"})


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_name_is_open_to_everybody_who_may_see_the_match_live_and_later(play: Play, viewer: Any) -> None:
    loaded = took(play, lay(play, ADA, None), 1, BEN)
    wanted = {
        ("/command/seats/0/name", ADA),
        ("/events/0/seats/0/name", ADA),
        ("/command/name", BEN),
        ("/events/0/name", BEN),
    }
    for stage in range(2):
        entries = play.journal.read(loaded.id, 0, count=10**4)
        live = orjson.loads(orjson.dumps(commits(entries, loaded, viewer)))
        assert opened_in(written([{}, *live])) == wanted
        assert [seat["name"] for seat in match_document(loaded, viewer)["seats"]] == [ADA, BEN]
        assert [seat["name"] for seat in match_document(play.at(loaded.id, 1), viewer)["seats"]] == [
            ADA,
            None,
        ]
        loaded = finished(play, loaded, random.Random(1)) if stage == 0 else loaded


def test_each_name_has_a_key_of_its_own_that_the_revealed_secrets_do_not_give(play: Play) -> None:
    loaded = took(play, lay(play, ADA, None), 1, BEN)
    keys = {handle: name.key for handle, name in loaded.names.items()}
    assert (keys.keys(), len({*keys.values()})) == ({"1:0", "2:1"}, 2)
    done = finished(play, loaded, random.Random(1))
    secrets = [bytes.fromhex(done.state.seed or ""), bytes.fromhex(done.state.sealing_key or "")]
    assert keys == {handle: name.key for handle, name in done.names.items()}
    record = parsed(b"".join(exported(play, done)))[1]
    pointer = "/command/seats/0/name"
    message = f"salt/{done.id}/1/{pointer}".encode()
    assert record["opened"][pointer]["salt"] == hmac.digest(keys["1:0"], message, "sha256").hex()
    forget(play, done.id, "1:0")
    forgotten = parsed(b"".join(exported(play, play.load(done.id))))[1]
    assert forgotten["sealed"] == record["sealed"]
    assert "opened" not in forgotten
    for key in (*secrets, keys["2:1"], secrets[0] + secrets[1], b""):
        for salt in (hmac.digest(key, message, "sha256"), key, sha256(key).digest()):
            assert sha256(salt + rfc8785.dumps(ADA)).hexdigest() not in forgotten["sealed"].values()
    salt = hmac.digest(keys["1:0"], message, "sha256")
    assert sha256(salt + rfc8785.dumps(ADA)).hexdigest() == forgotten["sealed"][pointer]


def test_a_forgotten_name_is_nowhere_any_more_and_the_chain_is_the_same(play: Play) -> None:
    loaded = took(play, lay(play, ADA, None), 1, BEN)
    for _ in range(3):
        loaded = move(play, loaded).loaded
    watching, before = Play(play.journal), exported(play, loaded)
    assert shown(watching.load(loaded.id)) == [ADA, BEN]
    forget(play, loaded.id, "1:0")
    for process in (watching, play, Play(play.journal)):
        now = process.load(loaded.id)
        assert (now.version, now.hash, shown(now)) == (loaded.version, loaded.hash, [FORGOTTEN, BEN])
        assert shown(process.at(loaded.id, 1)) == [FORGOTTEN, None]
        after = exported(process, now)
        assert ADA.encode() not in b"".join(after)
        assert [parsed(line)[0].get("hash") for line in after] == [
            parsed(line)[0].get("hash") for line in before
        ]
        assert not verify(after).complete
        assert ADA not in repr(now)
        assert ADA.encode() not in snapshot(now)


def test_a_match_goes_on_and_is_proved_though_all_its_names_are_forgotten(play: Play) -> None:
    loaded = took(play, lay(play, ADA, None), 1, BEN)
    forget(play, loaded.id, "1:0", "2:1")
    done = finished(play, play.load(loaded.id), random.Random(1))
    log = exported(play, done)
    assert opened_in(log) == set()
    assert verify(log).complete
    assert (shown(done), {*done.names}) == ([FORGOTTEN, FORGOTTEN], set())
    assert not [name for name in play.journal.head(done.id).fields if name.startswith(FIELD)]


def test_a_process_that_remembers_longer_does_not_bring_a_forgotten_name_back(play: Play) -> None:
    loaded = took(play, lay(play, ADA, None, None), 1, BEN)
    forget(play, loaded.id, "1:0")
    assert shown(play.peek(loaded.id)) == [ADA, BEN, None], "it has not looked again yet"
    took(play, play.peek(loaded.id), 2, ZOE)
    assert [name for name in play.journal.head(loaded.id).fields if name.startswith(FIELD)] == [
        "name:2:1",
        "name:3:2",
    ]
    assert shown(play.load(loaded.id)) == [FORGOTTEN, BEN, ZOE]


def test_a_snapshot_shows_the_names_that_are_remembered_when_it_is_read(play: Play) -> None:
    loaded = took(play, lay(play, ADA, None), 1, BEN)
    kept = snapshot(loaded)
    assert ADA.encode() not in kept
    assert BEN.encode() not in kept
    restored = restore(loaded.id, kept, loaded.fields)
    assert restored is not None
    assert (restored.state, shown(restored)) == (loaded.state, [ADA, BEN])
    forget(play, loaded.id, "2:1")
    again = restore(loaded.id, kept, play.journal.head(loaded.id).fields)
    assert again is not None
    assert shown(again) == [ADA, FORGOTTEN]


def test_whoever_was_there_before_keeps_his_name_in_the_log(play: Play) -> None:
    loaded = took(play, left(play, took(play, lay(play, ADA, None, None), 1, BEN), 1), 1, ZOE)
    assert shown(loaded) == [ADA, ZOE, None]
    values = {value for _, value in opened_in(exported(play, loaded))}
    assert values == {ADA, BEN, ZOE}
    assert shown(play.at(loaded.id, 2)) == [ADA, BEN, None]


def test_a_name_taken_after_a_conflict_is_sealed_at_the_version_that_it_came_to(play: Play) -> None:
    stale = lay(play, None, None, None)
    other = Play(play.journal)
    took(other, other.load(stale.id), 0, ADA)
    loaded = took(play, stale, 1, BEN)
    assert (loaded.names.keys(), shown(loaded)) == ({"2:0", "3:1"}, [ADA, BEN, None])
    assert opened_in(exported(play, loaded)) >= {("/command/name", ADA), ("/command/name", BEN)}
    assert not verify(exported(play, loaded)).complete


def test_comings_and_goings_without_end_make_a_head_no_greater(play: Play) -> None:
    loaded = lay(play, ADA, None, None)
    for number in range(MOST + 20):
        loaded = left(play, took(play, loaded, 1, f"Passer-by {number}"), 1)
    loaded = took(play, loaded, 1, ZOE)
    for process in (play, Play(play.journal)):
        now = process.load(loaded.id)
        assert len(now.names) == MOST
        assert shown(now) == [ADA, ZOE, None]
        assert "Passer-by 83" in {name.text for name in now.names.values()}
        assert "Passer-by 0" not in {name.text for name in now.names.values()}
        assert not verify(exported(process, now)).complete


def test_a_name_told_otherwise_than_it_was_sealed_is_found(play: Play) -> None:
    done = finished(play, took(play, lay(play, ADA, None), 1, BEN), random.Random(1))
    truth = b"".join(exported(play, done))
    for pointer in ("/command/seats/0/name", "/events/0/seats/0/name"):
        log = parsed(truth)
        log[1]["opened"][pointer]["value"] = ZOE
        with pytest.raises(Exception, match="not what was sealed"):
            verify(written(log))


def test_a_seal_that_is_no_names_is_none_because_it_is_called_so(play: Play) -> None:
    """What is left sealed must be a name by the command or event that it stands in, not by its pointer."""
    done = finished(play, lay(play, ADA, BEN), random.Random(1))
    log = parsed(b"".join(exported(play, done)))
    log[3]["sealed"]["/command/name"] = "0" * 64
    rechain(log)
    with pytest.raises(Exception, match="version 3"):
        verify(written(log))


def test_the_export_of_a_table_has_its_names_for_whoever_reads_it(play: Play) -> None:
    loaded = lay(play, ADA, BEN, private=True)
    entries = play.journal.read(loaded.id, 0)
    copies = [list(lines(loaded.id, loaded.state, entries, viewer, loaded.names)) for viewer in VIEWERS]
    assert all(opened_in(copy) == opened_in(copies[0]) for copy in copies)
    assert orjson.loads(copies[0][1])["hash"] == loaded.hash
