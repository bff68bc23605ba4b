"""Conjunction of two schemas."""

from collections.abc import Callable

from flexchat.messages import Json
from functions.chat.tools.schema_compiler.traversal import SchemaObject, named, names, schemas, types

_LARGEST = frozenset(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"))
_SMALLEST = frozenset(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"))
_ONE_SCHEMA = frozenset(("items", "additionalProperties", "propertyNames"))
_TEXTS = frozenset(("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"))
_KEYWORD_GROUPS = (frozenset(("contains", "minContains", "maxContains")), frozenset(("if", "then", "else")))
"""Groups of keywords whose meaning depends on each other; a mixture from two schemas would have another meaning."""


def conjunction(first: SchemaObject, second: SchemaObject, lost: Callable[[str], None]) -> SchemaObject:
    """Return a schema of values that fit both `first` and `second`; never stricter, looser where necessary.

    Texts are those of `first`. `lost` is called with each keyword whose value in `second` is dropped.
    """
    result = dict(first)
    for keyword, value in second.items():
        if any(keyword in group and not group.isdisjoint(first) for group in _KEYWORD_GROUPS):
            if first.get(keyword) != value:
                lost(keyword)
        elif keyword not in first:
            result[keyword] = value
        elif first[keyword] != value and keyword not in _TEXTS:
            result[keyword] = _both(keyword, first, second, lost)
    return result


def _both(keyword: str, first: SchemaObject, second: SchemaObject, lost: Callable[[str], None]) -> Json:
    """Return one value of a keyword that differs in the two schemas."""
    one, other = first[keyword], second[keyword]
    if keyword == "type":
        return _common_type(first, second) or one
    if keyword == "required":
        return [*dict.fromkeys((*names(first, keyword), *names(second, keyword)))]
    if keyword == "enum":
        return [value for value in schemas(first, keyword) if value in schemas(second, keyword)] or one
    if keyword == "properties":
        ours, theirs = named(first, keyword), named(second, keyword)
        return ours | {name: _schema(ours[name], sub, lost) if name in ours else sub for name, sub in theirs.items()}
    if keyword in _ONE_SCHEMA:
        return _schema(one, other, lost)
    if isinstance(one, int | float) and isinstance(other, int | float):
        if keyword in _LARGEST:
            return max(one, other)
        if keyword in _SMALLEST:
            return min(one, other)
    lost(keyword)
    return one


def _schema(one: Json, other: Json, lost: Callable[[str], None]) -> Json:
    if isinstance(one, dict) and isinstance(other, dict):
        return conjunction(one, other, lost)
    if one is False or other is False:
        return False
    return other if one is True else one


def _common_type(first: SchemaObject, second: SchemaObject) -> Json:
    ours, theirs = types(first), types(second)
    common: list[Json] = [
        name
        for name in dict.fromkeys((*ours, *theirs))
        if all(name in side or (name == "integer" and "number" in side) for side in (ours, theirs))
    ]
    return common[0] if len(common) == 1 else common
