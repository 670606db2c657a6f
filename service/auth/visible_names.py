"""What is wrong with a name: nothing of it can be seen, or something in it cannot.

Characters that show nothing are refused, except where a word or a picture needs them: a joiner inside a word
or after a virama (Persian, Malayalam) or between two emoji, a variation selector after what it changes, the
tags of a flag.
"""

import regex  # unlike `re` it knows the properties of Unicode

LONGEST = 60  # characters in a name
BLANK = "\u2800\ufffc\U00016fe4\U0001d159"  # show nothing, though Unicode counts them as signs
INVISIBLE = regex.compile(
    rf"[\p{{Default_Ignorable_Code_Point}}\p{{Cf}}\p{{Cc}}\p{{Cs}}\p{{Zl}}\p{{Zp}}{BLANK}]"
)
SEEN = regex.compile(r"[^\p{M}\p{Z}\p{C}]")  # a mark is seen on something only
NEEDED = regex.compile(
    r"""
      (?<=[\p{L}\p{M}]) [\u200c\u200d] (?=[\p{L}\p{M}])
    | (?<=\p{InSC=Virama}) [\u200c\u200d]
    | (?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?) \u200d (?=\p{Extended_Pictographic})
    | (?<=[\p{L}\p{N}\p{S}\p{P}]) \p{Variation_Selector}
    | (?<=\U0001f3f4) [\U000e0020-\U000e007e]{1,12} \U000e007f
    """,
    regex.VERBOSE,
)


def flaw(name: str) -> str | None:
    """What is wrong with a name, in a sentence; None if nothing is."""
    if name != name.strip():
        return "Must not begin or end with a space."
    if INVISIBLE.search(NEEDED.sub("", name)):
        return "Must not contain invisible characters."
    if not SEEN.search(name):
        return "Must contain something visible: a letter, a digit or a symbol."
    return None
