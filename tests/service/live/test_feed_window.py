"""The window on the feed: a follower goes on from a place in it, and never over a gap."""

from service.live.feed_window import FeedWindow, Pointer, moved

START = (b"5-0", b"7-0")


def pointer(partition: int, ms: int, number: int = 0) -> Pointer:
    return Pointer(partition, b"%d-%d" % (ms, number), f"m_{partition}", ms, "*")


def test_without_a_reader_nobody_joins() -> None:
    latest = FeedWindow()
    assert latest.join(START) is None
    latest.begin(START)
    assert latest.join(START) is not None
    latest.lose()
    assert latest.join(START) is None


def test_a_place_in_the_window_or_ahead_of_it_can_be_gone_on_from_and_one_before_it_cannot() -> None:
    latest = FeedWindow()
    latest.begin(START)
    for place in (START, (b"6-0", b"7-0"), (b"5-1", b"70-0"), (b"10-0", b"9-18446744073709551615")):
        assert latest.join(place) is not None, place
    for place in ((b"0-0", b"0-0"), (b"4-9", b"7-0"), (b"5-0", b"6-9")):
        assert latest.join(place) is None, place


def test_what_has_come_comes_in_time_and_from_any_number_on() -> None:
    latest = FeedWindow()
    latest.begin(START)
    number = latest.join(START)
    assert number is not None
    later, earlier = pointer(0, 12), pointer(1, 11)
    latest.add([later, earlier])
    assert latest.since(number) == [earlier, later]
    assert latest.since(number + 1) == [later]
    assert latest.since(number + 2) == []


def test_what_is_too_much_goes_and_whoever_lacks_it_is_no_longer_in_the_window() -> None:
    latest = FeedWindow(kept=3)
    latest.begin(START)
    number, place = latest.join(START), START
    assert number is not None
    pointers = [pointer(n % 2, 10 + n) for n in range(8)]
    for one in pointers:
        latest.add([one])
    assert latest.since(number) is None
    assert latest.join(START) is None
    for taken in range(9):
        place = moved(START, pointers[:taken])
        if taken >= 5:
            joined = latest.join(place)
            assert joined is not None
            news = [one for one in latest.since(joined) or () if one.comes_after(place)]
            assert news == pointers[taken:]
        else:
            assert latest.join(place) is None


def test_nobody_goes_on_over_what_came_while_the_reader_was_away() -> None:
    latest = FeedWindow()
    latest.begin(START)
    number = latest.join(START)
    assert number is not None
    latest.lose()
    assert latest.since(number) is None
    latest.begin((b"20-0", b"7-0"))
    assert latest.since(number) is None
    assert latest.join(START) is None
