"""Sample values of a tool's parameters, derived from its schema, for cases that an operator completes."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from flexchat.errors import ToolInputError
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.schema import ArgumentChecker
from flexchat.schema.shape import Schema, find, shape_of

PLACEHOLDER: Final = "…"
"""Placeholder for text without further constraints."""

MAX_VALUES: Final = 30
_MAX_CANDIDATES: Final = 500
_MAX_DEPTH: Final = 6

_BETWEEN_PARAMETERS: Final = frozenset(
    ("required", "dependentRequired", "dependentSchemas", "minProperties", "anyOf", "oneOf", "allOf", "not")
) | frozenset(("if", "then", "else"))

_USUAL_TEXTS: Final = (
    *(PLACEHOLDER, f"{PLACEHOLDER} 2", "example", "another", "A", "B", "AB", "CD", "EUR", "USD", "en-GB", "de-DE"),
    *("1", "2", "12", "123", "1234", "12345", "123456", "A-1", "A-2", "A-10001", "A-10002", "#336699", "+4940555011"),
    *("2026-05-04", "2026-05-05", "10:00", "11:00", "10:00:00", "11:00:00", "2026-05-04T10:00:00Z"),
    *("ana@example.com", "raj@example.com", "https://example.com/one", "https://example.com/two"),
)
"""Sample texts for parameters without a list of values; the later ones match common values of `pattern`."""

_USUAL_NUMBERS: Final = (2, 3, 1, 10, 5, 20, 50, 100, 1000, 0, 0.5, -1)

_BY_FORMAT: Final[Mapping[str, tuple[str, ...]]] = {
    "date": ("2026-05-04", "2026-05-05"),
    "date-time": ("2026-05-04T10:00:00Z", "2026-05-05T10:00:00Z"),
    "time": ("10:00:00Z", "11:00:00Z"),
    "email": ("ana@example.com", "raj@example.com"),
    "uri": ("https://example.com/one", "https://example.com/two"),
    "uuid": ("7b0d3c1e-58a1-4c39-9f6e-0a4f1f5c2d11", "7b0d3c1e-58a1-4c39-9f6e-0a4f1f5c2d12"),
}


def each_alone(parameters: Schema) -> dict[str, Json]:
    """Return a tool's schema without dependencies between parameters, so that a value can be checked alone."""
    return {keyword: value for keyword, value in parameters.items() if keyword not in _BETWEEN_PARAMETERS}


class PlausibleValues:
    """Sample values of the parameters of one tool, whose schema passes `check_schema`."""

    def __init__(self, parameters: Schema) -> None:
        self._alone = ArgumentChecker(each_alone(parameters))
        self._subschemas = shape_of(parameters).subschemas
        properties = parameters.get("properties")
        self._properties: Mapping[str, Json] = properties if isinstance(properties, dict) else {}

    def of(self, name: str) -> tuple[Json, ...]:
        """Return different accepted values of the parameter, the most informative first; empty when none can be
        derived."""
        found: dict[str, Json] = {}
        for value in islice(self._candidates(self._properties.get(name), _MAX_DEPTH), _MAX_CANDIDATES):
            if value is not None and value != "" and takes(self._alone, {name: value}):
                found.setdefault(dumps(value, sort_keys=True), value)
        return tuple(islice(found.values(), MAX_VALUES))

    def is_choice(self, name: str) -> bool:
        """Return true when the schema lists the values of the parameter."""
        return isinstance(self._resolved(self._properties.get(name)).get("enum"), list)

    def default(self, name: str) -> Json:
        """Return the parameter's default; None when it has none."""
        return self._resolved(self._properties.get(name)).get("default")

    def _candidates(self, schema: Json | Schema, depth: int) -> Iterator[Json]:
        """Return candidate values for `schema`; a checker decides which are valid."""
        resolved = self._resolved(schema)
        for keyword in ("enum", "examples"):
            yield from _list(resolved.get(keyword))
        for keyword in ("const", "example", "default"):
            if keyword in resolved:
                yield resolved[keyword]
        if "enum" in resolved or "const" in resolved or depth == 0:
            return
        for kind in _types(resolved):
            yield from self._of_type(kind, resolved, depth)
        for keyword in ("anyOf", "oneOf", "allOf"):
            for form in _list(resolved.get(keyword)):
                yield from self._candidates(form, depth - 1)

    def _of_type(self, kind: Json, schema: Schema, depth: int) -> Iterator[Json]:
        match kind:
            case "string":
                yield from _BY_FORMAT.get(str(schema.get("format")), ())
                yield from _USUAL_TEXTS
                yield from _long_enough(schema)
            case "integer" | "number":
                yield from _numbers(schema)
            case "boolean":
                yield from (True, False)
            case "array":
                yield from self._arrays(schema, depth)
            case "object":
                yield from self._objects(schema, depth)
            case _:
                return

    def _arrays(self, schema: Schema, depth: int) -> Iterator[Json]:
        items = list(islice(self._candidates(schema.get("items", {"type": "string"}), depth - 1), 20))
        least = schema.get("minItems")
        for length in dict.fromkeys((least if isinstance(least, int) and least else 1, 2)):
            yield from (list(items[start : start + length]) for start in range(0, len(items) - length + 1, length))

    def _objects(self, schema: Schema, depth: int) -> Iterator[Json]:
        properties = schema.get("properties")
        names = _list(schema.get("required")) or list(properties if isinstance(properties, dict) else ())
        values = {
            str(name): list(islice(self._candidates(properties.get(str(name)), depth - 1), 5))
            for name in names
            if isinstance(properties, dict)
        }
        for place in range(5):
            yield {name: choices[min(place, len(choices) - 1)] for name, choices in values.items() if choices}

    def _resolved(self, schema: Json | Schema) -> Schema:
        """Return `schema` with its reference resolved; keywords beside a reference count too."""
        if not isinstance(schema, Mapping):
            return {}
        reference = schema.get("$ref")
        found = find(reference, self._subschemas) if isinstance(reference, str) else None
        return {**self._resolved(found[1]), **schema} if found else schema


def takes(checker: ArgumentChecker, arguments: Mapping[str, Json]) -> bool:
    """Return true when a tool accepts these arguments."""
    try:
        checker.check(arguments)
    except ToolInputError:
        return False
    return True


def _types(schema: Schema) -> Sequence[Json]:
    types = schema.get("type")
    return types if isinstance(types, list) else [types]


def _long_enough(schema: Schema) -> Iterator[str]:
    least = schema.get("minLength")
    if isinstance(least, int) and least <= 1_000:
        yield (f"{PLACEHOLDER} " * least)[: max(least, 1)].rstrip().ljust(least, PLACEHOLDER)


def _numbers(schema: Schema) -> Iterator[Json]:
    bounds = [schema.get(keyword) for keyword in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")]
    step = schema.get("multipleOf")
    steps = [step] if isinstance(step, int | float) else [1]
    yield from _USUAL_NUMBERS
    for bound in bounds:
        if isinstance(bound, int | float):
            yield from (bound, *(bound + each for each in steps), *(bound - each for each in steps))
    yield from (each * factor for each in steps for factor in (1, 2, 3))


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
