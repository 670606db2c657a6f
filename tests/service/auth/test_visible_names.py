"""A name is taken if everything in it can be seen, in every script and with every picture."""

import pytest

from service.auth.visible_names import flaw

SEEN = {
    "Latin": "Zoë O'Neil-Smith 3rd",
    "Greek": "Ανδρέας",
    "Hebrew": "שלום",
    "Han": "李明",
    "a sign only": "★",
    "Persian with a joiner": "می\u200cخواهم",
    "Malayalam that ends with a joiner": "മോഹന്\u200d",
    "Hindi with a joiner": "क्\u200dष",
    "a family": "👨\u200d👩\u200d👧\u200d👦",
    "a heart": "❤\ufe0f",
    "a rainbow flag": "🏳\ufe0f\u200d🌈",
    "an astronaut": "👩🏽\u200d🚀",
    "an eye in a bubble": "👁\ufe0f\u200d🗨\ufe0f",
    "a key of a telephone": "1\ufe0f\u20e3",
    "the flag of England": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "a variant of an ideograph": "葛\U000e0100",
}
NOTHING = {
    "zero width space": "\u200b",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
    "soft hyphen": "\u00ad",
    "Hangul filler": "\u3164",
    "half-width Hangul filler": "\uffa0",
    "Hangul choseong filler": "\u115f",
    "Braille blank": "\u2800",
    "Mongolian vowel separator": "\u180e",
    "grapheme joiner": "\u034f",
    "Khmer inherent vowel": "\u17b4",
    "joiner": "\u200d",
    "variation selector": "\ufe0f",
    "tag": "\U000e0041",
    "object replacement": "\ufffc",
    "null notehead": "\U0001d159",
    "interlinear annotation": "\ufff9",
    "override of direction": "\u202e",
    "mark of direction": "\u200e",
    "control": "\x07",
    "line": "\u2028",
}
BLANKS = {"space": " ", "no-break space": "\u00a0", "ideographic space": "\u3000", "em space": "\u2003"}


@pytest.mark.parametrize("name", SEEN.values(), ids=SEEN)
def test_a_name_that_can_be_seen_is_taken(name: str) -> None:
    assert flaw(name) is None


@pytest.mark.parametrize("sign", [*NOTHING.values(), *BLANKS.values()], ids=[*NOTHING, *BLANKS])
def test_a_name_that_shows_nothing_is_none(sign: str) -> None:
    for name in (sign, sign * 3, f"{sign}\u0301"):
        assert flaw(name) is not None


@pytest.mark.parametrize("sign", NOTHING.values(), ids=NOTHING)
def test_what_cannot_be_seen_stands_in_no_name(sign: str) -> None:
    for name in (f"{sign}Ada", f"Ada{sign}{sign}", f"A{sign}{sign}da"):
        assert flaw(name) is not None


def test_a_mark_on_nothing_is_no_name() -> None:
    assert flaw("\u0301\u0302") is not None
    assert flaw("A\u0301") is None
