"""Schemas of OpenAPI documents as JSON Schema 2020-12 within the limits of a tool's parameters."""

import re
from collections.abc import Mapping
from typing import Final

from cli.tool_import.document import Document, JsonObject, NotImportableError, list_of, object_of, text_of
from cli.tool_import.texts import plain
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.patterns import PatternError, compile_pattern
from flexchat.redaction import contains_key
from flexchat.schema.shape import MAX_SCHEMA_NODES
from flexchat.text import counted

MAX_DESCRIPTION: Final = 300
MAX_EXAMPLE: Final = 100
MAX_ENUM: Final = 200
"""Longest list of values in a schema that has to be cut."""

TYPES: Final = frozenset(("string", "number", "integer", "boolean", "array", "object", "null"))
_OTHER_TYPES: Final[Mapping[str, str]] = {
    "bool": "boolean",
    "date": "string",
    "datetime": "string",
    "double": "number",
    "float": "number",
    "int": "integer",
    "int32": "integer",
    "int64": "integer",
    "list": "array",
    "long": "integer",
    "map": "object",
    "text": "string",
}
_COUNTS: Final = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_NUMBERS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_DEFINITION = re.compile(r"[^A-Za-z0-9_.-]+")


class TooLargeError(Exception):
    """A schema with more values than a tool's parameters may have."""


class SchemaConverter:
    """Converter of the schemas of one tool.

    Without `max_depth` references become `definitions`; with it they are resolved, and what is nested deeper is cut
    to its type and values. A reference to a schema that contains it is cut, too. Descriptions have at most `max_text`
    characters. `subject` is the argument whose schema is converted, for the notes.
    """

    def __init__(
        self,
        document: Document,
        *,
        max_depth: int | None = None,
        defaults: bool = True,
        max_text: int = MAX_DESCRIPTION,
    ) -> None:
        self.definitions: JsonObject = {}
        self.subject = ""
        self._document = document
        self._max_depth = max_depth
        self._with_defaults = defaults
        self._max_text = max_text
        self._converted: dict[str, Json] = {}
        self._open: list[str] = []
        self._losses: dict[str, dict[str, None]] = {}
        self._count = 0

    @property
    def notes(self) -> list[str]:
        """Losses, each with the arguments that have it."""
        return [
            f"{', '.join(map(repr, subjects))}: {text}" if "" not in subjects else text
            for text, subjects in self._losses.items()
        ]

    def convert(self, schema: Json, depth: int = 1) -> Json:
        """Return one schema. Raises NotImportableError and TooLargeError."""
        if isinstance(schema, bool):
            return schema
        schema = object_of(schema)
        if isinstance(reference := schema.get("$ref"), str):
            target = self._referenced(reference, depth)
            text = plain(text_of(schema.get("description")), self._max_text)
            return {**target, "description": text} if text and isinstance(target, dict) else target
        if self._max_depth is not None and depth > self._max_depth:
            self._note(f"schemas below {counted(self._max_depth, 'level')} are cut")
            return self._cut(schema)
        return self._schema(schema, depth)

    def _referenced(self, reference: str, depth: int) -> Json:
        target = self._document.target(reference)
        if reference in self._open:
            self._note("a schema that contains itself is cut")
            return self._cut(object_of(target))
        if len(self._open) > 50:
            raise TooLargeError
        if self._max_depth is not None:
            self._open.append(reference)
            converted = self.convert(target, depth)
            self._open.pop()
            return converted
        if reference not in self._converted:
            self._open.append(reference)
            self._converted[reference] = self._definition(reference, self.convert(target))
            self._open.pop()
        return self._converted[reference]

    def _definition(self, reference: str, schema: Json) -> Json:
        """Return a reference to the definition, or the schema itself if it has no subschemas."""
        nested = ("$ref", "properties", "items", "allOf", "anyOf", "oneOf", "not", "additionalProperties")
        if not isinstance(schema, dict) or not any(keyword in schema for keyword in nested):
            return schema
        name = _DEFINITION.sub("_", reference.rpartition("/")[2])[:60] or "schema"
        while name in self.definitions:
            name += "_"
        self.definitions[name] = schema
        return {"$ref": f"#/$defs/{name}"}

    def _schema(self, schema: JsonObject, depth: int) -> JsonObject:
        single = list_of(schema.get("allOf"))
        if len(single) == 1 and "properties" not in schema:
            rest = {name: value for name, value in schema.items() if name != "allOf"}
            return self._merged(self.convert(single[0], depth), self._schema(rest, depth))
        result: JsonObject = {}
        types = types_of(schema)
        if types == ("array",):
            schema = self._with_choices_of_items(schema)
        if types:
            result["type"] = types[0] if len(types) == 1 else [*types]
        self._texts(schema, result)
        self._values(schema, types, result)
        self._bounds(schema, result)
        self._nested(schema, result, depth)
        self._count += len(result) + 1
        if self._count > MAX_SCHEMA_NODES:
            raise TooLargeError
        if schema.get("nullable") is True and self._document.version != "3.1":
            return _nullable(result)
        return result

    def _with_choices_of_items(self, schema: JsonObject) -> JsonObject:
        """Return the schema of a list whose `enum` has no lists with these choices for its items, as it is meant."""
        choices = list_of(schema.get("enum"))
        if not choices or any(isinstance(choice, list) for choice in choices):
            return schema
        self._note("the choices of a list are taken for those of its items")
        others = {name: value for name, value in schema.items() if name != "enum"}
        items = object_of(schema.get("items"))
        return {**others, "items": items if "enum" in self._document.resolved(items) else {**items, "enum": choices}}

    @staticmethod
    def _merged(inner: Json, outer: JsonObject) -> JsonObject:
        """Return the schema of an `allOf` with one item, with the texts beside it."""
        return {**object_of(inner), **outer}

    def _texts(self, schema: JsonObject, result: JsonObject) -> None:
        text = text_of(schema.get("description")) or text_of(schema.get("title"))
        if description := plain(text, self._max_text):
            result["description"] = description
        if isinstance(form := schema.get("format"), str) and len(form) <= 40 and not contains_key(form):
            result["format"] = form
        example = next(iter(list_of(schema.get("examples"))), schema.get("example"))
        short = isinstance(example, str) and 0 < len(example) <= MAX_EXAMPLE and not contains_key(example)
        if short or (isinstance(example, int | float) and not isinstance(example, bool)):
            result["examples"] = [example]

    def _values(self, schema: JsonObject, types: tuple[str, ...], result: JsonObject) -> None:
        choices = schema.get("enum")
        if isinstance(choices, list) and any(_has_key(choice) for choice in choices):
            self._note("values that look like keys are left out")
            choices = [choice for choice in choices if not _has_key(choice)]
        if isinstance(choices, list) and choices:
            values = [value for place, value in enumerate(choices) if value not in choices[:place]][: 2 * MAX_ENUM]
            if len(choices) <= MAX_ENUM or self._max_depth is None:
                result["enum"] = values if len(choices) <= 2 * MAX_ENUM else choices
                self._count += len(choices)
            else:
                self._note(f"a list of {len(choices)} values is left out")
        if "const" in schema and not _has_key(schema["const"]):
            result["const"] = schema["const"]
        default = schema.get("default")
        if default is None or not self._with_defaults or not _fits(default, types, choices):
            return
        if not _has_key(default):
            result["default"] = default

    def _bounds(self, schema: JsonObject, result: JsonObject) -> None:
        for keyword in _COUNTS:
            value = schema.get(keyword)
            if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
                result[keyword] = value
        for keyword in _NUMBERS:
            value = schema.get(keyword)
            if isinstance(value, int | float) and not isinstance(value, bool):
                result[keyword] = value
        for keyword, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            if schema.get(keyword) is True and bound in result:
                result[keyword] = result.pop(bound)
        step = schema.get("multipleOf")
        if isinstance(step, int | float) and not isinstance(step, bool) and step > 0:
            result["multipleOf"] = step
        if schema.get("uniqueItems") is True:
            result["uniqueItems"] = True
        if isinstance(pattern := schema.get("pattern"), str) and not contains_key(pattern):
            try:
                compile_pattern(pattern)
                result["pattern"] = pattern
            except PatternError:
                self._note("a pattern that RE2 does not support is left out")

    def _nested(self, schema: JsonObject, result: JsonObject, depth: int) -> None:
        self._properties(schema, result, depth)
        for keyword in ("items", "additionalProperties", "not"):
            if isinstance(value := schema.get(keyword), dict | bool):
                result[keyword] = self.convert(value, depth + 1)
        if result.get("type") == "array" and "items" not in result:
            result["items"] = {}
        for keyword in ("allOf", "anyOf", "oneOf", "prefixItems"):
            if parts := list_of(schema.get(keyword)):
                result[keyword] = [self.convert(part, depth + 1) for part in parts]
        patterns = object_of(schema.get("patternProperties"))
        if patterns and "additionalProperties" not in result:
            self._note("patternProperties is left out")

    def _properties(self, schema: JsonObject, result: JsonObject, depth: int) -> None:
        properties = object_of(schema.get("properties"))
        if not properties:
            return
        left_out = {name for name, value in properties.items() if self._is_read_only(value)}
        result.setdefault("type", "object")
        result["properties"] = {
            name: self.convert(value, depth + 1) for name, value in properties.items() if name not in left_out
        }
        if required := [name for name in required_of(schema) if name not in left_out]:
            result["required"] = [*required]

    def _is_read_only(self, schema: Json) -> bool:
        return self._document.resolved(schema).get("readOnly") is True

    def _cut(self, schema: JsonObject) -> JsonObject:
        """Return the type and the description of `schema`."""
        try:
            schema = self._document.resolved(schema)
        except NotImportableError:
            schema = {}
        types = types_of(schema)
        result: JsonObject = {"type": types[0]} if len(types) == 1 else {}
        self._values(schema, types, result)
        self._bounds(schema, result)
        if "array" in types:
            result["items"] = {}
        text = text_of(schema.get("description")) or text_of(schema.get("title"))
        return {**result, "description": plain(text, min(MAX_EXAMPLE, self._max_text))} if text else result

    def _note(self, text: str) -> None:
        self._losses.setdefault(text, {})[self.subject] = None


def required_of(schema: JsonObject) -> list[str]:
    """Return the required names; `required: true` of a property is none."""
    return [name for name in list_of(schema.get("required")) if isinstance(name, str)]


def is_object(schema: JsonObject) -> bool:
    """Return true for the schema of an object."""
    return types_of(schema) == ("object",)


def types_of(schema: JsonObject) -> tuple[str, ...]:
    """Return the types of a schema, also those that follow from its keywords; none for one without a type."""
    value = schema.get("type")
    names = [name for name in (value if isinstance(value, list) else [value]) if isinstance(name, str)]
    types = [_OTHER_TYPES.get(name.lower(), name.lower()) for name in names]
    known = tuple(dict.fromkeys(name for name in types if name in TYPES))
    if known:
        return known
    if isinstance(schema.get("properties"), dict):
        return ("object",)
    return ("array",) if isinstance(schema.get("items"), dict) and value is None else ()


def _has_key(value: Json) -> bool:
    """Return true for a value with a key, which no configuration may contain."""
    return contains_key(value if isinstance(value, str) else dumps(value))


def _nullable(schema: JsonObject) -> JsonObject:
    if "type" not in schema:
        return {"anyOf": [schema, {"type": "null"}]} if schema else {}
    types, choices = schema["type"], schema.get("enum")
    result: JsonObject = {**schema, "type": [*types, "null"] if isinstance(types, list) else [types, "null"]}
    if isinstance(choices, list) and None not in choices:
        result["enum"] = [*choices, None]
    return result


def _fits(value: Json, types: tuple[str, ...], choices: Json) -> bool:
    if isinstance(choices, list) and value not in choices:
        return False
    match value:
        case bool():
            name = {"boolean"}
        case int():
            name = {"integer", "number"}
        case float():
            name = {"number"}
        case str():
            name = {"string"}
        case list():
            name = {"array"}
        case dict():
            name = {"object"}
        case None:
            name = {"null"}
    return not types or not name.isdisjoint(types)
