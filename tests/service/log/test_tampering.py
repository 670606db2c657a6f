"""Tampering that leaves the hashes as they were: found at its version and by its reason."""

import re
from collections.abc import Callable
from copy import deepcopy
from typing import TypeAlias

import pytest

from service.log.chain import FlawError
from service.log.verify import verify
from tests.service.log.forging import Log, first_sealed, parsed, true_log, written

Tampering: TypeAlias = Callable[[Log], int]  # alters a log, and says at which version that is to be found
TAMPERINGS: list[tuple[Tampering, str]] = []
TRUE = true_log()


def found(reason: str) -> Callable[[Tampering], Tampering]:
    """A tampering that is found for a reason."""

    def register(tampering: Tampering) -> Tampering:
        TAMPERINGS.append((tampering, reason))
        return tampering

    return register


@found("header|not a log")
def header_removed(log: Log) -> int:
    del log[0]
    return 0


@found("here stands version 6 of")
def line_removed(log: Log) -> int:
    del log[5]
    return 5


@found("here stands version 6 of")
def lines_swapped(log: Log) -> int:
    log[5], log[6] = log[6], log[5]
    return 5


@found("here stands version 5 of")
def line_doubled(log: Log) -> int:
    log.insert(6, deepcopy(log[5]))
    return 6


@found("here stands version 9 of m_")
def lines_of_another_match(log: Log) -> int:
    log[9:] = parsed(true_log(4, 1))[9:]
    return 9


@found("here stands version 1 of m_")
def another_match_in_the_header(log: Log) -> int:
    log[0]["match"] = "m_other"
    return 1


@found("the header's edition")
def another_edition_in_the_header(log: Log) -> int:
    tile = log[0]["edition"]["components"]["tiles"][0]
    tile["color"] = "blue" if tile["color"] == "red" else "red"
    return 0


@found("the header's edition")
def another_edition_name_in_the_header(log: Log) -> int:
    log[0]["edition"]["name"] = "deluxe"
    return 0


@found("chess")
def unknown_game_in_the_header(log: Log) -> int:
    log[0]["game"] = "chess"
    return 0


@found("header|note")
def unknown_field_of_the_header(log: Log) -> int:
    log[0]["note"] = "x"
    return 0


@found("hash is not that of the record")
def event_altered(log: Log) -> int:
    log[7]["events"][0]["seat"] ^= 1
    return 7


@found("hash is not that of the record|note")
def unknown_field_added(log: Log) -> int:
    log[4]["note"] = "x"
    return 4


@found("previous is not the hash of the commit before")
def hash_altered(log: Log) -> int:
    log[4]["previous"] = "f" * 64
    return 4


@found("hash")
def hash_removed(log: Log) -> int:
    del log[4]["hash"]
    return 4


@found("what is opened at /events/./tiles is not what was sealed")
def secret_altered(log: Log) -> int:
    record, pointer = first_sealed(log)
    record["opened"][pointer]["value"] = [1, 2, 3]
    return int(record["version"])


@found("what is opened at /events/./tiles is not what was sealed")
def salt_altered(log: Log) -> int:
    record, pointer = first_sealed(log)
    record["opened"][pointer]["salt"] = "00" * 32
    return int(record["version"])


@found("/events/./tiles is still sealed though the sealing key is revealed")
def secret_kept(log: Log) -> int:
    record, pointer = first_sealed(log)
    del record["opened"][pointer]
    if not record["opened"]:
        del record["opened"]
    return int(record["version"])


@found("what is opened at /events/0/seats is not what was sealed")
def something_opened_that_was_never_sealed(log: Log) -> int:
    log[1]["opened"] = {"/events/0/seats": {"salt": "00" * 32, "value": []}}
    return 1


@found("note")
def unknown_field_of_an_opened_secret(log: Log) -> int:
    record, pointer = first_sealed(log)
    record["opened"][pointer]["note"] = "x"
    return int(record["version"])


@pytest.mark.parametrize(
    ("tampering", "reason"), TAMPERINGS, ids=[tampering.__name__ for tampering, _ in TAMPERINGS]
)
def test_a_log_that_was_tampered_with_is_found_out_where_it_was(tampering: Tampering, reason: str) -> None:
    log = parsed(TRUE)
    version = tampering(log)
    with pytest.raises(FlawError) as flaw:
        verify(written(log))
    assert (flaw.value.version, str(flaw.value)) == (version, f"version {version}: {flaw.value.reason}")
    assert re.search(reason, flaw.value.reason), flaw.value.reason


@pytest.mark.parametrize("nothing", [[], [b""], [b"\n", b"\n"], [b"{}"], TRUE.splitlines()[:1]])
def test_a_file_without_a_header_and_a_commit_is_no_log(nothing: list[bytes]) -> None:
    with pytest.raises(FlawError) as flaw:
        verify(nothing)
    assert flaw.value.version == 0


def test_the_edition_of_a_match_under_way_is_held_to_its_hash_too() -> None:
    log = parsed(TRUE)[:9]
    assert not verify(written(log)).complete
    another_edition_in_the_header(log)
    with pytest.raises(FlawError, match="the header's edition"):
        verify(written(log))
