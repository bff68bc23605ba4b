"""Pydantic's findings in the words and the paths of the operator's own file."""

import json
import re
import types
import typing
from collections.abc import Sequence

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from flexchat.config.models.configuration import Configuration
from flexchat.config.suggestions import did_you_mean
from flexchat.errors import Problem

PLAIN_KEY = re.compile(r"^[A-Za-z_$][A-Za-z0-9_-]*$")
QUOTED = re.compile(r"'([^']*)'")

Location = tuple[int | str, ...]

EXPECTED = {
    "missing": "is required",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "tuple_type": "must be a list",
    "string_type": "must be text",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
}


def path_of(location: Sequence[int | str]) -> str:
    """Where something stands in the file: `responses[1].tools.allowed_tools[0]`."""
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
    """One of pydantic's errors on `model` as a Problem; the wrong value is shown only where it is a name."""
    return Problem(path=path_of(error["loc"]), message=_message(error, model))


def _message(error: ErrorDetails, model: type[BaseModel]) -> str:
    context = error.get("ctx", {})
    match error["type"]:
        case "extra_forbidden":
            word = str(error["loc"][-1])
            return f"unknown key {word!r}{did_you_mean(word, _keys_at(error['loc'][:-1], model))}"
        case "literal_error":
            expected = str(context.get("expected", ""))
            found = error["input"]
            shown = f", not {found!r}" if isinstance(found, str) else ""
            hint = did_you_mean(found, QUOTED.findall(expected)) if isinstance(found, str) else ""
            return f"must be {expected}{shown}{hint}"
        case "string_pattern_mismatch":
            return f"{error['input']!r} does not match {context.get('pattern')}"
        case kind:
            return EXPECTED.get(kind) or _plain(error["msg"])


def _plain(message: str) -> str:
    """Pydantic's `Tuple should have at least 1 item after validation` as `must have at least 1 item`."""
    text = message.removeprefix("Value error, ").replace(" after validation", "")
    _subject, should, rest = text.partition(" should ")
    return f"must {rest}" if should else text


def _keys_at(location: Location, model: type[BaseModel]) -> tuple[str, ...]:
    """The keys that the object at `location` in `model` may have."""
    annotation: object = model
    for part in location:
        annotation = _step(annotation, part)
    found = _model(annotation)
    return tuple(field.alias or name for name, field in found.model_fields.items()) if found else ()


def _step(annotation: object, part: int | str) -> object:
    model = _model(annotation)
    if model is not None:
        by_key = {field.alias or name: field.annotation for name, field in model.model_fields.items()}
        return by_key.get(str(part))
    arguments = typing.get_args(annotation)
    if typing.get_origin(annotation) is dict:
        return arguments[1]
    return arguments[0] if arguments else None


def _model(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, types.UnionType):
        return next((model for model in map(_model, typing.get_args(annotation)) if model), None)
    return annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None
