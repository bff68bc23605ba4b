"""Styles of parameters and form fields: OpenAPI 3.1.1 ("Style Values") and `collectionFormat` of OpenAPI 2.0."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, cast

from cli.tool_import.document import Document, JsonObject, list_of, object_of, text_of
from cli.tool_import.schemas import types_of
from flexchat.messages import Json
from functions.tools.http.implementation import STYLES, Location, Style

_COLLECTION_FORMATS: Final[Mapping[str, Style]] = {
    "ssv": "spaceDelimited",
    "tsv": "tabDelimited",
    "pipes": "pipeDelimited",
}
_STYLE_KEYS: Final = frozenset({"style", "explode", "collectionFormat"})
_DELIMITED: Final = ("spaceDelimited", "pipeDelimited")

MAX_DEPTH: Final = 10
"""Maximum nesting of references and alternatives in the search for lists and objects."""

type Kind = Literal["plain", "list", "object"]


@dataclass(frozen=True, slots=True)
class Serialization:
    """Style of an argument, as in `params_mapping` of an http tool."""

    style: Style
    explode: bool | None = None


class StyleReader:
    """Reader of the styles of parameters and form fields, with notes on what they cannot express."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def of_parameter(
        self, parameter: JsonObject, location: Location, name: str, schema: JsonObject
    ) -> tuple[Serialization | None, list[str]]:
        """Return the style of a parameter and its notes."""
        part = f"the {location} parameter {name!r}"
        media = next(iter(object_of(parameter.get("content"))), None)
        if media is not None:
            if media.partition(";")[0] == "text/plain":
                return None, []
            return Serialization("json"), [] if is_json(media) else [f"{part} is sent as JSON, not as {media!r}"]
        if self._document.version == "2.0":
            style, explode = _style_2(parameter, location)
        else:
            style, explode = _style_3(parameter, _default(location))
        notes: list[str] = []
        if style not in STYLES[location]:
            notes.append(
                f"{part} has the style {style!r}, which is none of the {location}: it is sent as {_default(location)!r}"
            )
            style, explode = _style_3({}, _default(location))
        if not self._kinds(schema) and not _STYLE_KEYS.isdisjoint(parameter):
            schema = {**schema, "type": ["string", "array", "object"]}  # any value, in this style
        return self._needed(schema, location, style, explode, part, notes)

    def of_field(self, encoding: JsonObject, name: str, schema: JsonObject) -> tuple[Serialization | None, list[str]]:
        """Return the style of a form field and its notes; `encoding` is that of the field, or its parameter in 2.0.

        OpenAPI 3 has objects as JSON and lists as repeated fields, unless `encoding` names a style.
        """
        part = f"the form field {name!r}"
        if self._document.version == "2.0":
            style, explode = _style_2(encoding, "body")
        elif "style" in encoding or "explode" in encoding:
            style, explode = _style_3(encoding, "form")
        elif is_json(text_of(encoding.get("contentType"))):
            return Serialization("json"), []
        else:
            return None, []
        notes: list[str] = []
        if style not in STYLES["body"]:
            notes.append(f"{part} has the style {style!r}, which is none of a form: it is sent as 'form'")
            style, explode = "form", True
        return self._needed(schema, "body", style, explode, part, notes)

    def _needed(
        self, schema: JsonObject, location: Location, style: str, explode: bool, part: str, notes: list[str]
    ) -> tuple[Serialization | None, list[str]]:
        """Return the style of a value that may be a list or an object, or whose style also applies to others."""
        kinds = self._kinds(schema)
        if style != "deepObject" and self._is_nested(schema):
            notes.append(f"{part} has lists or objects inside, which the style {style!r} lacks: they are sent as JSON")
        if kinds <= {"plain"} and style not in ("label", "matrix"):
            return None, notes
        if "object" not in kinds and location != "path" and (style, explode) in (("form", True), ("simple", False)):
            return None, notes
        found = cast("Style", style)
        return Serialization(found, None if style == "deepObject" else explode), notes

    def _kinds(self, schema: Json, depth: int = 0) -> set[Kind]:
        """Return the kinds of values that a schema allows, also in its alternatives."""
        if depth > MAX_DEPTH:
            return set()
        resolved = self._document.resolved(schema)
        found: set[Kind] = set()
        for name in types_of(resolved):
            found.add("list" if name == "array" else "object" if name == "object" else "plain")
        for part in _parts(resolved):
            found |= self._kinds(part, depth + 1)
        return found

    def _is_nested(self, schema: Json, depth: int = 0) -> bool:
        """Return true for a list or an object that may contain lists or objects."""
        if depth > MAX_DEPTH:
            return False
        resolved = self._document.resolved(schema)
        inner = [resolved.get("items"), resolved.get("additionalProperties")]
        inner += object_of(resolved.get("properties")).values()
        if any(not self._kinds(each) <= {"plain"} for each in inner if isinstance(each, dict)):
            return True
        return any(self._is_nested(part, depth + 1) for part in _parts(resolved))


def _parts(schema: JsonObject) -> Iterator[Json]:
    for keyword in ("allOf", "anyOf", "oneOf"):
        yield from list_of(schema.get(keyword))


def _default(location: Location) -> Style:
    return "form" if location in ("query", "cookie", "body") else "simple"


def _style_2(parameter: JsonObject, location: Location) -> tuple[str, bool]:
    """Return style and `explode` for `collectionFormat`, `csv` by default."""
    name = text_of(parameter.get("collectionFormat"))
    return _COLLECTION_FORMATS.get(name, _default(location)), name == "multi" and _default(location) == "form"


def _style_3(parameter: JsonObject, default: str) -> tuple[str, bool]:
    style = text_of(parameter.get("style")) or default
    explode = parameter.get("explode")
    exploded = explode if isinstance(explode, bool) else style == "form"
    return ("form", True) if exploded and style in _DELIMITED else (style, exploded)


def is_json(media: str) -> bool:
    """Return true for a media type of JSON, or a range of types that contains it."""
    name = media.partition(";")[0].strip().lower()
    return name in ("application/json", "*/*", "application/*", "text/json") or name.endswith("+json")
