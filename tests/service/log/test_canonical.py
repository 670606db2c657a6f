"""The hashed form of a value is RFC 8785, held against a library that implements nothing else."""

import json
from hashlib import sha256
from typing import Any

import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from service.log.canonical import MOST, canonical, check_values, digest
from tests.service.log.values import values


@given(values)
@example(
    {"\x00": "\x00\x1f\x7f\x80\u2028\ufeff\U0010ffff", '"\\/': '"\\/\b\f\n\r\t', "": [MOST, -MOST, True]}
)
@example({"b": 1, "a": 2, "B": 3, "aa": 4, "a-": 5, "a/": 6, "1": 7, "10": 8, "2": 9})
def test_every_value_of_a_record_is_written_as_rfc_8785_says(value: Any) -> None:
    check_values(value)
    assert canonical(value) == rfc8785.dumps(value)
    assert digest(value) == sha256(rfc8785.dumps(value)).hexdigest()


@given(values)
def test_what_is_written_is_read_back_by_any_json_reader(value: Any) -> None:
    assert json.loads(canonical(value)) == value


misfits = (
    st.floats()
    | st.integers(min_value=MOST + 1)
    | st.integers(max_value=-MOST - 1)
    | st.dictionaries(st.text(st.characters(min_codepoint=128), min_size=1), st.none(), min_size=1)
    | st.binary()
)


@st.composite
def hidden_misfits(draw: st.DrawFn) -> tuple[Any, str]:
    """A value with one misfit in it, and the JSON pointer of the misfit."""
    value: Any = draw(misfits)
    pointer = ""
    for step in draw(st.lists(st.integers(0, 3) | st.sampled_from(["events", "tile"]), max_size=5)):
        value = [None] * step + [value] if isinstance(step, int) else {"seat": 0, step: value}
        pointer = f"/{step}{pointer}"
    return value, pointer


@given(hidden_misfits())
def test_a_value_that_rfc_8785_cannot_write_is_refused_where_it_stands(hidden: tuple[Any, str]) -> None:
    value, pointer = hidden
    with pytest.raises(ValueError) as refused:
        check_values(value)
    assert str(refused.value).startswith(f"{pointer}: ")


def test_half_a_character_is_never_written() -> None:
    with pytest.raises((TypeError, ValueError)):
        canonical({"name": "\ud83d"})
