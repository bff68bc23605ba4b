"""Shape of a tool's JSON Schema: its subschemas, their expansion and unsupported keywords.

A schema may come from another party (an MCP server) and validates input of a model, so it is limited before it is used:
no reference leaves the document or refers to itself, and the expansion of references is bounded.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import unquote

from msgspec import Struct

from flexchat.messages import Json
from flexchat.patterns import PatternError, compile_pattern

MAX_SCHEMA_DEPTH: Final = 12
"""Maximum nesting of subschemas with references resolved."""

MAX_SCHEMA_NODES: Final = 2_000
"""Maximum number of values of the document, and of subschemas with references resolved."""

_MAX_JSON_DEPTH: Final = 40

_MAX_MEASURED_DEPTH: Final = 300
"""Depth to which a schema is measured; a longer chain of references is only known to be deeper."""

type Schema = Mapping[str, Json]
type Pointer = tuple[str | int, ...]

ONE_SCHEMA: Final = (
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
)
SCHEMA_LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
NAMED_SCHEMAS: Final = ("dependentSchemas", "patternProperties", "properties")
DEFINITIONS: Final = ("$defs", "definitions")

_INDEX: Final = re.compile(r"[0-9]{1,9}")
"""Step of a reference into a list; `int` raises ValueError for one of thousands of digits."""

REFUSED_KEYWORDS: Final = {
    "$anchor": "name the definition with '#/$defs/…' instead",
    "$dynamicAnchor": "only '$ref' to a place in this schema is supported",
    "$dynamicRef": "only '$ref' to a place in this schema is supported",
    "$recursiveAnchor": "only '$ref' to a place in this schema is supported",
    "$recursiveRef": "only '$ref' to a place in this schema is supported",
    "unevaluatedItems": "use 'items' instead",
    "unevaluatedProperties": "use 'additionalProperties' instead",
}


class SchemaShape(Struct, frozen=True):
    """Shape of one schema; `expansion` is the number of subschemas with references resolved, if `problems` is empty."""

    subschemas: Mapping[Pointer, Schema]
    expansion: int
    problems: tuple[str, ...]


def shape_of(schema: Schema) -> SchemaShape:
    """Return the shape of `schema`, in time proportional to its size."""
    if problem := _size_problem(schema):
        return SchemaShape({}, 0, (problem,))
    subschemas = dict(subschemas_of(schema))
    problems = [problem for pointer, sub in subschemas.items() for problem in _local_problems(pointer, sub, subschemas)]
    if problems:
        return SchemaShape(subschemas, 0, tuple(problems))
    expansion = _Expansion(subschemas)
    return SchemaShape(subschemas, *expansion.measure())


def pointer_of(reference: str) -> Pointer:
    """Return `#/$defs/a~1b` as steps; steps into lists are text too."""
    return tuple(unquote(step).replace("~1", "/").replace("~0", "~") for step in reference.split("/")[1:])


def path_of(pointer: Pointer) -> str:
    """Return a path in a document such as `properties.size.anyOf[1]`."""
    path = ""
    for step in pointer:
        path += f"[{step}]" if isinstance(step, int) else f".{step[:100]}" if path else step[:100]
    return path


def _size_problem(schema: Schema) -> str | None:
    """Return the problem of a document that is too large."""
    nodes = 0
    for depth, level in enumerate(levels_of(schema)):
        nodes += len(level)
        if nodes > MAX_SCHEMA_NODES:
            return f"the schema has more than {MAX_SCHEMA_NODES} values; make it smaller"
        if depth == _MAX_JSON_DEPTH:
            return f"the schema is nested deeper than {_MAX_JSON_DEPTH} levels; make it flatter"
    return None


def levels_of(schema: Schema) -> Iterator[list[Json | Schema]]:
    """Yield the values of a document by their depth, without recursion."""
    level: list[Json | Schema] = [schema]
    while level:
        yield level
        below: list[Json | Schema] = []
        for value in level:
            if isinstance(value, Mapping):
                below.extend(value.values())
            elif isinstance(value, list):
                below.extend(value)
        level = below


def subschemas_of(schema: Schema, pointer: Pointer = ()) -> Iterator[tuple[Pointer, Schema]]:
    """Yield a schema and all subschemas with their places, each before those that it contains."""
    yield pointer, schema
    for child_pointer, child in children_of(schema, pointer, (*NAMED_SCHEMAS, *DEFINITIONS)):
        yield from subschemas_of(child, child_pointer)


def children_of(
    schema: Schema, pointer: Pointer, named: tuple[str, ...] = NAMED_SCHEMAS
) -> Iterator[tuple[Pointer, Schema]]:
    """Yield the direct subschemas of `schema`, without boolean ones."""
    for keyword in ONE_SCHEMA:
        child = schema.get(keyword)
        if isinstance(child, dict):
            yield (*pointer, keyword), child
    for keyword in SCHEMA_LISTS:
        children = schema.get(keyword)
        if isinstance(children, list):
            for index, child in enumerate(children):
                if isinstance(child, dict):
                    yield (*pointer, keyword, index), child
    for keyword in named:
        children = schema.get(keyword)
        if isinstance(children, dict):
            for name, child in children.items():
                if isinstance(child, dict):
                    yield (*pointer, keyword, name), child


def _local_problems(pointer: Pointer, schema: Schema, known: Mapping[Pointer, Schema]) -> Iterator[str]:
    for keyword, remedy in REFUSED_KEYWORDS.items():
        if keyword in schema:
            yield _problem(pointer, keyword, f"not supported; {remedy}")
    if pointer:
        for keyword in ("$id", "$schema"):
            if keyword in schema:
                yield _problem(pointer, keyword, "only the whole schema may have one")
    reference = schema.get("$ref")
    if "$ref" in schema and (not isinstance(reference, str) or not reference.startswith("#")):
        yield _problem(pointer, "$ref", "must point into this schema, such as '#/$defs/name'; nothing is fetched")
    elif isinstance(reference, str) and find(reference, known) is None:
        yield _problem(pointer, "$ref", f"{reference[:100]!r} is not a schema of this document")
    patterns = schema.get("patternProperties")
    for pattern in (schema.get("pattern"), *(patterns if isinstance(patterns, dict) else ())):
        if isinstance(pattern, str):
            try:
                compile_pattern(pattern)
            except PatternError as exc:
                yield _problem(
                    pointer, "pattern" if pattern == schema.get("pattern") else "patternProperties", str(exc)
                )


def find(reference: str, known: Mapping[Pointer, Schema]) -> tuple[Pointer, Schema] | None:
    """Return the target of a local reference, with its path."""
    if reference != "#" and not reference.startswith("#/"):
        return None
    steps = pointer_of(reference)
    for pointer in (steps, tuple(int(step) if _INDEX.fullmatch(str(step)) else step for step in steps)):
        if pointer in known:
            return pointer, known[pointer]
    return None


def _problem(pointer: Pointer, keyword: str, message: str) -> str:
    return f"{path_of((*pointer, keyword))}: {message}"


class _Expansion:
    """Count of subschemas with references resolved, computed once per path: exponential growth takes no time."""

    def __init__(self, subschemas: Mapping[Pointer, Schema]) -> None:
        self._subschemas = subschemas
        self._measured: dict[Pointer, tuple[int, int]] = {}
        self._open: set[Pointer] = set()

    def measure(self) -> tuple[int, tuple[str, ...]]:
        try:
            size, depth = self._visit(())
        except _TooDeepError:
            return 0, (_depth_problem(f"more than {_MAX_MEASURED_DEPTH}"),)
        except _RefersToItselfError as exc:
            return 0, (f"{path_of(exc.pointer) or 'the schema'}: refers to itself; a tool's schema must be finite",)
        if size > MAX_SCHEMA_NODES:
            return size, (f"the references expand to more than {MAX_SCHEMA_NODES} schemas; use fewer of them",)
        if depth > MAX_SCHEMA_DEPTH:
            return size, (_depth_problem(str(depth)),)
        return size, ()

    def _visit(self, pointer: Pointer) -> tuple[int, int]:
        """Return size and depth of the subschema at `pointer`."""
        if pointer in self._measured:
            return self._measured[pointer]
        if pointer in self._open:
            raise _RefersToItselfError(pointer)
        if len(self._open) == _MAX_MEASURED_DEPTH:
            raise _TooDeepError
        self._open.add(pointer)
        schema = self._subschemas[pointer]
        below = [self._visit(child) for child, _ in children_of(schema, pointer)]
        reference = schema.get("$ref")
        if isinstance(reference, str) and (target := find(reference, self._subschemas)):
            below.append(self._visit(target[0]))
        self._open.discard(pointer)
        measured = 1 + sum(size for size, _ in below), 1 + max((depth for _, depth in below), default=0)
        self._measured[pointer] = measured
        return measured


def _depth_problem(depth: str) -> str:
    return f"the schema is {depth} schemas deep, at most {MAX_SCHEMA_DEPTH} are accepted; make it flatter"


class _TooDeepError(Exception):
    pass


class _RefersToItselfError(Exception):
    def __init__(self, pointer: Pointer) -> None:
        super().__init__(pointer)
        self.pointer = pointer
