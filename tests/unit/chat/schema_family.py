"""Tool schemas of every kind a configuration may hold, each with arguments that fit it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

type Pair = tuple[Any, st.SearchStrategy[Any]]
"""A schema, and where values come from that probably fit it."""

_NAMES = ("kind", "size", "tags", "filter[x]", "$top")
_NOTHING: dict[str, Any] = {}
_ANYTHING = st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", "a", "aaa"]) | st.lists(st.just(1))
_TEXTS = st.fixed_dictionaries({}, optional={"title": st.just("T"), "description": st.sampled_from(["What.", "How"])})


@st.composite
def texts(draw: st.DrawFn) -> Pair:
    bounds = st.fixed_dictionaries(
        {},
        optional={
            "minLength": st.integers(0, 2),
            "maxLength": st.integers(3, 5),
            "pattern": st.just("^a*$"),
            "format": st.just("date"),
            "default": st.just("aa"),
            "examples": st.just(["a", "aa"]),
            "$comment": st.just("none"),
            "x-hint": st.just(True),
        },
    )
    return {"type": "string", **draw(bounds)}, st.sampled_from(["", "a", "aa", "aaa", "b"])


@st.composite
def numbers(draw: st.DrawFn) -> Pair:
    kind = draw(st.sampled_from(["integer", "number"]))
    limits = st.integers(-3, 3) | st.sampled_from([-0.5, 2.5])
    bounds = st.fixed_dictionaries(
        {},
        optional={
            "minimum": limits,
            "exclusiveMinimum": limits,
            "maximum": limits.map(lambda limit: limit + 4),
            "exclusiveMaximum": limits.map(lambda limit: limit + 4),
            "multipleOf": st.sampled_from([1, 2]),
        },
    )
    values = st.integers(-4, 8) if kind == "integer" else st.integers(-4, 8) | st.sampled_from([-0.25, 2.5])
    return {"type": kind, **draw(bounds)}, values


@st.composite
def fixed(draw: st.DrawFn) -> Pair:
    values: list[Any] = draw(st.lists(_ANYTHING, min_size=1, max_size=4))
    shape: Mapping[str, Any] = draw(
        st.sampled_from(
            [{"const": values[0]}, {"enum": values}, {"enum": values, "const": values[0]}, {"enum": [None, "a"]}]
        )
    )
    kind: Mapping[str, Any] = draw(st.sampled_from([{}, {}, {"type": ["string", "null"]}]))
    return {**shape, **kind}, st.sampled_from([*values, None, "a"])


@st.composite
def open_ones(draw: st.DrawFn) -> Pair:
    return draw(st.sampled_from([True, {}, {"type": ["string", "null"]}, {"type": "boolean"}])), _ANYTHING


LEAVES: st.SearchStrategy[Pair] = texts() | numbers() | fixed() | open_ones()


@st.composite
def arrays(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    schema: dict[str, Any] = {"type": draw(st.sampled_from(["array", ["array", "null"]]))}
    first, rest = draw(inner), draw(inner)
    places = st.nothing()
    if draw(st.booleans()):
        schema["prefixItems"] = [first[0], draw(st.sampled_from([True, {"type": "integer"}]))]
        places = st.tuples(first[1], st.integers(0, 3)).map(list)
    match draw(st.sampled_from(["schema", "false", "none", "contains"])):
        case "schema":
            schema["items"] = rest[0]
        case "false":
            schema["items"] = False
        case "contains":
            schema |= {"contains": rest[0], "maxContains": 2}
        case _:
            pass
    schema |= draw(st.fixed_dictionaries({}, optional={"minItems": st.just(1), "uniqueItems": st.booleans()}))
    return schema, places | st.lists(rest[1], max_size=3)


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    pairs = draw(st.dictionaries(st.sampled_from(_NAMES), inner, max_size=3))
    values_by_name = {name: pair[1] for name, pair in pairs.items()}
    schema: dict[str, Any] = {"type": "object", "properties": {name: pair[0] for name, pair in pairs.items()}}
    needed = draw(st.lists(st.sampled_from(sorted(values_by_name)), unique=True)) if values_by_name else []
    if needed:
        schema["required"] = needed
    extra: dict[str, st.SearchStrategy[Any]] = {}
    match draw(st.sampled_from(["open", "closed", "schema", "patterns", "odd"])):
        case "closed":
            schema["additionalProperties"] = False
        case "schema":
            rest = draw(inner)
            schema["additionalProperties"] = rest[0]
            extra = {"other": rest[1]}
        case "patterns":
            rest = draw(inner)
            schema |= {"patternProperties": {"^x_": rest[0]}, "additionalProperties": False}
            extra = {"x_1": rest[1]}
        case "odd":
            schema["properties"]["never"] = False
            schema |= {"minProperties": 1, "dependentRequired": {"size": ["kind"]}, "propertyNames": {"maxLength": 12}}
        case _:
            pass
    given = st.fixed_dictionaries(
        {name: values_by_name[name] for name in needed},
        optional={name: values for name, values in (values_by_name | extra).items() if name not in needed},
    )
    return schema, given


@st.composite
def combined(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    one, other, third = draw(inner), draw(inner), draw(inner)
    either = one[1] | other[1]
    beside = draw(_TEXTS)
    match draw(st.sampled_from(["anyOf", "oneOf", "both", "allOf", "not", "if", "$ref", "ref with more"])):
        case "both":
            return {"anyOf": [one[0], other[0]], "oneOf": [one[0], third[0]], **beside}, either
        case "allOf":
            branches = [one[0], {"allOf": [{"minLength": 1, "minimum": 0}]}]
            return {"allOf": branches, "maxLength": 4, **beside}, one[1]
        case "not":
            return {"not": other[0], **beside}, one[1]
        case "if":
            return {"if": one[0], "then": other[0], "else": third[0]}, either | third[1]
        case "$ref":
            return {"$ref": "#/$defs/shared", **beside}, st.sampled_from(["a", "aa", 1])
        case "ref with more":
            return {"$ref": "#/$defs/shared", "minLength": 2, "maxLength": 2, "enum": ["aa", 1]}, st.just("aa")
        case "anyOf" if draw(st.booleans()):
            return {"anyOf": [one[0], other[0]], "enum": [None, "a", 1, True]}, st.sampled_from([None, "a", 1, True])
        case keyword:
            return {keyword: [one[0], other[0], False], **beside}, either


NESTED = st.recursive(LEAVES, lambda inner: arrays(inner) | objects(inner) | combined(inner), max_leaves=5)


@dataclass(frozen=True)
class Example:
    """A tool's parameters, with arguments made for `form`: the parameters with one of their top alternatives chosen.

    Most of the arguments fit.
    """

    schema: dict[str, Any]
    form: dict[str, Any]
    arguments: list[dict[str, Any]]


@st.composite
def examples(draw: st.DrawFn) -> Example:
    schema, given = draw(objects(NESTED))
    schema |= draw(_TEXTS)
    schema |= draw(
        st.fixed_dictionaries(
            {},
            optional={"$schema": st.just("http://json-schema.org/draft-07/schema#"), "default": st.just(_NOTHING)},
        )
    )
    shared = draw(st.sampled_from([{"type": "string", "minLength": 1}, {"type": ["string", "integer"]}]))
    schema["$defs"] = {"shared": shared, "shape": {"type": "object", "minProperties": 0}}
    form: dict[str, Any] = schema
    match draw(st.sampled_from(["plain", "anyOf", "oneOf", "allOf", "not"])):
        case "allOf":
            branch, more = draw(objects(NESTED))
            schema["allOf"] = [branch, {"$ref": "#/$defs/shape"}]
            given = st.tuples(given, more).map(_joined)
        case "not":
            schema["not"] = {"required": ["never"]}
        case "anyOf" | "oneOf" as keyword:
            branches = draw(st.lists(objects(NESTED), min_size=1, max_size=3))
            schema[keyword] = [branch for branch, _ in branches]
            chosen, more = draw(st.sampled_from(branches))
            form = schema | {"allOf": [chosen]}
            given = st.tuples(given, more).map(_joined)
        case _:
            pass
    return Example(schema, form, draw(st.lists(given, min_size=5, max_size=5)))


def _joined(values: tuple[dict[str, Any], dict[str, Any]]) -> dict[str, Any]:
    return values[0] | values[1]
