"""JSON parsing with limits, and compact JSON serialization.

The standard library's parser accepts input that fails later (NaN, duplicate names, lone surrogates), and numbers and
nesting of any size. This one refuses each with a specific error.
"""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, ClassVar, Final, NoReturn, cast

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticKnownError, core_schema

from flexchat.deferred_model import DeferredModel
from flexchat.errors import FlexchatError
from flexchat.messages import Json

MAX_BYTES: Final = 1_048_576
MAX_DEPTH: Final = 64
MAX_DIGITS: Final = 308
"""Digits of the largest double; other JSON parsers read numbers as doubles."""

_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")

_MAY_BE_REFUSED = re.compile(rf"NaN|Infinity|[\ud800-\udfff]|(?<![0-9])[0-9]{{{MAX_DIGITS}}}")
"""Parts of the text of a parsed value that `safe_loads` may refuse."""

_ENCODER, _SORTED = (
    json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=sort_keys)
    for sort_keys in (False, True)
)

_CAUSES: Final = {
    "Expecting value": "a value is missing",
    "Expecting property name enclosed in double quotes": "a name in double quotes is missing",
    "Expecting ',' delimiter": "a comma is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Illegal trailing comma before end of object": "a comma follows the last entry",
    "Illegal trailing comma before end of array": "a comma follows the last entry",
    "Extra data": "unexpected text after the value",
    "Unterminated string starting at": "a string is not closed",
    "Invalid control character at": "a string has a line break or another control character",
}
"""Plain texts for the standard library's messages."""


class JsonError(FlexchatError, ValueError):
    """Invalid JSON text, or a value that JSON cannot represent; the message has the reason."""


def safe_loads(
    text: str | bytes, *, max_bytes: int = MAX_BYTES, max_depth: int = MAX_DEPTH, max_digits: int = MAX_DIGITS
) -> Json:
    """Parse one JSON value.

    `max_bytes` limits the UTF-8 text, `max_depth` the nesting of arrays and objects, `max_digits` the characters of one
    number. Raises `JsonError`, whose text never quotes the input.
    """
    decoded = _decode(text, max_bytes)
    _check_depth(decoded, max_depth)
    if decoded.startswith("\ufeff"):
        raise JsonError("not valid JSON: a byte order mark is before the value at line 1 column 1")
    try:
        value: Json = _decoder(max_digits).decode(decoded)
    except json.JSONDecodeError as exc:
        cause = _CAUSES.get(exc.msg, "unexpected character")
        raise JsonError(f"not valid JSON: {cause} at line {exc.lineno} column {exc.colno}") from exc
    if _SURROGATE_ESCAPE.search(decoded):
        _refuse_lone_surrogates(value)
    return value


def is_accepted(text: str) -> bool:
    """Return True for the JSON text of a parsed value that `safe_loads` accepts; False for one that may be refused."""
    return (
        len(text) <= MAX_BYTES // 4  # a character has at most four bytes
        and text.count("[") + text.count("{") <= MAX_DEPTH
        and not _MAY_BE_REFUSED.search(text)
    )


def dumps(value: object, *, sort_keys: bool = False) -> str:
    """Serialize one JSON value without spaces and without escapes of non-ASCII characters.

    Raises `JsonError` for values that JSON cannot represent: NaN, infinity, sets, bytes, class instances, cycles.
    """
    try:
        return (_SORTED if sort_keys else _ENCODER).encode(value)
    except (TypeError, ValueError, RecursionError) as exc:
        raise JsonError(f"not a JSON value: {_reason(exc)}") from exc


def byte_size(value: object) -> int:
    """Return the size of `dumps(value)` in bytes of UTF-8. Raises `JsonError`, also for a lone surrogate."""
    return len(_encode(dumps(value)))


def _decode(text: str | bytes, max_bytes: int) -> str:
    raw = text if isinstance(text, bytes) else _encode(text)
    if len(raw) > max_bytes:
        raise JsonError(f"the JSON text has {len(raw)} bytes, at most {max_bytes} are accepted")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as exc:
        raise JsonError(f"the JSON text is not UTF-8 (byte {exc.start})") from exc


def _encode(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as exc:
        raise JsonError("the text contains an unpaired surrogate; send complete Unicode characters") from exc


@lru_cache(maxsize=8)
def _decoder(max_digits: int) -> json.JSONDecoder:
    """Return the decoder of numbers with at most `max_digits` characters."""

    def integer(digits: str) -> int:
        if len(digits) > max_digits:
            raise JsonError(f"a number has {len(digits)} characters, at most {max_digits} are accepted")
        return int(digits)

    def real(digits: str) -> float:
        number = float(digits) if len(digits) <= max_digits else float("inf")
        if number in (float("inf"), float("-inf")):
            raise JsonError("a number is too large; send one in the range of a double")
        return number

    return json.JSONDecoder(
        parse_int=integer,
        parse_float=real,
        parse_constant=_refuse_constant,
        object_pairs_hook=_object_without_duplicates,
    )


def _check_depth(text: str, max_depth: int) -> None:
    """Refuse deep nesting before the recursive parser runs."""
    if text.count("[") + text.count("{") <= max_depth:
        return
    depth = 0
    for bracket in _brackets(text):
        if bracket in "[{":
            depth += 1
            if depth > max_depth:
                raise JsonError(f"the JSON text is nested deeper than {max_depth} levels")
        else:
            depth -= 1


def _brackets(text: str) -> Iterator[str]:
    return (match.group() for match in _STRING_OR_BRACKET.finditer(text) if match.group()[0] != '"')


def _refuse_constant(name: str) -> NoReturn:
    raise JsonError(f"{name} is not JSON; send a finite number or null")


def _object_without_duplicates(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise JsonError("an object has the same name twice; send every name once")
    return result


def _refuse_lone_surrogates(value: Json) -> None:
    _encode(dumps(value))


def _reason(exc: Exception) -> str:
    if isinstance(exc, RecursionError):
        return "nested too deeply or inside itself"
    return str(exc).replace(" is not JSON serializable", "").replace(" JSON compliant", " accepted")


_NO_SCHEMAS: Final = frozenset({"config", "default", "metadata", "serialization"})
"""Keys of a core schema without schemas of an input."""


def _refused_as_int(value: object) -> object:
    if isinstance(value, bool):
        raise PydanticKnownError("int_type")
    return value


def _refused_as_float(value: object) -> object:
    if isinstance(value, bool):
        raise PydanticKnownError("float_type")
    return value


_CHECKS: Final = {"int": _refused_as_int, "float": _refused_as_float}


def _strict(part: Any) -> Any:
    """Return a core schema, or a part of one, with a check before every number. Objects are changed in place."""
    if isinstance(part, list | tuple):
        parts = cast("list[Any]", part)
        return type(parts)(map(_strict, parts))
    if not isinstance(part, dict):
        return part
    schema = cast("dict[str, Any]", part)
    if schema.get("type") == "model" and hasattr(schema["cls"], "numbers_checked"):
        return schema
    function: Any = schema.get("function")
    if isinstance(function, dict) and cast("dict[str, Any]", function).get("function") in _CHECKS.values():
        return schema
    if check := _CHECKS.get(schema.get("type", "")):
        return core_schema.no_info_before_validator_function(check, cast("CoreSchema", schema))
    for key in schema.keys() - _NO_SCHEMAS:
        if key == "fields" and isinstance(schema[key], dict):
            # by their own, arbitrary names
            fields = cast("dict[str, Any]", schema[key])
            fields.update({name: _strict(field) for name, field in fields.items()})
        else:
            schema[key] = _strict(schema[key])
    return schema


class StrictNumberModel(DeferredModel):
    """Base of the models of the API and the configuration, without booleans as numbers.

    Each model adds the checks to its own fields, once. Nested models have their own.
    """

    numbers_checked: ClassVar = True

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        is_made = isinstance(vars(cls).get("__pydantic_core_schema__"), dict)
        schema = handler(source)
        if not is_made:
            model = cast("dict[str, Any]", handler.resolve_ref_schema(schema))
            while model["type"] != "model":  # inside validators of the whole model
                model = model["schema"]
            model["schema"] = _strict(model["schema"])
        return schema
