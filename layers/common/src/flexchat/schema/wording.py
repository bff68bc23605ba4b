"""Error messages about the arguments of a tool call.

A message has the parameter and the requirement, never the value.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, cast

from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.schema.shape import path_of

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_TYPES: Final = {
    "array": "an array",
    "boolean": "a boolean",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}
_MAX_VALUES_TEXT: Final = 500

_BOUNDS: Final[dict[str, Callable[[Any], str]]] = {
    "type": lambda types: f"must be {type_names(types)}",
    "enum": lambda values: f"must be one of: {_values(values)}",
    "const": lambda value: f"must be {_values([value])}",
    "minimum": lambda bound: f"must be at least {bound}",
    "maximum": lambda bound: f"must be at most {bound}",
    "exclusiveMinimum": lambda bound: f"must be greater than {bound}",
    "exclusiveMaximum": lambda bound: f"must be less than {bound}",
    "multipleOf": lambda factor: f"must be a multiple of {factor}",
    "minLength": lambda bound: f"must have at least {_count(bound, 'character')}",
    "maxLength": lambda bound: f"must have at most {_count(bound, 'character')}",
    "pattern": lambda pattern: f"must match the pattern {_short(pattern)}",
    "minItems": lambda bound: f"must have at least {_count(bound, 'item')}",
    "maxItems": lambda bound: f"must have at most {_count(bound, 'item')}",
    "uniqueItems": lambda _: "must not contain the same item twice",
    "contains": lambda _: "lacks an item of the required form",
    "minContains": lambda bound: f"must have at least {_count(bound, 'item')} of the required form",
    "maxContains": lambda bound: f"must have at most {_count(bound, 'item')} of the required form",
    "minProperties": lambda bound: f"must have at least {_count(bound, 'parameter')}",
    "maxProperties": lambda bound: f"must have at most {_count(bound, 'parameter')}",
    "items": lambda _: "has more items than are allowed",
    "not": lambda _: "has a form that is not allowed",
}


def messages(error: "ValidationError") -> Iterator[str]:
    """Yield the messages of one error of the checker (`flexchat.schema.keywords`)."""
    name = path_of(tuple(error.absolute_path)) or "The arguments"
    keyword = cast("str | None", error.validator)  # None: a `false` schema
    match keyword:
        case "required" | "dependentRequired":
            yield f"Missing required parameter: {_child(error)}"
        case "additionalProperties" | "patternProperties" | "properties":
            yield f"Unknown parameter: {_child(error)}"
        case "propertyNames":
            yield f"Invalid parameter name: {_child(error)}"
        case "anyOf" | "oneOf":
            yield from _no_form(error, name)
        case None:
            yield f"{name} has a form that is not allowed"
        case _:
            describe = _BOUNDS.get(keyword)
            yield f"{name} {describe(error.validator_value)}" if describe else f"{name} is not valid ({keyword})"


def requirement(keyword: str, value: Json) -> str | None:
    """Return the requirement of a keyword, as in an error message: `must be at least 3`."""
    describe = _BOUNDS.get(keyword)
    return describe(value) if describe else None


def type_names(types: str | list[str]) -> str:
    """Return `["string", "null"]` as `a string or null`."""
    names = [types] if isinstance(types, str) else types
    return _alternatives([_TYPES.get(name, name) for name in names])


def _no_form(error: "ValidationError", name: str) -> Iterator[str]:
    """Yield the messages about a value that fits none, or several, of its alternatives."""
    forms: dict[int | str, list[ValidationError]] = {}
    for inner in error.context or ():
        forms.setdefault(inner.relative_schema_path[0], []).append(inner)
    if not forms:
        yield f"{name} fits several of its allowed forms; it must fit exactly one"
        return
    wrong_type = {form: types for form, errors in forms.items() if (types := _only_wrong_type(errors))}
    if len(wrong_type) == len(forms):
        yield f"{name} must be {_alternatives([*dict.fromkeys(wrong_type.values())])}"
        return
    meant = [errors for form, errors in forms.items() if form not in wrong_type]
    if len(meant) == 1:
        for inner in meant[0]:
            yield from messages(inner)
        return
    yield f"{name} fits none of its allowed forms: " + "; or ".join(next(messages(errors[0])) for errors in meant[:3])


def _only_wrong_type(errors: list["ValidationError"]) -> str | None:
    """Return the types of an alternative when the type of the value is its only error."""
    at_value = [inner for inner in errors if not inner.relative_path and inner.validator == "type"]
    return type_names(cast("str | list[str]", at_value[0].validator_value)) if at_value else None


def _child(error: "ValidationError") -> str:
    """Return the path with the name in the message of an error about an object's names."""
    return path_of((*error.absolute_path, error.message))


def _values(values: list[Json]) -> str:
    return _short(", ".join(value if isinstance(value, str) else dumps(value) for value in values))


def _short(text: str) -> str:
    return text if len(text) <= _MAX_VALUES_TEXT else text[:_MAX_VALUES_TEXT] + "…"


def _alternatives(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
