"""Validation of a tool's schema and of the arguments of its calls, by jsonschema, which the first check imports."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import islice
from typing import Any, Final, cast

from flexchat.errors import ConfigError, Problem, ToolInputError
from flexchat.json import JsonError, byte_size
from flexchat.messages import Json
from flexchat.schema.names import additional_names
from flexchat.schema.shape import Schema, find, path_of, shape_of
from flexchat.schema.wording import messages

MAX_ARGUMENT_BYTES: Final = 262_144
MAX_ARGUMENT_VALUES: Final = 5_000
MAX_ARGUMENT_DEPTH: Final = 32
MAX_ERRORS: Final = 50

_PLAIN_VALUES: Final = 16
_PLAIN_CHARACTERS: Final = 1_000
"""Most values, and characters of each, of plain arguments: with six bytes for each they are far below every limit."""

_MAX_CHECKS: Final = 2_000_000
"""Maximum work of one call: subschemas times values."""


def check_schema(schema: Schema) -> tuple[str, ...]:
    """Return every problem of a tool's `parameters` with its path; empty for a valid schema.

    A valid one is JSON Schema 2020-12 of type object within the limits of `flexchat.schema.shape`, with patterns of RE2
    and with defaults that fit their schemas.
    """
    if schema.get("type") != "object":
        return ("type: must be 'object'; a tool's parameters are an object with 'properties'",)
    schema = _without_dialect(schema)
    shape = shape_of(schema)
    if shape.problems:
        return shape.problems
    from flexchat.schema.keywords import METASCHEMA

    if invalid := tuple(_metaschema_message(error) for error in islice(METASCHEMA.iter_errors(schema), MAX_ERRORS)):
        return tuple(dict.fromkeys(invalid))
    validator = _validator(schema)
    return tuple(
        f"{path_of((*pointer, 'default'))}: does not fit its own schema"
        for pointer, sub in shape.subschemas.items()
        if sub.get("default") is not None and not validator.evolve(schema=dict(sub)).is_valid(sub["default"])
    )


class ArgumentChecker:
    """Checker of arguments against one tool's schema; created once per tool.

    Raises `ConfigError` for a schema beyond the limits of `flexchat.schema.shape`. Only `check_schema` finds a schema
    that is invalid otherwise.
    """

    def __init__(self, schema: Schema) -> None:
        schema = _without_dialect(schema)
        shape = shape_of(schema)
        if shape.problems:
            raise ConfigError(tuple(Problem("parameters", problem) for problem in shape.problems))
        self._schema = schema
        self._subschemas = shape.subschemas
        self._validator = _validator(schema)
        self._max_values = min(MAX_ARGUMENT_VALUES, _MAX_CHECKS // shape.expansion)
        self._has_defaults = any("default" in sub for sub in shape.subschemas.values())

    def check(self, arguments: Mapping[str, Json]) -> dict[str, Json]:
        """Return a copy of `arguments` with the schema's defaults, and with integral floats as integers.

        Defaults are applied inside given objects too. Unknown parameters are not removed. Raises `ToolInputError` with
        every error, missing parameters first.
        """
        given = dict(arguments)
        is_plain = _is_plain(given)
        if not is_plain and (problem := self._size_problem(given)):
            raise ToolInputError((problem,))
        found = self._validator.iter_errors(given)
        errors = tuple(dict.fromkeys(islice((text for error in found for text in messages(error)), MAX_ERRORS)))
        if errors:
            raise ToolInputError(tuple(sorted(errors, key=lambda text: not text.startswith("Missing"))))
        return (
            given if is_plain and not self._has_defaults else cast("dict[str, Json]", self._fill(self._schema, given))
        )

    def _size_problem(self, arguments: dict[str, Json]) -> str | None:
        level: list[Json] = [arguments]
        values = 0
        for _ in range(MAX_ARGUMENT_DEPTH):
            values += len(level)
            if values > self._max_values:
                return f"The arguments have more than {self._max_values} values; send fewer"
            level = [item for value in level for item in _items(value)]
            if not level:
                break
        else:
            return f"The arguments are nested deeper than {MAX_ARGUMENT_DEPTH} levels; send them flatter"
        try:
            size = byte_size(arguments)
        except JsonError as exc:
            return f"The arguments are not JSON: {exc}"
        return (
            None
            if size <= MAX_ARGUMENT_BYTES
            else f"The arguments have {size} bytes; send at most {MAX_ARGUMENT_BYTES}"
        )

    def _fill(self, schema: Json | Schema, value: Json) -> Json:
        """Return `value` with defaults, and with 3.0 as 3 where only an integer is allowed."""
        if not isinstance(value, float | dict | list) or not isinstance(schema, Mapping):
            return value
        for sub in self._applying(schema, value):
            value = self._fill(sub, value)
        if isinstance(value, float) and value.is_integer() and _is_integer_only(schema):
            return int(value)
        if isinstance(value, dict):
            return self._fill_object(schema, value)
        if isinstance(value, list):
            return self._fill_list(schema, value)
        return value

    def _fill_object(self, schema: Schema, value: dict[str, Json]) -> dict[str, Json]:
        properties = schema.get("properties")
        known = properties if isinstance(properties, dict) else {}
        filled = {name: self._fill(known.get(name), item) for name, item in value.items()}
        if isinstance(schema.get("additionalProperties"), dict):
            for name in additional_names(value, schema):
                filled[name] = self._fill(schema["additionalProperties"], value[name])
        return self._with_defaults(schema, filled)

    def _with_defaults(self, schema: Schema, value: dict[str, Json]) -> dict[str, Json]:
        """Add the defaults of absent properties to an object."""
        properties = schema.get("properties")
        for name, sub in properties.items() if isinstance(properties, dict) else ():
            if name not in value:
                value.update((name, deepcopy(default)) for default in self._defaults(sub))
        return value

    def _fill_list(self, schema: Schema, value: list[Json]) -> list[Json]:
        prefix = schema.get("prefixItems")
        first = prefix if isinstance(prefix, list) else []
        rest = schema.get("items")
        return [self._fill(first[index] if index < len(first) else rest, item) for index, item in enumerate(value)]

    def _applying(self, schema: Schema, value: Json) -> Iterator[Json | Schema]:
        """Yield the further schemas of `value`: a reference's target, `allOf`, the alternative that fits."""
        target = self._target(schema)
        if target is not None:
            yield target
        yield from _list_of(schema, "allOf")
        if isinstance(value, float | dict | list):
            for keyword in ("anyOf", "oneOf"):
                forms = _list_of(schema, keyword)
                yield from islice((form for form in forms if self._fits(form, value)), 1)

    def _defaults(self, schema: Json) -> Iterator[Json]:
        """Yield the default of `schema` or of its reference's target; none for a `null` that does not fit."""
        for place in (schema, self._target(schema) if isinstance(schema, dict) else None):
            if isinstance(place, Mapping) and "default" in place:
                if place["default"] is not None or self._fits(schema, None):
                    yield place["default"]
                return

    def _target(self, schema: Schema) -> Schema | None:
        reference = schema.get("$ref")
        found = find(reference, self._subschemas) if isinstance(reference, str) else None
        return found[1] if found else None

    def _fits(self, schema: Json, value: Json) -> bool:
        return bool(self._validator.evolve(schema=schema).is_valid(value))


class ResultChecker:
    """Checker of results against the schema that another party declares for them; created once per schema.

    A schema beyond the limits of `flexchat.schema.shape` has `problems`, and checks nothing.
    """

    def __init__(self, schema: Schema) -> None:
        schema = _without_dialect(schema)
        shape = shape_of(schema)
        self.problems = shape.problems
        self._validator = _validator(schema)
        self._max_values = _MAX_CHECKS // max(1, shape.expansion)

    def errors(self, result: Json) -> tuple[str, ...]:
        """Return why `result` does not fit; empty for one that fits, or is too large to be checked."""
        if self.problems or _has_more_values(result, self._max_values):
            return ()
        found = (text for error in self._validator.iter_errors(result) for text in messages(error))
        return tuple(
            dict.fromkeys(text.replace("required parameter", "property") for text in islice(found, MAX_ERRORS))
        )


def _is_plain(arguments: Mapping[str, Json]) -> bool:
    """Return true for a few short texts of ASCII, booleans and nulls, and integers of 64 bits.

    They are within every limit of size, they are JSON, and nothing in them is filled in or converted.
    """
    return len(arguments) <= _PLAIN_VALUES and all(
        _is_plain_text(name) and (value is None or _is_plain_text(value) or _is_plain_integer(value))
        for name, value in arguments.items()
    )


def _is_plain_text(value: Json) -> bool:
    return isinstance(value, str) and len(value) <= _PLAIN_CHARACTERS and value.isascii()


def _is_plain_integer(value: Json) -> bool:
    return isinstance(value, int) and -(2**63) <= value < 2**63


def _has_more_values(value: Json, maximum: int) -> bool:
    """Return true for more values than `maximum`, or a nesting beyond that of arguments."""
    level, count = [value], 0
    for _ in range(MAX_ARGUMENT_DEPTH):
        count += len(level)
        if count > maximum:
            return True
        level = [item for each in level for item in _items(each)]
        if not level:
            return False
    return True


def load_validator() -> None:
    """Import jsonschema and what it loads for its first validator, for the checks that need one."""
    _validator({})


def _validator(schema: Schema) -> Any:
    from flexchat.schema.keywords import schema_validator

    return schema_validator(schema)


def _without_dialect(schema: Schema) -> Schema:
    """Return `schema` without `$schema`, with which jsonschema would use its own keywords."""
    return {name: value for name, value in schema.items() if name != "$schema"}


def _metaschema_message(error: Any) -> str:
    place = path_of(tuple(error.absolute_path))
    if error.absolute_path and error.absolute_path[-1] == "type":
        return f"{place}: must be one of array, boolean, integer, null, number, object, string, or a list of them"
    return f"{place or 'the schema'}: {error.message[:200]}"


def _items(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _list_of(schema: Schema, keyword: str) -> list[Json]:
    value = schema.get(keyword)
    return value if isinstance(value, list) else []


def _is_integer_only(schema: Schema) -> bool:
    types = schema.get("type")
    return types == "integer" or (isinstance(types, list) and "integer" in types and "number" not in types)
