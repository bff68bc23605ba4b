"""Random arguments of an imported tool: each of its parameters, required and optional."""

import random
from dataclasses import dataclass, field
from typing import Any

from dev.openapi_check.schemas import entries, members

MAX_OPTIONAL_DEPTH = 3
"""Levels of objects in which optional properties have a value, too."""

MAX_DEPTH = 12

_WORDS = ("a b", "x,y", "p&q=r", "1/2", "50%", "a+b", "[k]", "été", "漢字", "semi;colon", "pipe|d", "plain")
_SIMPLE_WORDS = ("alpha", "bravo", "charlie", "delta")


@dataclass(slots=True)
class ArgumentGenerator:
    """Generator of values that fit the schemas of a tool's parameters.

    Texts have characters that a request must escape; where the style has no escapes, the `simple` ones have none.
    """

    definitions: dict[str, Any]
    random: random.Random
    simple: bool = False
    _number: int = field(default=0)

    def value(self, schema: Any, depth: int = 0) -> Any:
        """Return a value of a schema, not null where another is allowed."""
        schema = members(schema)
        if depth > MAX_DEPTH:
            return self._text({})
        if reference := schema.get("$ref"):
            return self.value(self.definitions[reference.rpartition("/")[2]], depth)
        if "const" in schema:
            return schema["const"]
        if choices := entries(schema.get("enum")):
            return self.random.choice([each for each in choices if each not in (None, "")] or choices)
        for word in ("anyOf", "oneOf"):
            if parts := entries(schema.get(word)):
                parts = [part for part in parts if not _is_empty(part)] or parts
                found = self.value(self.random.choice(parts), depth)
                others = {key: item for key, item in schema.items() if key not in ("anyOf", "oneOf")}
                return self._merged(found, others, depth)
        if parts := entries(schema.get("allOf")):
            values = [self.value(part, depth) for part in parts]
            objects = {key: item for each in values for key, item in members(each).items()}
            return self._merged(objects or values[0], {**schema, "allOf": None}, depth)
        return self._typed(schema, depth)

    def _merged(self, value: object, schema: dict[str, Any], depth: int) -> object:
        """Return the value of an alternative with the properties beside it; without a type it is one of them."""
        own = self._object(schema, depth) if schema.get("properties") else {}
        return {**members(value), **own} if own else value

    def _typed(self, schema: dict[str, Any], depth: int) -> Any:
        kind = schema.get("type")
        kinds = [each for each in (entries(kind) or [kind]) if each != "null"]
        kind = self.random.choice(kinds) if kinds else "null"
        if kind is None and "properties" in schema:
            kind = "object"
        match kind:
            case "object":
                return self._object(schema, depth)
            case "array":
                least, most = schema.get("minItems", 0), schema.get("maxItems")
                count = max(least, 2 if most is None else min(2, most))
                return self._items(schema.get("items"), count, depth)
            case "integer" | "number":
                return self._numeric(schema)
            case "boolean":
                return self.random.random() < 0.5
            case "null":
                return None
            case _:
                return self._text(schema)

    def _items(self, schema: Any, count: int, depth: int) -> list[Any]:
        found: list[Any] = []
        for _ in range(4 * count):
            item = self.value(schema, depth + 1)
            if item not in found and len(found) < count:
                found.append(item)
        return found or [self.value(schema, depth + 1)]

    def _object(self, schema: dict[str, Any], depth: int) -> dict[str, Any]:
        properties = members(schema.get("properties"))
        required = entries(schema.get("required"))
        wanted = [name for name in properties if name in required or depth < MAX_OPTIONAL_DEPTH]
        wanted = wanted or list(properties)[:1]  # a query or a form has no empty objects
        found = {name: self.value(properties[name], depth + 1) for name in wanted}
        others = schema.get("additionalProperties")
        if not properties and others is not False and depth < MAX_OPTIONAL_DEPTH:
            found[f"key{self._next()}"] = self.value(members(others), depth + 1)
        return found

    def _numeric(self, schema: dict[str, Any]) -> Any:
        least = schema.get("minimum", schema.get("exclusiveMinimum"))
        most = schema.get("maximum", schema.get("exclusiveMaximum"))
        step = schema.get("multipleOf", 1)
        if least is None:
            least = 0 if most is None or most > 0 else most - 1_000 * step
        if most is None:
            most = least + 1_000 * step
        first, last = -(-least // step), most // step
        if "exclusiveMinimum" in schema and first * step == schema["exclusiveMinimum"]:
            first += 1
        if first > last:
            return least
        found = self.random.randint(int(first), int(min(last, first + 10_000))) * step
        return int(found) if found == int(found) else found

    def _text(self, schema: dict[str, Any]) -> str:
        least, most = schema.get("minLength", 0), schema.get("maxLength")
        words = _SIMPLE_WORDS if self.simple else _WORDS
        text = f"{self.random.choice(words)}{self._next()}"
        text = text.ljust(least, "x")
        return text if most is None else text[-most:] if most else ""

    def _next(self) -> int:
        self._number += 1
        return self._number


def _is_empty(schema: Any) -> bool:
    """Return true for an alternative without a value of its own: null, or the empty text."""
    return members(schema).get("type") == "null" or members(schema).get("enum") == [""]
