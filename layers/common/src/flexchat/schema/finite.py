"""Schemas of other parties, such as MCP servers, in the form that the checker and models need.

What the checker does not have is cut: recursion, more than `MAX_SCHEMA_DEPTH` levels, references out of the document,
patterns that RE2 does not have. Keywords of older drafts are rewritten. The result accepts at least what the schema
accepts, and the other party checks its arguments itself.
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import islice
from typing import Final, cast

from flexchat.messages import Json
from flexchat.patterns import PatternError, compile_pattern
from flexchat.schema.shape import (
    DEFINITIONS,
    MAX_SCHEMA_DEPTH,
    REFUSED_KEYWORDS,
    Pointer,
    Schema,
    children_of,
    find,
    levels_of,
    path_of,
    shape_of,
    subschemas_of,
)

LIMITS: Final = (MAX_SCHEMA_DEPTH, 8, 6, 4, 3)
"""Levels that are kept, the first of them with which the schema is within the limits of its expansion."""

_MAX_DOCUMENT_DEPTH: Final = 200
"""Nesting of JSON up to which a document is looked at."""

_TYPES: Final[dict[str, type | tuple[type, ...]]] = {
    "array": list,
    "boolean": bool,
    "integer": (int, float),
    "null": type(None),
    "number": (int, float),
    "object": dict,
    "string": str,
}


def finite(schema: Schema) -> tuple[Schema, tuple[str, ...]]:
    """Return a schema as the checker accepts it, and what was cut from it: `path: reason`, one for each place.

    A schema without anything to cut is returned itself, and so is one that is not usable when it is cut.
    """
    shape = shape_of(schema)
    if not shape.problems and not any(_is_odd(sub) for sub in shape.subschemas.values()):
        return schema, ()
    if any(islice(levels_of(schema), _MAX_DOCUMENT_DEPTH, None)):
        return schema, ()
    for limit in LIMITS:
        copy = deepcopy(dict(schema))
        cutting = _Cutting(copy, limit)
        cutting.run()
        if not shape_of(copy).problems:
            return copy, tuple(dict.fromkeys(cutting.losses))
    return schema, ()


def _is_odd(schema: Schema) -> bool:
    """Return whether a subschema has a keyword of an older draft, or a default that does not fit its type."""
    return (
        isinstance(schema.get("items"), list)
        or isinstance(schema.get("exclusiveMinimum"), bool)
        or isinstance(schema.get("exclusiveMaximum"), bool)
        or isinstance(schema.get("required"), bool)
        or schema.get("nullable") is True
        or not _default_fits(schema)
    )


def _default_fits(schema: Schema) -> bool:
    default = schema.get("default")
    if default is None:
        return True
    values = schema.get("enum")
    if isinstance(values, list) and default not in values:
        return False
    names = schema.get("type")
    if not isinstance(names, str | list):
        return True
    return any(_has_type(default, name) for name in ([names] if isinstance(names, str) else names))


def _has_type(value: Json, name: Json) -> bool:
    if not isinstance(name, str) or name not in _TYPES:
        return True
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[name])


class _Cutting:
    """Cuts one document in place, subschemas before those that contain or refer to them."""

    def __init__(self, schema: dict[str, Json], limit: int) -> None:
        self._subschemas: dict[Pointer, dict[str, Json]] = {}
        self._limit = limit
        self._ordered: list[Pointer] = []
        self._edges: dict[Pointer, list[Pointer]] = {}
        self._closing: dict[Pointer, Pointer] = {}
        self._loosened: set[Pointer] = set()
        self.losses: list[str] = []
        for pointer, sub in subschemas_of(schema):
            self._subschemas[pointer] = cast("dict[str, Json]", sub)
            self._rewrite(pointer, self._subschemas[pointer])  # before its own subschemas are looked for

    def run(self) -> None:
        for pointer in self._subschemas:  # the whole schema is the first; definitions that nothing refers to follow
            self._order(pointer)
        levels = self._levels()
        for pointer in self._ordered:
            before = len(self.losses)
            self._cut(pointer, levels[pointer])
            if len(self.losses) > before or any(edge in self._loosened for edge in self._edges[pointer]):
                self._loosened.add(pointer)
        self._drop_definitions()

    def _order(self, start: Pointer) -> None:
        """Order what a subschema contains and refers to before it; note references that close a circle."""
        opened: dict[Pointer, Iterator[Pointer]] = {}
        if start not in self._edges:
            opened[start] = iter(self._edges_of(start, opened))
        while opened:
            pointer, edges = next(reversed(opened.items()))
            edge = next((each for each in edges if each not in self._edges), None)
            if edge is None:
                del opened[pointer]
                self._ordered.append(pointer)
            else:
                opened[edge] = iter(self._edges_of(edge, opened))

    def _edges_of(self, pointer: Pointer, opened: Mapping[Pointer, object]) -> list[Pointer]:
        """Return the places of what a subschema contains and refers to, without a reference back to what is open."""
        schema = self._subschemas[pointer]
        edges = [child for child, _ in children_of(schema, pointer)]
        reference = schema.get("$ref")
        found = find(reference, self._subschemas) if isinstance(reference, str) else None
        if found is not None and (found[0] in opened or found[0] == pointer):
            self._closing[pointer] = found[0]
        elif found is not None:
            edges.append(found[0])
        self._edges[pointer] = edges
        return edges

    def _levels(self) -> dict[Pointer, int]:
        """Return the longest way from the whole schema to each subschema, which is 1 for the schema itself."""
        levels = dict.fromkeys(self._subschemas, 1)
        for pointer in reversed(self._ordered):
            for edge in self._edges[pointer]:
                levels[edge] = max(levels[edge], levels[pointer] + 1)
        return levels

    def _cut(self, pointer: Pointer, level: int) -> None:
        schema = self._subschemas[pointer]
        if level >= self._limit and self._edges[pointer]:
            kept = {name: schema[name] for name in ("type", "title", "description") if name in schema}
            if level == self._limit:
                self._lose(pointer, "", f"cut: the schema has more than {self._limit} levels")
            schema.clear()
            schema.update(kept)
            return
        self._drop_keywords(pointer, schema)
        self._drop_reference(pointer, schema)
        self._drop_patterns(pointer, schema)
        self._drop_conditions(pointer, schema)

    def _drop_keywords(self, pointer: Pointer, schema: dict[str, Json]) -> None:
        for keyword in (*REFUSED_KEYWORDS, *(("$id", "$schema") if pointer else ())):
            if keyword in schema:
                del schema[keyword]
                if not keyword.endswith(("nchor", "$id", "$schema")):
                    self._lose(pointer, keyword, "dropped: the checker does not have it")

    def _drop_reference(self, pointer: Pointer, schema: dict[str, Json]) -> None:
        if "$ref" not in schema:
            return
        if (target := self._closing.get(pointer)) is not None:
            del schema["$ref"]
            again = self._subschemas[target]
            if "type" in again:
                schema.setdefault("type", again["type"])
            name = again.get("title") if isinstance(again.get("title"), str) else path_of(target[-1:]) or "the whole"
            note = f"Has the form of {name!r} again."
            schema["description"] = f"{text} {note}" if isinstance(text := schema.get("description"), str) else note
            self._lose(pointer, "$ref", "cut: it refers to itself")
            return
        reference = schema["$ref"]
        if not isinstance(reference, str) or find(reference, self._subschemas) is None:
            del schema["$ref"]
            self._lose(pointer, "$ref", f"dropped: {str(reference)[:100]!r} is not a schema of this document")

    def _drop_patterns(self, pointer: Pointer, schema: dict[str, Json]) -> None:
        if isinstance(pattern := schema.get("pattern"), str) and (problem := _pattern_problem(pattern)):
            del schema["pattern"]
            self._lose(pointer, "pattern", f"dropped: {problem}")
        patterns = schema.get("patternProperties")
        if isinstance(patterns, dict):
            for pattern in [*patterns]:
                if problem := _pattern_problem(pattern):
                    del patterns[pattern]
                    # Names of the pattern would be additional ones.
                    schema.pop("additionalProperties", None)
                    self._lose(pointer, "patternProperties", f"dropped: {problem}")

    def _drop_conditions(self, pointer: Pointer, schema: dict[str, Json]) -> None:
        """Drop keywords that would refuse more with a subschema that accepts more."""
        if (*pointer, "not") in self._loosened:
            del schema["not"]
            self._lose(pointer, "not", "dropped: its schema was cut")
        if (*pointer, "if") in self._loosened:
            for keyword in ("if", "then", "else"):
                schema.pop(keyword, None)
            self._lose(pointer, "if", "dropped: its schema was cut")
        if (*pointer, "contains") in self._loosened and "maxContains" in schema:
            del schema["maxContains"]
            self._lose(pointer, "maxContains", "dropped: its schema was cut")
        forms = schema.get("oneOf")
        if isinstance(forms, list) and any((*pointer, "oneOf", index) in self._loosened for index in range(len(forms))):
            del schema["oneOf"]
            if "anyOf" not in schema:
                schema["anyOf"] = forms
            self._lose(pointer, "oneOf", "rewritten as anyOf: one of its schemas was cut")

    def _rewrite(self, pointer: Pointer, schema: dict[str, Json]) -> None:
        """Rewrite keywords of older drafts in place, and drop a default that does not fit."""
        if isinstance(first := schema.get("items"), list):
            schema["prefixItems"] = first
            rest = schema.pop("additionalItems", None)
            schema.pop("items")
            if rest is not None:
                schema["items"] = rest
        for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            if isinstance(is_exclusive := schema.get(exclusive), bool):
                del schema[exclusive]
                if is_exclusive and bound in schema:
                    schema[exclusive] = schema.pop(bound)
        if isinstance(schema.get("required"), bool):
            del schema["required"]
            self._lose(pointer, "required", "dropped: must be a list of names")
        if schema.pop("nullable", None) is True:
            _allow_null(schema)
        if not _default_fits(schema):
            del schema["default"]
            self._lose(pointer, "default", "dropped: does not fit its own schema")

    def _drop_definitions(self) -> None:
        """Drop the definitions that nothing refers to any more."""
        whole = self._subschemas[()]
        reached: set[Pointer] = set()
        open_: list[Pointer] = [()]
        while open_:
            pointer = open_.pop()
            if pointer in reached:
                continue
            reached.add(pointer)
            schema = self._subschemas[pointer]
            open_ += [child for child, _ in children_of(schema, pointer) if child in self._subschemas]
            if isinstance(reference := schema.get("$ref"), str) and (found := find(reference, self._subschemas)):
                open_.append(found[0])
        used = {pointer[:2] for pointer in reached}
        for keyword in DEFINITIONS:
            definitions = whole.get(keyword)
            if isinstance(definitions, dict):
                whole[keyword] = {name: sub for name, sub in definitions.items() if (keyword, name) in used}
                if not whole[keyword]:
                    del whole[keyword]

    def _lose(self, pointer: Pointer, keyword: str, why: str) -> None:
        place = path_of((*pointer, keyword) if keyword else pointer)
        self.losses.append(f"{place or 'the schema'}: {why}")


def _pattern_problem(pattern: str) -> str:
    try:
        compile_pattern(pattern)
    except PatternError as exc:
        return str(exc)
    return ""


def _allow_null(schema: dict[str, Json]) -> None:
    """Accept null, as `nullable` of OpenAPI 3.0 does beside a type."""
    names = schema.get("type")
    listed: list[Json] = [names] if isinstance(names, str) else names if isinstance(names, list) else []
    if listed and "null" not in listed:
        schema["type"] = [*listed, "null"]
        values = schema.get("enum")
        if isinstance(values, list) and None not in values:
            schema["enum"] = [*values, None]
