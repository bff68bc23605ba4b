"""Validation errors of pydantic as problems with paths and terms of the operator's file."""

import json
import re
import types
import typing
from collections.abc import Sequence

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from flexchat.config.models.base import LazySection
from flexchat.config.models.configuration import Configuration
from flexchat.config.suggestions import did_you_mean, known_names
from flexchat.errors import Problem
from flexchat.text import counted

PLAIN_KEY = re.compile(r"^[A-Za-z_$][A-Za-z0-9_-]*$")
QUOTED = re.compile(r"'([^']*)'")

Location = tuple[int | str, ...]

EXPECTED = {
    "missing": "is required",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "string_type": "must be text",
    "string_unicode": "must be text in Unicode",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "must be a whole number of fewer digits",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "greater_than": "must be greater than {gt}",
    "greater_than_equal": "must be greater than or equal to {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be less than or equal to {le}",
    "json_invalid": "must be valid JSON",
    "unsupported_content_type": "must be sent as application/json",
}
"""Requirements by pydantic's type of an error, with the names of its context; the last two are types of the router."""

_KEY = "[key]"
"""Last part of the location of an error that concerns the key of a mapping."""

MAX_SHOWN_CHARACTERS = 60
"""Maximum length of a quoted value."""


def path_of(location: Sequence[int | str]) -> str:
    """Return the path of a location in the file: `responses[1].tools.allowed_tools[0]`."""
    path = ""
    for part in location:
        if isinstance(part, int):
            path += f"[{part}]"
        elif PLAIN_KEY.match(part):
            path += f".{part}" if path else part
        else:
            path += f"[{json.dumps(part)}]"
    return path


def problem_of(error: ErrorDetails, model: type[BaseModel] = Configuration) -> Problem:
    """Return an error of pydantic on `model` as a Problem; the rejected value is shown only when it is a name."""
    location = error["loc"][:-1] if error["loc"][-1:] == (_KEY,) else error["loc"]
    return Problem(path=path_of(location), message=_message(error, model))


def request_problem(error: ErrorDetails, path: str, model: type[BaseModel] | None = None) -> Problem:
    """Return an error of pydantic on a request as a Problem, with the rejected value, which its own caller has sent.

    For an unknown key, a similar key of `model`, the request's model, is suggested.
    """
    message = _message(error, model)
    if error["type"] == "extra_forbidden" and model is not None and "did you mean" not in message:
        message += f"; the keys are {known_names(str(error['loc'][-1]), _keys_at(error['loc'][:-1], model))}"
    if error["type"] in _WITHOUT_VALUE:
        return Problem(path=path, message=message)
    return Problem(path=path, message=f"{message}, not {_shown(error['input'])}")


_WITHOUT_VALUE = frozenset(
    {"missing", "extra_forbidden", "value_error", "literal_error", "string_pattern_mismatch"}
    | {"string_too_short", "string_too_long", "too_short", "too_long", "json_invalid", "unsupported_content_type"}
)
"""Types of errors without a rejected value, or whose messages contain it."""


def _shown(value: object) -> str:
    """Return a rejected value as JSON names it: the beginning of a text, the kind of an object or a list."""
    match value:
        case None | bool() | int() | float():
            return json.dumps(value)
        case str() if len(value) > MAX_SHOWN_CHARACTERS:
            return f"{value[:MAX_SHOWN_CHARACTERS]!r}… of {len(value)} characters"
        case str():
            return repr(value)
        case list() | tuple():
            return "a list"
        case _:
            return "an object"


def _message(error: ErrorDetails, model: type[BaseModel] | None) -> str:
    context = error.get("ctx", {})
    match error["type"]:
        case "extra_forbidden":
            word = str(error["loc"][-1])
            return f"unknown key {word!r}{did_you_mean(word, _keys_at(error['loc'][:-1], model))}"
        case "literal_error":
            expected = str(context.get("expected", ""))
            found = error["input"]
            shown = f", not {_shown(found)}" if isinstance(found, str) else ""
            hint = did_you_mean(found, QUOTED.findall(expected)) if isinstance(found, str) else ""
            return f"must be {expected}{shown}{hint}"
        case "string_pattern_mismatch":
            return f"{_shown(error['input'])} does not match {context.get('pattern')}"
        case "string_too_long":
            length = f", not {len(error['input']):,}" if isinstance(error["input"], str) else ""
            return f"must have at most {counted(context.get('max_length', 0), 'character')}{length}"
        case "string_too_short":
            return f"must have at least {counted(context.get('min_length', 1), 'character')}"
        case "too_short":
            least, found = counted(context.get("min_length", 1), "item"), context.get("actual_length")
            return f"must have at least {least}, not {found}"
        case "too_long":
            most, found = counted(context.get("max_length", 0), "item"), context.get("actual_length")
            return f"must have at most {most}, not {found}"
        case "value_error":
            return error["msg"].removeprefix("Value error, ")
        case kind:
            bounds = {name: _number(bound) for name, bound in context.items()}
            return EXPECTED[kind].format(**bounds) if kind in EXPECTED else _plain(error["msg"])


def _number(bound: object) -> object:
    """Return a bound of a number: 0 for 0.0."""
    return int(bound) if isinstance(bound, float) and bound.is_integer() else bound


def _plain(message: str) -> str:
    """Return pydantic's `Tuple should have at least 1 item after validation` as `must have at least 1 item`."""
    text = message.replace(" after validation", "")
    _subject, should, rest = text.partition(" should ")
    return f"must {rest}" if should else text


def _keys_at(location: Location, model: type[BaseModel] | None) -> tuple[str, ...]:
    """Return the keys that the object at `location` in `model` may have."""
    annotation: object = model
    for part in location:
        annotation = _step(annotation, part)
    found = _model(annotation)
    return tuple(field.alias or name for name, field in found.model_fields.items()) if found else ()


def _step(annotation: object, part: int | str) -> object:
    model = _model(annotation)
    if model is not None:
        by_key = {field.alias or name: field for name, field in model.model_fields.items()}
        field = by_key.get(str(part))
        lazy = next((item for item in field.metadata if isinstance(item, LazySection)), None) if field else None
        return lazy.annotation if lazy else field.annotation if field else None
    arguments = typing.get_args(annotation)
    if typing.get_origin(annotation) is dict:
        return arguments[1]
    return arguments[0] if arguments else None


def _model(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, types.UnionType):
        return next((model for model in map(_model, typing.get_args(annotation)) if model), None)
    return annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None
