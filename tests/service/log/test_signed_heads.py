"""A signed head is the word of one key on one head at one time: whatever is changed in it is found."""

from hashlib import sha256
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.clock import milliseconds
from service.log.chain import FlawError
from service.log.public_keys import PublicKey, UnknownKeyError
from service.log.signed_head import LATITUDE_MS, SignedHead, SignedHeadError, sign
from service.log.trailer import take_trailer

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = PublicKey(PRIVATE.public_key().public_bytes_raw())
AT = "2026-11-30T02:03:04.123Z"
HASHES = {version: sha256(b"%d" % version).hexdigest() for version in range(1, 10)}
UNSIGNED = SignedHead("m_" + "a" * 26, 7, HASHES[7], AT, KEY.id)
HEAD = sign(UNSIGNED, PRIVATE)
KNOWN = {KEY.id: KEY}
COMMIT = {"match": HEAD.match, "version": 7, "hash": HEAD.hash}


def test_what_is_signed_is_a_prefix_and_the_canonical_form_of_the_statement() -> None:
    statement = (
        f'{{"at":"{AT}","hash":"{HEAD.hash}","key":"{KEY.id}","match":"{HEAD.match}","version":7}}'.encode()
    )
    assert HEAD.message() == b"bricabrac signed head 1\n" + statement
    PRIVATE.public_key().verify(bytes.fromhex(HEAD.signature), HEAD.message())


def test_a_right_signature_passes_and_says_nothing_of_another_key() -> None:
    HEAD.check_signature(KNOWN)
    with pytest.raises(UnknownKeyError, match=KEY.id):
        HEAD.check_signature({})
    other = PublicKey(Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().public_bytes_raw())
    with pytest.raises(SignedHeadError, match="not that of the key"):
        HEAD.check_signature({KEY.id: other})


@pytest.mark.parametrize(
    "change",
    [
        {"match": "m_" + "b" * 26},
        {"version": 8},
        {"hash": HASHES[8]},
        {"at": "2026-11-30T02:03:04.124Z"},
        {"signature": "0" * 128},
        {"signature": HEAD.signature[:-1] + "0123456789abcdef"[int(HEAD.signature[-1], 16) - 1]},
    ],
    ids=str,
)
def test_every_member_is_covered_by_the_signature(change: dict[str, Any]) -> None:
    with pytest.raises(SignedHeadError, match="not that of the key"):
        SignedHead.read(HEAD.document() | change).check_signature(KNOWN)


def test_what_is_signed_is_nothing_else_that_the_key_might_sign() -> None:
    bare = PRIVATE.sign(HEAD.message().partition(b"\n")[2]).hex()
    with pytest.raises(SignedHeadError):
        SignedHead.read(HEAD.document() | {"signature": bare}).check_signature(KNOWN)


def test_it_is_read_as_it_is_written_and_in_no_other_form() -> None:
    document = HEAD.document()
    assert SignedHead.read(document) == HEAD
    wrong: list[Any] = [None, [], "head", {}, document | {"more": 1}]
    wrong += [{name: told for name, told in document.items() if name != left_out} for left_out in document]
    wrong += [
        document | {name: value} for name in document for value in (None, 7.0, True, [], "", "Ä", "0" * 99)
    ]
    wrong += [document | {"version": version} for version in (0, -1, "7")]
    wrong += [document | {"at": at} for at in (AT[:-1], "2026-13-30T02:03:04.123Z", AT.replace("2", "٢"))]
    wrong += [document | {"hash": HEAD.hash.upper()}, document | {"signature": HEAD.signature + "\n"}]
    for each in wrong:
        with pytest.raises(SignedHeadError):
            SignedHead.read(each)


@pytest.mark.parametrize(
    ("since", "until", "in_use"),
    [
        (0, 0, True),
        (LATITUDE_MS, None, True),
        (LATITUDE_MS + 1, None, False),
        (None, -LATITUDE_MS, True),
        (None, -LATITUDE_MS - 1, False),
    ],
)
def test_a_key_speaks_for_its_own_time_with_latitude_for_clocks(
    since: int | None, until: int | None, in_use: bool
) -> None:
    at = milliseconds(AT)
    key = PublicKey(KEY.raw, None if since is None else at + since, None if until is None else at + until)
    if in_use:
        HEAD.check_signature({KEY.id: key})
    else:
        with pytest.raises(SignedHeadError, match="not in use"):
            HEAD.check_signature({KEY.id: key})


def test_a_log_leads_on_from_a_head_unless_it_is_anothers_cut_or_rewritten() -> None:
    HEAD.check_continued(HEAD.match, HASHES)
    with pytest.raises(SignedHeadError, match="is of"):
        HEAD.check_continued("m_" + "b" * 26, HASHES)
    with pytest.raises(SignedHeadError, match="was cut"):
        HEAD.check_continued(HEAD.match, {version: HASHES[version] for version in range(1, 7)})
    with pytest.raises(SignedHeadError, match="was rewritten"):
        HEAD.check_continued(HEAD.match, HASHES | {7: HASHES[8]})


def test_a_trailer_is_the_last_line_and_of_the_commit_before_it() -> None:
    records: list[dict[str, Any]] = [COMMIT, {"signed_head": HEAD.document()}]
    assert take_trailer(records) == HEAD
    assert records == [COMMIT]
    assert take_trailer(records) is None
    assert take_trailer([]) is None


@pytest.mark.parametrize(
    "records",
    [
        [COMMIT, {"signed_head": HEAD.document(), "more": 1}],
        [COMMIT, {"signed_head": None}],
        [COMMIT | {"hash": HASHES[6]}, {"signed_head": HEAD.document()}],
        [COMMIT | {"version": 6}, {"signed_head": HEAD.document()}],
        [COMMIT | {"match": "m_" + "b" * 26}, {"signed_head": HEAD.document()}],
        [{}, {"signed_head": HEAD.document()}],
        [{"signed_head": HEAD.document()}, {"signed_head": HEAD.document()}],
    ],
)
def test_a_trailer_that_does_not_fit_is_refused(records: list[dict[str, Any]]) -> None:
    with pytest.raises(FlawError):
        take_trailer(records)
