"""Schemas of structured answers, which are JSON objects."""

from flexchat.schema.checker import check_schema
from flexchat.schema.finite import finite
from flexchat.schema.shape import Schema


def answer_schema(schema: Schema) -> tuple[Schema, tuple[str, ...]]:
    """Return the schema that answers are checked by, and the problems of one that cannot be used.

    A schema without a type is that of an object. What the checker does not have, such as recursion, is cut.
    """
    usable = finite({"type": "object", **schema})[0]
    return usable, check_schema(usable)
