"""The schema of an answer is that of its TypedDict: types, what may be null or missing, what fields mean."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin

from service.http.openapi.response_schemas import response_schema

Word: TypeAlias = Literal["one", "two"]


class Inner(TypedDict):
    """What is in a case."""

    weight: int


class Case(TypedDict):
    """A case."""

    name: Annotated[str, "What is on it."]
    word: Word | None
    open: bool
    detail: Any
    first: Inner | None
    all: Sequence[Inner]
    ranks: Sequence[Sequence[int]]
    counts: Mapping[str, int]
    rest: Mapping[str, Any]
    kind: Annotated[str, {"enum": ["a", "b"]}]
    written: Sequence[Annotated[bytes, Inner]]
    more: NotRequired[Annotated[int, "Where there is more."]]


def test_a_typed_dict_says_all_that_its_schema_says() -> None:
    spec = APISpec("Test", "1", "3.1.1", plugins=[MarshmallowPlugin()])
    spec.components.schema("Case", schema=response_schema(Case))
    described = spec.to_dict()["components"]["schemas"]
    inner = {"$ref": "#/components/schemas/Inner"}
    assert described["Case"]["properties"] == {
        "name": {"type": "string", "description": "What is on it."},
        "word": {"type": ["string", "null"], "enum": ["one", "two", None]},
        "open": {"type": "boolean"},
        "detail": {},
        "first": {"anyOf": [inner, {"type": "null"}]},
        "all": {"type": "array", "items": inner},
        "ranks": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
        "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
        "rest": {"type": "object", "additionalProperties": {}},
        "kind": {"type": "string", "enum": ["a", "b"]},
        "written": {"type": "array", "items": inner},
        "more": {"type": "integer", "description": "Where there is more."},
    }
    assert {*described["Case"]["required"]} == Case.__annotations__.keys() - {"more"}
    assert described["Inner"]["properties"] == {"weight": {"type": "integer"}}
    assert response_schema(Case).__doc__ == "A case."
