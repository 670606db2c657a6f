"""A commit as anybody can check it: what is hashed, what is sealed, and what each viewer gets of it."""

import hmac
import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import pytest
import rfc8785
from hypothesis import given

from domain.fields import secret
from domain.game import Viewer
from domain.stored import stored
from service.log.record import Draft, Entry, put, seal
from tests.service.log.values import values

KEY = bytes(range(32))
given_values = values.filter(lambda value: value is not None)


@stored("place_card")
@dataclass(frozen=True, slots=True)
class PlaceCard:
    place: int
    card: Any = secret()
    wish: str | None = None


@stored("card_placed")
@dataclass(frozen=True, slots=True)
class CardPlaced:
    seat: int
    place: int
    card: Any = secret()


@stored("card_passed")
@dataclass(frozen=True, slots=True)
class CardPassed:
    seats: tuple[int, ...]
    count: int
    cards: tuple[Any, ...] = secret("seats")


@stored("bell_rung")
@dataclass(frozen=True, slots=True)
class BellRung:
    times: int


COMMAND, PLACED, PASSED = "/command/card", "/events/0/card", "/events/2/cards"


def drafted(version: int, card: Any, previous: str = "0" * 64) -> Draft:
    events = (CardPlaced(1, 4, card), BellRung(2), CardPassed((0, 2), 2, (card, "QUEEN")))
    moment = "2026-11-30T02:03:04.123Z"
    return Draft("m_x", version, moment, "seat:1", PlaceCard(4, card), f"id{version}", events, previous)


def chain(card: Any, length: int = 3) -> list[Entry]:
    entries, previous = [], "0" * 64
    for version in range(1, length + 1):
        entry, previous = seal(drafted(version, card, previous), KEY)
        entries.append(entry)
    return entries


def line(entry: Entry, viewer: Viewer, *, revealed: bool = False) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(entry.line(viewer, {}, revealed=revealed))
    return read


@given(given_values)
def test_anybody_can_recompute_the_chain_with_rfc_8785_and_sha_256_alone(card: Any) -> None:
    previous = "0" * 64
    for version, entry in enumerate(chain(card), start=1):
        record = line(entry, 1)
        hashed = {name: value for name, value in record.items() if name not in ("hash", "opened")}
        assert record["version"] == entry.version == version
        assert record["previous"] == previous
        assert record["hash"] == sha256(rfc8785.dumps(hashed)).hexdigest()
        previous = record["hash"]


@given(given_values)
def test_a_seal_is_the_salted_hash_and_the_salt_comes_from_the_sealing_key(card: Any) -> None:
    (entry,) = chain(card, 1)
    record = line(entry, None, revealed=True)
    for pointer, value in {COMMAND: card, PLACED: card, PASSED: [card, "QUEEN"]}.items():
        salt = hmac.new(KEY, f"salt/m_x/1/{pointer}".encode(), "sha256").digest()
        assert record["opened"][pointer] == {"salt": salt.hex(), "value": value}
        assert record["sealed"][pointer] == sha256(salt + rfc8785.dumps(value)).hexdigest()
    assert record["sealed"].keys() == record["opened"].keys() == {COMMAND, PLACED, PASSED}


def test_one_value_sealed_twice_does_not_look_the_same() -> None:
    seals = [seal for entry in chain("KNAVE") for seal in entry.public()["sealed"].values()]
    assert len(set(seals)) == len(seals) == 9


VIEWERS: list[tuple[Viewer, set[str]]] = [
    (0, {PASSED}),
    (1, {COMMAND, PLACED}),
    (2, {PASSED}),
    (3, set()),
    (None, set()),
]


@pytest.mark.parametrize(("viewer", "seen"), VIEWERS)
def test_a_viewer_gets_opened_exactly_what_he_may_see(viewer: Viewer, seen: set[str]) -> None:
    for entry in chain("KNAVE"):
        record = line(entry, viewer)
        assert set(record.get("opened", {})) == seen
        assert ("KNAVE" in json.dumps(record)) is bool(seen)
        assert ("QUEEN" in json.dumps(record)) is (PASSED in seen)


def test_everybodys_copy_has_the_same_hashes_before_and_after_the_reveal() -> None:
    for entry in chain("KNAVE"):
        copies = [line(entry, viewer, revealed=r) for viewer, _ in VIEWERS for r in (False, True)]
        for copy in copies:
            copy.pop("opened", None)
            assert copy == entry.public()


def test_once_revealed_everything_is_open_to_everybody() -> None:
    for entry in chain("KNAVE"):
        for viewer, _ in VIEWERS:
            assert line(entry, viewer, revealed=True)["opened"].keys() == {COMMAND, PLACED, PASSED}


@given(given_values)
def test_the_owner_of_the_log_has_every_command_and_event_back_whole(card: Any) -> None:
    (entry,) = chain(card, 1)
    whole = entry.whole()
    assert whole["command"] == {"type": "place_card", "place": 4, "card": card}
    assert whole["events"] == [
        {"type": "card_placed", "seat": 1, "place": 4, "card": card},
        {"type": "bell_rung", "times": 2},
        {"type": "card_passed", "seats": [0, 2], "count": 2, "cards": [card, "QUEEN"]},
    ]


def test_a_secret_left_out_of_a_command_is_as_hidden_as_one_that_was_given() -> None:
    (with_card,), (without,) = chain("KNAVE", 1), chain(None, 1)
    assert without.public()["sealed"].keys() == with_card.public()["sealed"].keys()
    assert without.public()["command"] == with_card.public()["command"]
    assert without.whole()["command"].get("card") is None


def test_what_is_sealed_leaves_the_rest_of_the_record_readable() -> None:
    record = chain("KNAVE", 1)[0].public()
    assert record["command"] == {"type": "place_card", "place": 4}
    assert record["events"][0] == {"type": "card_placed", "seat": 1, "place": 4}
    assert record["events"][2] == {"type": "card_passed", "seats": [0, 2], "count": 2}
    plain = {
        "format": 2,
        "match": "m_x",
        "at": "2026-11-30T02:03:04.123Z",
        "by": "seat:1",
        "command_id": "id1",
    }
    assert plain.items() <= record.items()


def test_a_commit_without_secrets_has_nothing_sealed_or_opened() -> None:
    entry, _ = seal(Draft("m_x", 1, "", "host", BellRung(1), "id", (BellRung(2),), "0" * 64), KEY)
    assert entry.line(0, {}, revealed=True) == entry.record
    assert entry.public()["sealed"] == {}


@pytest.mark.parametrize("pointer", ["/events/7/card", "/events/x/card", "/nowhere/card", "/version/card"])
def test_an_opened_value_that_belongs_nowhere_is_not_put_anywhere(pointer: str) -> None:
    record = chain("KNAVE", 1)[0].public()
    with pytest.raises((LookupError, TypeError, ValueError)):
        put(record, pointer, "KNAVE")
    assert record == chain("KNAVE", 1)[0].public()
