"""Forgeries with every hash, seal and commitment made good: found by deciding every command again."""

import re
from collections.abc import Callable
from hashlib import sha256
from typing import TypeAlias

import pytest

from service.log.chain import FlawError
from service.log.record import salt_of
from service.log.verify import verify
from tests.service.log.forging import Log, first_sealed, parsed, rechain, resalt, reseal, true_log, written

Forgery: TypeAlias = Callable[[Log], int]  # alters a log, and says at which version that is to be found
FORGERIES: list[tuple[Forgery, str]] = []
OTHER_SEED, OTHER_KEY = bytes(range(32)), bytes(range(32, 64))
TRUE = true_log()
AGAIN = "; decided again it is "
REFUSED = "the command cannot be decided again: "


def found(reason: str) -> Callable[[Forgery], Forgery]:
    """A forgery that is found for a reason."""

    def register(forgery: Forgery) -> Forgery:
        FORGERIES.append((forgery, reason))
        return forgery

    return register


@found('event 0 is .*"column_chosen".*' + AGAIN)
def event_altered(log: Log) -> int:
    version = next(n for n, record in enumerate(log) if n and record["command"]["type"] == "choose_column")
    log[version]["events"][0]["column"] ^= 1
    return version


@found("event . is nothing" + AGAIN)
def event_removed(log: Log) -> int:
    log[1]["events"].pop()
    return 1


@found("event . is .*bag_refilled.*" + AGAIN + "nothing")
def event_added(log: Log) -> int:
    log[8]["events"].append({"type": "bag_refilled"})
    return 8


@found('event 0 is .*"match_scored"|event 0 is .*"ranking"')
def score_altered(log: Log) -> int:
    log[-2]["events"][0]["winners"] = [0, 1, 2, 3]
    return len(log) - 2


@found(REFUSED + "You cannot take tile 998")
def command_altered(log: Log) -> int:
    version = next(n for n, record in enumerate(log) if n and record["command"]["type"] == "take_tile")
    log[version]["command"]["tile"] = 998
    return version


@found(REFUSED + "'polish_tile' version 1 is not known")
def command_unknown(log: Log) -> int:
    log[7]["command"]["type"] = "polish_tile"
    return 7


@found(REFUSED + "The match waits for seat:")
def command_by_another_seat(log: Log) -> int:
    log[7]["by"] = "seat:1" if log[7]["by"] == "seat:0" else "seat:0"
    return 7


@found(REFUSED)
def score_written_by_a_seat(log: Log) -> int:
    log[-2]["by"] = "seat:0"
    return len(log) - 2


@found(REFUSED + "Only the host can")
def seed_released_by_a_seat(log: Log) -> int:
    log[-1]["by"] = "seat:0"
    return len(log) - 1


@found("not of the game and edition that it was asked for")
def another_game_than_was_asked_for(log: Log) -> int:
    log[1]["events"][0]["game"] = "chess"
    return 1


@found("the first commit creates no match: ")
def seat_of_a_kind_that_is_none(log: Log) -> int:
    log[1]["events"][0]["seats"][0]["kind"] = "ghost"
    return 1


@found("the first commit creates no match: ")
def first_command_that_creates_nothing(log: Log) -> int:
    log[1]["command"]["type"] = "start_match"
    return 1


@found(REFUSED)
def match_created_by_a_seat(log: Log) -> int:
    log[1]["by"] = "seat:0"
    return 1


@found("event . is .*" + AGAIN)
def secret_altered(log: Log) -> int:
    record, pointer = first_sealed(log)
    reseal(record, pointer, record["opened"][pointer]["salt"], [1, 2, 3])
    return int(record["version"])


@found("sealed|hid")
def secret_told_to_all(log: Log) -> int:
    record, pointer = first_sealed(log)
    _, _, index, name = pointer.split("/")
    record["events"][int(index)][name] = record.pop("opened")[pointer]["value"]
    record["sealed"] = {}
    return int(record["version"])


@found("sealed|hid")
def public_field_sealed(log: Log) -> int:
    version = next(n for n, record in enumerate(log) if n and record["command"]["type"] == "choose_column")
    record, pointer = log[version], "/events/0/seat"
    key = bytes.fromhex(log[-1]["events"][0]["sealing_key"])
    salt = salt_of(key, record["match"], version, pointer)
    record.setdefault("opened", {})
    reseal(record, pointer, salt, record["events"][0].pop("seat"))
    return version


@found("the salt of /events/./tiles does not come from the sealing key")
def salt_chosen(log: Log) -> int:
    record, pointer = first_sealed(log)
    reseal(record, pointer, "00" * 32, record["opened"][pointer]["value"])
    return int(record["version"])


@found("the revealed seed is not the one that was committed to")
def another_seed(log: Log) -> int:
    log[-1]["events"][0]["seed"] = OTHER_SEED.hex()
    return 1


@found("the revealed sealing key is not the one that was committed to")
def another_sealing_key(log: Log) -> int:
    log[-1]["events"][0]["sealing_key"] = OTHER_KEY.hex()
    return 1


@found("the salt of /events/./tiles does not come from the sealing key")
def another_sealing_key_with_both_commitments(log: Log) -> int:
    _commit_to(log, bytes.fromhex(log[-1]["events"][0]["seed"]), OTHER_KEY)
    record, _ = first_sealed(log)
    return int(record["version"])


@found("event . is .*" + AGAIN)
def another_seed_with_its_commitment(log: Log) -> int:
    _commit_to(log, OTHER_SEED, bytes.fromhex(log[-1]["events"][0]["sealing_key"]))
    return 1


@found("event . is .*" + AGAIN)
def other_secrets_with_their_commitments_salts_and_seals(log: Log) -> int:
    _commit_to(log, OTHER_SEED, OTHER_KEY)
    resalt(log, OTHER_KEY)
    return 1


def _commit_to(log: Log, seed: bytes, key: bytes) -> None:
    log[-1]["events"][0] |= {"seed": seed.hex(), "sealing_key": key.hex()}
    log[1]["events"][0]["seed_commitment"] = sha256(key + seed).hexdigest()
    log[1]["events"][0]["sealing_commitment"] = sha256(key).hexdigest()


@found("event 0 is .*")
def another_chooser_of_the_seed(log: Log) -> int:
    log[1]["events"][0]["seed_by"] = "server"
    return len(log) - 2  # its score would have revealed it


@found("note|fields that its type does not have")
def unknown_field_of_a_commit(log: Log) -> int:
    log[4]["note"] = "x"
    return 4


@found("event 0 is .*note.*" + AGAIN)
def unknown_field_of_an_event(log: Log) -> int:
    log[4]["events"][0]["note"] = "x"
    return 4


@found("the command has fields that its type does not have")
def unknown_field_of_a_command(log: Log) -> int:
    log[4]["command"]["note"] = "x"
    return 4


@found("here stands version 4|format|not a record")
def another_format(log: Log) -> int:
    log[4]["format"] = 1
    return 4


@pytest.mark.parametrize(("forgery", "reason"), FORGERIES, ids=[forgery.__name__ for forgery, _ in FORGERIES])
def test_a_forged_log_is_found_out_where_it_was_forged(forgery: Forgery, reason: str) -> None:
    log = parsed(TRUE)
    version = forgery(log)
    rechain(log)
    with pytest.raises(FlawError) as flaw:
        verify(written(log))
    assert flaw.value.version == version
    assert re.search(reason, flaw.value.reason), flaw.value.reason


def test_a_log_written_again_without_a_change_is_still_proved() -> None:
    log = parsed(TRUE)
    rechain(log)
    assert b"".join(written(log)) == TRUE
    assert verify(written(log)).complete
