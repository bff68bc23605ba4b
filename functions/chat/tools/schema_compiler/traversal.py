"""Traversal of a JSON Schema."""

from collections.abc import Callable, Iterator

from flexchat.messages import Json
from flexchat.schema.shape import DEFINITIONS, NAMED_SCHEMAS, ONE_SCHEMA, SCHEMA_LISTS, Pointer

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
