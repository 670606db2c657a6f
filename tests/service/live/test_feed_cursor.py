"""Cursors of the feed: what is written is read, nothing else is, and nobody reads in them."""

from base64 import b64decode, urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.http.openapi.queries import FeedQuery
from service.live.feed_cursor import DAY_MS, KEPT_MS, LAST, CursorExpiredError, read, written

NOW = 1_796_000_000_000
SECRET = bytes(range(32))
NUMBERS = st.integers(0, 2**32 - 2) | st.just(LAST)
PLACES = st.lists(
    st.tuples(st.integers(0, 2**48 - 1), NUMBERS).map(lambda place: b"%d-%d" % place), min_size=4, max_size=4
).map(tuple)


@given(PLACES)
def test_a_cursor_leads_to_its_place_for_an_hour(places: tuple[bytes, ...]) -> None:
    cursor = written(places, NOW, SECRET)
    assert read(cursor, 4, NOW + KEPT_MS, SECRET) == places
    with pytest.raises(CursorExpiredError):
        read(cursor, 4, NOW + KEPT_MS + 1, SECRET)


def test_a_cursor_made_before_midnight_leads_somewhere_after_it() -> None:
    midnight, places = NOW // DAY_MS * DAY_MS, (b"1-2",) * 4
    assert read(written(places, midnight - 1, SECRET), 4, midnight + KEPT_MS - 1, SECRET) == places


@given(st.text(max_size=300))
def test_a_word_that_is_no_cursor_is_refused_as_such(word: str) -> None:
    with pytest.raises(ValueError):
        read(word, 4, NOW, SECRET)


@given(at=st.integers(0, 10**6), bit=st.integers(0, 7))
def test_a_cursor_with_one_bit_changed_is_none(at: int, bit: int) -> None:
    raw = bytearray(opened(written((b"1-2",) * 4, NOW, SECRET)))
    raw[at % len(raw)] ^= 1 << bit
    with pytest.raises(ValueError):
        read(urlsafe_b64encode(raw).decode().rstrip("="), 4, NOW, SECRET)


def test_a_cursor_of_another_deployment_or_of_other_partitions_is_none() -> None:
    cursor = written((b"1-2",) * 4, NOW, SECRET)
    for partitions, secret in ((4, bytes(32)), (3, SECRET), (5, SECRET)):
        with pytest.raises(ValueError):
            read(cursor, partitions, NOW, secret)


def test_a_cursor_that_was_cut_short_is_refused() -> None:
    whole = written((b"1-2", b"3-4", b"5-6", b"7-8"), NOW, SECRET)
    for length in range(len(whole)):
        with pytest.raises(ValueError):
            read(whole[:length], 4, NOW, SECRET)


def test_two_cursors_of_one_place_have_nothing_in_common_but_when_they_were_made() -> None:
    one, other = (opened(written((b"1-2",) * 64, NOW, SECRET)) for _ in range(2))
    same = sum(mine == yours for mine, yours in zip(one[7:], other[7:], strict=True))
    assert one[:7] == other[:7]
    assert same < 40, "of 668 bytes as many are equal as chance will have it"


@pytest.mark.parametrize("place", [b"0-0", b"1796000000000-7", b"%d-%d" % (2**48 - 1, LAST)])
def test_a_cursor_is_as_long_wherever_it_leads_and_fits_into_a_query_at_512_partitions(place: bytes) -> None:
    cursor = written((place,) * 512, NOW, SECRET)
    assert len(cursor) == len(written((b"0-0",) * 512, NOW, SECRET))
    assert FeedQuery().load({"cursor": cursor})["cursor"] == cursor


def opened(cursor: str) -> bytes:
    return b64decode(cursor + "=" * (-len(cursor) % 4), b"-_")
