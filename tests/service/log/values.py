"""What may stand in a record, for Hypothesis: no floats, no lone surrogates, ASCII keys."""

from hypothesis import strategies as st

from service.log.canonical import MOST

integers = st.integers(-MOST, MOST)
texts = st.text(st.characters(exclude_categories=["Cs"]))
names = st.text(st.characters(max_codepoint=127))
values = st.recursive(
    st.none() | st.booleans() | integers | texts,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(names, inner, max_size=5),
    max_leaves=20,
)
