"""References into the schema itself, followed."""

from collections.abc import Mapping

from flexchat.messages import Json
from flexchat.schema.shape import DEFINITIONS, Pointer, Schema, find, shape_of
from functions.chat.tools.schema_compiler.traversal import SchemaObject, rebuilt, schemas
from functions.chat.tools.schema_compiler.warnings import LossReport

_BESIDE = frozenset(("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"))
"""What may stand beside a `$ref` and is simply said of its target too."""


class References:
    """The references of one schema, which `check_schema` has found to lead somewhere and to end."""

    def __init__(self, schema: SchemaObject) -> None:
        self._subschemas: Mapping[Pointer, Schema] = shape_of(schema).subschemas

    def resolved(self, schema: SchemaObject) -> SchemaObject:
        """`schema` with the target of its own `$ref`, if it has one, in its place."""
        while isinstance(reference := schema.get("$ref"), str) and (found := find(reference, self._subschemas)):
            schema = _joined(dict(found[1]), {name: value for name, value in schema.items() if name != "$ref"})
        return schema

    def inlined(self, schema: SchemaObject, report: LossReport, pointer: Pointer = ()) -> SchemaObject:
        """`schema` with every reference followed and no definitions."""
        if "$ref" in schema:
            report.at(pointer).rewritten("$ref", "the schema it points at stands here")
        plain = {name: value for name, value in self.resolved(schema).items() if name not in DEFINITIONS}

        def convert(sub: Json, place: Pointer) -> Json:
            return self.inlined(sub, report, place) if isinstance(sub, dict) else sub

        return rebuilt(plain, pointer, convert)


def _joined(target: SchemaObject, beside: SchemaObject) -> SchemaObject:
    """Both at once: 2020-12 lets other keywords stand beside a reference."""
    if beside.keys() <= _BESIDE:
        return {**target, **beside}
    return {**beside, "allOf": [target, *schemas(beside, "allOf")]}
