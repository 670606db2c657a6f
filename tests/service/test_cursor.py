"""Cursors of the feed: what is written is read, and nothing else is."""

import zlib
from base64 import urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.cursor import HEAD, KEPT_MS, CursorExpiredError, read, written

NOW = 1_796_000_000_000
PLACES = st.lists(
    st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1)).map(lambda place: b"%d-%d" % place),
    min_size=4,
    max_size=4,
).map(tuple)


@given(PLACES)
def test_a_cursor_leads_to_its_place_for_an_hour(places: tuple[bytes, ...]) -> None:
    cursor = written(places, NOW)
    assert read(cursor, 4, NOW + KEPT_MS) == places
    with pytest.raises(CursorExpiredError):
        read(cursor, 4, NOW + KEPT_MS + 1)


@given(st.text(max_size=300))
def test_a_word_that_is_no_cursor_is_refused_as_such(word: str) -> None:
    with pytest.raises(ValueError):
        read(word, 4, NOW)


def packed(content: bytes) -> str:
    return urlsafe_b64encode(zlib.compress(content)).decode().rstrip("=")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        HEAD.pack(1, NOW),
        HEAD.pack(1, NOW) + bytes(63),
        HEAD.pack(1, NOW) + bytes(65),
        HEAD.pack(2, NOW) + bytes(64),
        HEAD.pack(1, NOW) + bytes(10_000_000),
    ],
)
def test_a_cursor_of_another_service_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError):
        read(packed(content), 4, NOW)


def test_a_cursor_that_was_cut_short_is_refused() -> None:
    whole = written((b"1-2", b"3-4", b"5-6", b"7-8"), NOW)
    for length in range(len(whole)):
        with pytest.raises(ValueError):
            read(whole[:length], 4, NOW)
