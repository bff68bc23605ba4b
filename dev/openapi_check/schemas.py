"""Values of texts by the schemas of a document, independent of the importer of tools."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import unquote

MAX_DEPTH = 24


class MismatchError(Exception):
    """A value that does not fit its schema."""


def members(value: object) -> dict[str, Any]:
    """Return `value` if it is an object, else an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def entries(value: object) -> list[Any]:
    """Return `value` if it is a list, else an empty one."""
    return cast("list[Any]", value) if isinstance(value, list) else []


@dataclass(slots=True)
class SchemaReader:
    """Reader of values by the schemas of `source`, an OpenAPI document.

    A text becomes the number, the boolean or the null that its schema requires. `json_texts` counts the lists and
    objects that arrived as JSON text where the style has none.
    """

    source: dict[str, Any]
    json_texts: int = field(default=0)

    def resolved(self, schema: Any) -> dict[str, Any]:
        """Return the schema that `schema` is or refers to."""
        for _ in range(MAX_DEPTH):
            if not isinstance(reference := members(schema).get("$ref"), str):
                break
            schema = self._target(reference)
        return members(schema)

    def _target(self, reference: str) -> Any:
        value: Any = self.source
        for step in reference.split("/")[1:]:
            name = unquote(step).replace("~1", "/").replace("~0", "~")
            found = entries(cast("object", value))
            value = found[int(name)] if found else members(cast("object", value))[name]
        return value

    def kinds(self, schema: Any, depth: int = 0) -> set[str]:
        """Return which of `object`, `array` and `plain` a schema allows; `plain` for one without a type."""
        schema = self.resolved(schema)
        parts = [part for word in ("allOf", "anyOf", "oneOf") for part in entries(schema.get(word))]
        found = {kind for part in parts for kind in self.kinds(part, depth + 1)} if depth < MAX_DEPTH else set[str]()
        for name in self._types(schema):
            found.add(name if name in ("object", "array") else "plain")
        return found or {"plain"}

    def properties(self, schema: Any, depth: int = 0, *, alternatives: bool = True) -> dict[str, Any]:
        """Return the properties of an object, also those of `allOf`, and of its alternatives if wanted."""
        schema = self.resolved(schema)
        found: dict[str, Any] = {}
        for word in ("allOf", "anyOf", "oneOf") if alternatives else ("allOf",):
            for part in entries(schema.get(word)) if depth < MAX_DEPTH else ():
                for name, each in self.properties(part, depth + 1, alternatives=alternatives).items():
                    found[name] = {"anyOf": [found[name], each]} if name in found and word != "allOf" else each
        return {**found, **members(schema.get("properties"))}

    def value(self, value: Any, schema: Any, *, strict: bool = True, depth: int = 0) -> Any:
        """Return `value` with the types of its schema. Raises MismatchError.

        A `strict` object has no property that its schema does not name, unless the schema allows others.
        """
        schema = self.resolved(schema)
        if depth > MAX_DEPTH:
            return value
        alone = not any(schema.get(word) for word in ("allOf", "anyOf", "oneOf"))
        for part in entries(schema.get("allOf")):
            value = self.value(value, part, strict=False, depth=depth + 1)
        for word in ("anyOf", "oneOf"):
            if parts := entries(schema.get(word)):
                own = strict and not schema.get("properties") and not schema.get("allOf")
                value = self._first(parts, lambda part, v=value, s=own: self.value(v, part, strict=s, depth=depth + 1))
        return self._own(value, schema, strict=strict and alone, depth=depth)

    def _first(self, parts: list[Any], read: Callable[[Any], Any]) -> Any:
        reasons: list[str] = []
        for part in parts:
            try:
                return read(part)
            except MismatchError as exc:
                reasons.append(str(exc))
        raise MismatchError(f"fits no alternative: {'; '.join(dict.fromkeys(reasons))[:200]}")

    def _own(self, value: Any, schema: dict[str, Any], *, strict: bool, depth: int) -> Any:
        types = self._types(schema)
        choices = entries(schema.get("enum"))
        if types == ("array",) and choices and not any(isinstance(each, list) for each in choices):
            # Choices of a list that are no lists are meant for its items.
            schema = {**schema, "enum": None, "items": {**self.resolved(schema.get("items")), "enum": choices}}
        if schema.get("enum"):
            fitting = [each for each in schema["enum"] if each == value or text_of(each) == text_of(value)]
            if not fitting and not (value is None and schema.get("nullable")):
                raise MismatchError(f"{value!r} is none of {str(schema['enum'])[:80]}")
            return fitting[0] if fitting else None
        if value is None and (not types or "null" in types or schema.get("nullable")):
            return None
        if isinstance(value, str) and types and set(types) <= {"object", "array"}:
            value = self._from_json(value)
        value = self._typed(value, types)
        match value:
            case dict():
                return self._object(members(cast("object", value)), schema, strict=strict, depth=depth)
            case list():
                value = entries(cast("object", value))
                if not schema.get("minItems", 0) <= len(value) <= (schema.get("maxItems") or len(value)):
                    raise MismatchError(f"has {len(value)} items")
                return [self.value(item, schema.get("items") or {}, depth=depth + 1) for item in value]
            case str():
                if not schema.get("minLength", 0) <= len(value) <= (schema.get("maxLength") or len(value)):
                    raise MismatchError(f"has {len(value)} characters")
            case bool() | None:
                pass
            case _:
                if value < schema.get("minimum", value) or value > schema.get("maximum", value):
                    raise MismatchError(f"{value} is out of its range")
        return value

    def _object(self, value: dict[str, Any], schema: dict[str, Any], *, strict: bool, depth: int) -> dict[str, Any]:
        properties = members(schema.get("properties"))
        others = schema.get("additionalProperties")
        required = entries(schema.get("required"))
        for name in required:
            if name not in value and not self.resolved(properties.get(name)).get("readOnly"):
                raise MismatchError(f"lacks {name!r}")
        writable = [each for each in properties.values() if not self.resolved(each).get("readOnly")]
        result: dict[str, Any] = {}
        for name, item in value.items():
            if name in properties:
                result[name] = self.value(item, properties[name], depth=depth + 1)
            elif isinstance(others, dict) and others:
                result[name] = self.value(item, others, depth=depth + 1)
            elif strict and writable and others in (None, False) and name not in required:
                raise MismatchError(f"has {name!r}, which is no property")
            else:
                result[name] = item
        return result

    def _from_json(self, text: str) -> Any:
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        if not isinstance(found, dict | list):
            raise MismatchError(f"{text[:40]!r} is a text, not a list or an object")
        self.json_texts += 1
        return cast("Any", found)

    @staticmethod
    def _typed(value: Any, types: tuple[str, ...]) -> Any:
        if not types:
            return value
        found = list(_readings(value, types))
        if not found:
            raise MismatchError(f"{str(value)[:60]!r} is not of type {' or '.join(types)}")
        return found[0]

    @staticmethod
    def _types(schema: dict[str, Any]) -> tuple[str, ...]:
        kind = schema.get("type")
        if isinstance(kind, list):
            return tuple(entries(cast("object", kind)))
        if isinstance(kind, str):
            return (kind,)
        if isinstance(schema.get("properties"), dict):
            return ("object",)
        return ("array",) if isinstance(schema.get("items"), dict) else ()


def _readings(value: Any, types: tuple[str, ...]) -> Iterator[Any]:
    """Return the values that `value`, or its text, is for each of `types`."""
    text = value if isinstance(value, str) else None
    for name in types:
        match name:
            case "object" if isinstance(value, dict):
                yield value
            case "array" if isinstance(value, list):
                yield value
            case "boolean" if isinstance(value, bool) or text in ("true", "false"):
                yield value if text is None else text == "true"
            case "integer" if isinstance(value, int | float) and not isinstance(value, bool) and value == int(value):
                yield value
            case "number" if isinstance(value, int | float) and not isinstance(value, bool):
                yield value
            case "integer" | "number" if text is not None:
                try:
                    yield int(text) if name == "integer" else float(text)
                except ValueError:
                    continue
            case "null" if value is None or text == "":
                yield None
            case "string" | "file" if text is not None:
                yield value
            case other if other not in _KNOWN_TYPES:
                yield value
            case _:
                continue


_KNOWN_TYPES = frozenset({"object", "array", "boolean", "integer", "number", "null", "string", "file"})


def text_of(value: Any) -> str:
    """Return a scalar as the text that a request has for it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def leaves(value: Any) -> Iterator[str]:
    """Return the texts of all scalars in a value but null; numbers in one form."""
    match value:
        case dict():
            for item in members(cast("object", value)).values():
                yield from leaves(item)
        case list():
            for item in entries(cast("object", value)):
                yield from leaves(item)
        case None:
            return
        case float() if value.is_integer():
            yield str(int(value))
        case _:
            yield text_of(value)
