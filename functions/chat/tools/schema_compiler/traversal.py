"""Traversal of a JSON Schema."""

from collections.abc import Callable, Iterator, Mapping

from flexchat.messages import Json
from flexchat.schema.shape import DEFINITIONS, NAMED_SCHEMAS, ONE_SCHEMA, SCHEMA_LISTS, Pointer, Schema, find, shape_of
from functions.chat.tools.schema_compiler.dialects import LossReport

type SchemaObject = dict[str, Json]


def rebuilt(schema: SchemaObject, pointer: Pointer, convert: Callable[[Json, Pointer], Json]) -> SchemaObject:
    """Return a copy of `schema`, at `pointer`, with `convert` applied to every direct subschema."""
    result = dict(schema)
    for keyword, value in schema.items():
        here = (*pointer, keyword)
        if keyword in ONE_SCHEMA:
            result[keyword] = convert(value, here)
        elif keyword in SCHEMA_LISTS and isinstance(value, list):
            result[keyword] = [convert(sub, (*here, index)) for index, sub in enumerate(value)]
        elif keyword in (*NAMED_SCHEMAS, *DEFINITIONS) and isinstance(value, dict):
            result[keyword] = {name: convert(sub, (*here, name)) for name, sub in value.items()}
    return result


def schemas(schema: SchemaObject, keyword: str) -> list[Json]:
    """Return the list of `keyword`, empty without one."""
    value = schema.get(keyword)
    return value if isinstance(value, list) else []


def named(schema: SchemaObject, keyword: str) -> SchemaObject:
    """Return the mapping of `keyword`, empty without one."""
    value = schema.get(keyword)
    return value if isinstance(value, dict) else {}


def names(schema: SchemaObject, keyword: str) -> Iterator[str]:
    """Yield the texts in the list of `keyword`."""
    return (name for name in schemas(schema, keyword) if isinstance(name, str))


def types(schema: SchemaObject) -> tuple[str, ...]:
    """Return the types of `schema`, empty for any type."""
    value = schema.get("type")
    return (value,) if isinstance(value, str) else tuple(names(schema, "type"))


_BESIDE = frozenset(("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"))
"""Keywords beside a `$ref` that are copied to its target."""


class References:
    """References of one schema that `check_schema` accepted: each has a target, and none is circular."""

    def __init__(self, schema: SchemaObject) -> None:
        self._subschemas: Mapping[Pointer, Schema] = shape_of(schema).subschemas

    def resolved(self, schema: SchemaObject) -> SchemaObject:
        """Return `schema` with its own `$ref`, if any, replaced by the target."""
        while isinstance(reference := schema.get("$ref"), str) and (found := find(reference, self._subschemas)):
            schema = _joined(dict(found[1]), {name: value for name, value in schema.items() if name != "$ref"})
        return schema

    def inlined(self, schema: SchemaObject, report: LossReport, pointer: Pointer = ()) -> SchemaObject:
        """Return `schema` with every reference inlined and without definitions."""
        if "$ref" in schema:
            report.at(pointer).rewritten("$ref", "replaced by the schema it refers to")
        plain = {name: value for name, value in self.resolved(schema).items() if name not in DEFINITIONS}

        def convert(sub: Json, place: Pointer) -> Json:
            return self.inlined(sub, report, place) if isinstance(sub, dict) else sub

        return rebuilt(plain, pointer, convert)


def _joined(target: SchemaObject, beside: SchemaObject) -> SchemaObject:
    """Return the conjunction of a target and the keywords beside its reference, which 2020-12 allows."""
    if beside.keys() <= _BESIDE:
        return {**target, **beside}
    return {**beside, "allOf": [target, *schemas(beside, "allOf")]}
