"""Resolution of references inside a schema."""

from collections.abc import Mapping

from flexchat.messages import Json
from flexchat.schema.shape import DEFINITIONS, Pointer, Schema, find, shape_of
from functions.chat.tools.schema_compiler.traversal import SchemaObject, rebuilt, schemas
from functions.chat.tools.schema_compiler.warnings import LossReport

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
