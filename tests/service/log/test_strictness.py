"""A log is read as strictly as a request: what two readers could take for two things is no line of a log."""

import pytest

from service.log.chain import FlawError, parse
from service.log.verify import verify
from service.strict_json import NotStrictError, read_json
from tests.service.log.forging import true_log

LINES = true_log().splitlines()


def altered(version: int, old: str, new: str) -> list[bytes]:
    assert old.encode() in LINES[version]
    line = LINES[version].replace(old.encode(), new.encode(), 1)
    return [*LINES[:version], line, *LINES[version + 1 :]]


DOUBLED = {  # the last of the two is the true one, which lenient readers take
    "who did it": (5, '"by":', '"by":"seat:7","by":'),
    "a field of an event": (3, '"events":[{', '"events":[{"seat":9,'),
    "the same value again": (5, '"format":', '"format":2,"format":'),
    "an escaped name": (5, '"by":', '"\\u0062y":"seat:7","by":'),
    "the whole command": (5, '"command":', '"command":{},"command":'),
    "in the edition": (0, '"edition":{', '"edition":{"name":"false",'),
}


@pytest.mark.parametrize(("version", "old", "new"), DOUBLED.values(), ids=DOUBLED.keys())
def test_a_name_that_stands_twice_in_a_line_is_found(version: int, old: str, new: str) -> None:
    with pytest.raises(FlawError, match="appears twice") as flaw:
        verify(altered(version, old, new))
    assert flaw.value.version == version


NOT_JSON = [
    b'{"a":NaN}',
    b'{"a":Infinity}',
    b'{"a":1,}',
    b'{"a":01}',
    b'{"a":"\xff"}',
    b'{"a":"\\ud800"}',
    b"{'a':1}",
    b"\xef\xbb\xbf{}",
    b"{} {}",
    b'{"a":1,"a":1}',
]


@pytest.mark.parametrize("text", NOT_JSON)
def test_what_is_refused_as_a_body_is_refused_as_a_line(text: bytes) -> None:
    with pytest.raises(NotStrictError):
        read_json(text)
    with pytest.raises(FlawError) as flaw:
        list(parse([LINES[0], text]))
    assert flaw.value.version == 1


def test_a_true_log_is_as_true_as_before() -> None:
    assert verify(LINES).complete
