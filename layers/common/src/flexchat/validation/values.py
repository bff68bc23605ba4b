"""Comparison of a value from a model with the accepted values, by the rules of BFCL's AST checker."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, cast

from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.text import truncate
from flexchat.validation.call_matching import LEFT_OUT, values_of

_MAX_VALUE_CHARACTERS: Final = 60
_MAX_VALUES: Final = 5

_UNIMPORTANT: Final = re.compile(r"[ ,./\-_*^]")


def is_one_of(value: Json, allowed: Sequence[Json], schema: Json) -> bool:
    """Return true when `value` is one of `allowed`; `schema` is the JSON Schema at its position, None without one.

    As in BFCL, an empty list is equal to an omitted list.
    """
    if value == [] and LEFT_OUT in allowed and isinstance(schema, dict) and schema.get("type") == "array":
        return True
    return any(_same(value, expected, schema) for expected in allowed)


def accepted_form(value: Json) -> Json:
    """Return a value in the form of accepted values: within objects a list contains them."""
    match value:
        case list():
            return [accepted_form(item) for item in value]
        case dict():
            return {
                name: [accepted_form(item)] if isinstance(item, list) else accepted_form(item)
                for name, item in value.items()
            }
        case _:
            return value


def written(value: Json) -> str:
    """Return `value` as JSON, shortened for display."""
    text = dumps(value)
    return truncate(text, _MAX_VALUE_CHARACTERS)


def choice_of(allowed: Sequence[Json]) -> str:
    """Return the accepted values as text: `"Paris"`, or `one of "Paris", "Paris, France"`."""
    values = [value for value in allowed if value != LEFT_OUT] or list(allowed)
    shown = ", ".join(written(value) for value in values[:_MAX_VALUES])
    if len(values) > _MAX_VALUES:
        shown += f" and {len(values) - _MAX_VALUES} more"
    return f"one of {shown}" if len(values) > 1 else shown


def type_of(value: Json) -> str:
    """Return the JSON Schema type of a value; a float is always a `number`."""
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case dict():
            return "object"
        case None:
            return "null"


def _same(value: Json, expected: Json, schema: Json) -> bool:
    match expected:
        case str():
            return isinstance(value, str) and _same_text(value, expected)
        case bool() | None:
            return value is expected
        case int() | float():
            return _same_number(value, expected, schema)
        case list():
            return isinstance(value, list) and _same_list(value, expected, schema)
        case dict():
            return isinstance(value, dict) and _same_object(value, expected, schema)


def _same_text(value: str, expected: str) -> bool:
    """Compare as BFCL does; only text that consists of such signs, as "*" and "/", is compared unchanged."""
    plain = _plain(expected)
    return _plain(value) == plain if plain else value.strip() == expected.strip()


def _plain(text: str) -> str:
    return _UNIMPORTANT.sub("", text).lower().replace("'", '"')


def _same_number(value: Json, expected: float, schema: Json) -> bool:
    """5 is accepted for 5.0; 5.0 for 5 only when the schema accepts any number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != expected:
        return False
    return isinstance(value, int) or isinstance(expected, float) or _takes_any_number(schema)


def _takes_any_number(schema: Json) -> bool:
    if not isinstance(schema, dict):
        return False
    types = schema.get("type")
    if types == "number" or (isinstance(types, list) and "number" in types):
        return True
    forms = (form for keyword in ("anyOf", "oneOf") for form in _list(schema.get(keyword)))
    return any(_takes_any_number(form) for form in forms)


def _same_list(value: list[Json], expected: list[Json], schema: Json) -> bool:
    if len(value) != len(expected):
        return False
    items = schema.get("items") if isinstance(schema, dict) else None
    return all(_same(item, wanted, items) for item, wanted in zip(value, expected, strict=True))


def _same_object(value: dict[str, Json], expected: dict[str, Json], schema: Json) -> bool:
    if any(name not in expected for name in value):
        return False
    properties = properties_of(schema)
    return all(
        is_one_of(value[name], values_of(wanted), properties.get(name))
        if name in value
        else LEFT_OUT in values_of(wanted)
        for name, wanted in expected.items()
    )


def properties_of(schema: Json | Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the `properties` of an object's schema; empty without any."""
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    return cast("Mapping[str, Json]", properties) if isinstance(properties, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
