"""The shape of a tool's JSON Schema: where its subschemas are, how far they expand, and what is refused about it.

A schema may come from a stranger (an MCP server) and is applied to what a model sends, so it is bounded before anything
runs it: no reference leaves the document or comes back to itself, and nothing multiplies.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from flexchat.messages import Json
from flexchat.patterns import PatternError, compile_pattern

MAX_SCHEMA_DEPTH: Final = 12
"""Subschemas inside one another, references followed."""

MAX_SCHEMA_NODES: Final = 2_000
"""Values of the document, and subschemas after all references are followed."""

_MAX_JSON_DEPTH: Final = 40

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

_REFUSED: Final = {
    "$anchor": "name the definition with '#/$defs/…' instead",
    "$dynamicAnchor": "only '$ref' to a place in this schema is supported",
    "$dynamicRef": "only '$ref' to a place in this schema is supported",
    "$recursiveAnchor": "only '$ref' to a place in this schema is supported",
    "$recursiveRef": "only '$ref' to a place in this schema is supported",
    "unevaluatedItems": "use 'items' instead",
    "unevaluatedProperties": "use 'additionalProperties' instead",
}


@dataclass(frozen=True, slots=True)
class SchemaShape:
    """`problems` is empty when the schema may be used; then `expansion` counts its subschemas, references followed."""

    subschemas: Mapping[Pointer, Schema]
    expansion: int
    problems: tuple[str, ...]


def shape_of(schema: Schema) -> SchemaShape:
    """Measure `schema`; takes time in proportion to its size, whatever it refers to."""
    if problem := _size_problem(schema):
        return SchemaShape({}, 0, (problem,))
    subschemas = dict(_subschemas(schema))
    problems = [problem for pointer, sub in subschemas.items() for problem in _local_problems(pointer, sub, subschemas)]
    if problems:
        return SchemaShape(subschemas, 0, tuple(problems))
    expansion = _Expansion(subschemas)
    return SchemaShape(subschemas, *expansion.measure())


def pointer_of(reference: str) -> Pointer:
    """`#/$defs/a~1b` as its steps. Steps are text here, also into lists."""
    return tuple(unquote(step).replace("~1", "/").replace("~0", "~") for step in reference.split("/")[1:])


def path_of(pointer: Pointer) -> str:
    """A place in a document as people write it: `properties.size.anyOf[1]`."""
    path = ""
    for step in pointer:
        path += f"[{step}]" if isinstance(step, int) else f".{step[:100]}" if path else step[:100]
    return path


def _size_problem(schema: Schema) -> str | None:
    """Why the document is too large to look at further. Goes level by level, so depth costs no stack."""
    level: list[Json | Schema] = [schema]
    nodes = 0
    for _ in range(_MAX_JSON_DEPTH):
        nodes += len(level)
        if nodes > MAX_SCHEMA_NODES:
            return f"the schema has more than {MAX_SCHEMA_NODES} values; make it smaller"
        below: list[Json | Schema] = []
        for value in level:
            if isinstance(value, Mapping):
                below.extend(value.values())
            elif isinstance(value, list):
                below.extend(value)
        if not below:
            return None
        level = below
    return f"the schema is nested deeper than {_MAX_JSON_DEPTH} levels; make it flatter"


def _subschemas(schema: Schema, pointer: Pointer = ()) -> Iterator[tuple[Pointer, Schema]]:
    yield pointer, schema
    for child_pointer, child in _children(schema, pointer, (*NAMED_SCHEMAS, *DEFINITIONS)):
        yield from _subschemas(child, child_pointer)


def _children(
    schema: Schema, pointer: Pointer, named: tuple[str, ...] = NAMED_SCHEMAS
) -> Iterator[tuple[Pointer, Schema]]:
    """The subschemas directly inside `schema`. A boolean schema has nothing to look into and is left out."""
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
    for keyword, remedy in _REFUSED.items():
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
    """The subschema that a local reference points at, with its place."""
    if reference != "#" and not reference.startswith("#/"):
        return None
    steps = pointer_of(reference)
    for pointer in (steps, tuple(int(step) if str(step).isdecimal() else step for step in steps)):
        if pointer in known:
            return pointer, known[pointer]
    return None


def _problem(pointer: Pointer, keyword: str, message: str) -> str:
    return f"{path_of((*pointer, keyword))}: {message}"


class _Expansion:
    """Counts subschemas with references followed, each place once, so that doubling is seen without being done."""

    def __init__(self, subschemas: Mapping[Pointer, Schema]) -> None:
        self._subschemas = subschemas
        self._measured: dict[Pointer, tuple[int, int]] = {}
        self._open: set[Pointer] = set()

    def measure(self) -> tuple[int, tuple[str, ...]]:
        try:
            size, depth = self._visit(())
        except _RefersToItselfError as exc:
            return 0, (f"{path_of(exc.pointer) or 'the schema'}: refers to itself; a tool's schema must be finite",)
        if size > MAX_SCHEMA_NODES:
            return size, (f"the references expand to more than {MAX_SCHEMA_NODES} schemas; use fewer of them",)
        if depth > MAX_SCHEMA_DEPTH:
            return size, (
                f"the schema is {depth} schemas deep, at most {MAX_SCHEMA_DEPTH} are accepted; make it flatter",
            )
        return size, ()

    def _visit(self, pointer: Pointer) -> tuple[int, int]:
        """Size and depth of what is at `pointer`."""
        if pointer in self._measured:
            return self._measured[pointer]
        if pointer in self._open:
            raise _RefersToItselfError(pointer)
        self._open.add(pointer)
        schema = self._subschemas[pointer]
        below = [self._visit(child) for child, _ in _children(schema, pointer)]
        reference = schema.get("$ref")
        if isinstance(reference, str) and (target := find(reference, self._subschemas)):
            below.append(self._visit(target[0]))
        self._open.discard(pointer)
        measured = 1 + sum(size for size, _ in below), 1 + max((depth for _, depth in below), default=0)
        self._measured[pointer] = measured
        return measured


class _RefersToItselfError(Exception):
    def __init__(self, pointer: Pointer) -> None:
        super().__init__(pointer)
        self.pointer = pointer
