"""Parameters of a request, parsed by the table of styles of OpenAPI 3.1.1 and `collectionFormat` of OpenAPI 2.0.

It shares no code with the http tool: it is the opposite direction, written from the standard.
"""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import unquote

from dev.openapi_check.schemas import MismatchError, SchemaReader, members

_DELIMITERS = {"spaceDelimited": "%20", "pipeDelimited": "%7C", "tabDelimited": "%09"}
_FORMATS = {"ssv": "spaceDelimited", "tsv": "tabDelimited", "pipes": "pipeDelimited"}
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class Style:
    """Style of a parameter; `media` is that of its `content`."""

    name: str
    explode: bool
    media: str | None = None


def style_of(parameter: dict[str, Any], location: str, *, version: str) -> Style:
    """Return the style of a parameter, or of the `encoding` of a form field, with the defaults of the standard."""
    default = "form" if location in ("query", "cookie", "form") else "simple"
    if media := next(iter(members(parameter.get("content"))), None):
        return Style(default, explode=False, media=media)
    if version == "2.0":
        form = parameter.get("collectionFormat") or "csv"
        return Style(_FORMATS.get(form, default), explode=form == "multi")
    name = parameter.get("style") or default
    explode = parameter.get("explode", name == "form")
    return Style("form", explode=True) if explode and name in _DELIMITERS else Style(name, explode=bool(explode))


def parsed(
    raw: str | list[tuple[str, str]],
    name: str,
    style: Style,
    schema: Any,
    reader: SchemaReader,
    *,
    others: frozenset[str] = frozenset(),
) -> tuple[bool, Any, set[str]]:
    """Return whether a parameter is present, its value, and the names of the fields that belong to it.

    `raw` is the encoded text of a part of the path or of a header, or the encoded fields of a query, a form or cookies.
    `others` are the names of the other parameters: an exploded object without properties has every other field.
    Raises MismatchError with the reasons why no kind of value that the schema allows is in the request.
    """
    reasons: list[str] = []
    for kind in ("object", "array", "plain"):
        if kind not in reader.kinds(schema):
            continue
        try:
            if isinstance(raw, str):
                tree, used = _segment(raw, name, style, kind), {name}
            else:
                properties = reader.properties(schema)
                if not properties:
                    properties = {key for field, _ in raw if (key := unquote(field)) not in others and "[" not in key}
                found = list(_from_fields(raw, name, style, kind, properties))
                used = {key for key, _ in found}
                if not used:
                    continue
                tree = _tree(found, name, style, kind)
            if style.media and style.media.partition(";")[0] != "text/plain":
                tree = _loaded(tree)
            return True, reader.value(tree, schema), used
        except MismatchError as exc:
            reasons.append(f"as {kind}: {exc}")
    if reasons:
        raise MismatchError("; ".join(reasons))
    return False, None, set()


def _segment(raw: str, name: str, style: Style, kind: str) -> Any:
    """Return the value of a part of the path or of a header."""
    match style.name:
        case "label":
            if not raw.startswith("."):
                raise MismatchError(f"{raw!r} does not begin with '.'")
            return _split(raw[1:], "." if style.explode else ",", kind, pairs=style.explode)
        case "matrix":
            if not raw.startswith(";"):
                raise MismatchError(f"{raw!r} does not begin with ';'")
            if style.explode and kind == "object":
                return _split(raw[1:], ";", kind, pairs=True)
            parts = [part.partition("=") for part in raw[1:].split(";")]
            if any(unquote(part[0]) != name for part in parts):
                raise MismatchError(f"{raw!r} does not name {name!r}")
            if style.explode and kind == "array":
                return [unquote(part[2]) for part in parts]
            return _split(parts[0][2], ",", kind)
        case _ if style.media:
            return unquote(raw)
        case _:
            return _split(raw, _DELIMITERS.get(style.name, ","), kind, pairs=style.explode)


def _split(raw: str, delimiter: str, kind: str, *, pairs: bool = False) -> Any:
    if kind == "plain":
        return unquote(raw)
    items = raw.split(delimiter)
    if kind == "array":
        return [unquote(item) for item in items]
    if pairs:
        found = [item.partition("=") for item in items]
        if not all(part[1] for part in found):
            raise MismatchError(f"{raw!r} has no pairs of names and values")
        return {unquote(part[0]): unquote(part[2]) for part in found}
    if len(items) % 2:
        raise MismatchError(f"{raw!r} has an odd number of names and values")
    return {unquote(key): unquote(item) for key, item in zip(items[::2], items[1::2], strict=True)}


def _from_fields(
    fields: list[tuple[str, str]], name: str, style: Style, kind: str, properties: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Return the fields that belong to a parameter."""
    for key, raw in fields:
        decoded = unquote(key.replace("+", "%20"))
        is_nested = style.name == "deepObject" and decoded.startswith(f"{name}[")
        is_property = style.name == "form" and style.explode and kind == "object" and decoded in properties
        whole = decoded == name and not (
            style.name == "form" and style.explode and kind == "object" and not style.media
        )
        if whole or is_nested or is_property:
            yield decoded, raw.replace("+", "%20")


def _tree(fields: list[tuple[str, str]], name: str, style: Style, kind: str) -> Any:
    if style.name == "deepObject":
        return _deep(fields, name)
    if style.name == "form" and style.explode and kind == "object" and not style.media:
        return {key: unquote(raw) for key, raw in fields}
    if style.media or kind == "plain":
        if len(fields) > 1:
            raise MismatchError(f"{name!r} is repeated")
        return unquote(fields[0][1])
    if style.explode and kind == "array":
        return [unquote(raw) for _, raw in fields]
    if len(fields) > 1:
        raise MismatchError(f"{name!r} is repeated, but its style does not explode")
    return _split(fields[0][1], _DELIMITERS.get(style.name, ","), kind)


def _deep(fields: list[tuple[str, str]], name: str) -> Any:
    """Return the value of fields such as `name[a][0][b]`, with lists for `[]` and for numbers from 0."""
    root: dict[str, Any] = {}
    for key, raw in fields:
        path = _BRACKETS.findall(key[len(name) :])
        if "".join(f"[{step}]" for step in path) != key[len(name) :]:
            raise MismatchError(f"{key!r} is no name of the style deepObject")
        *outer, last = ("", *path)
        target = root
        for step in outer:
            inner = target.setdefault(step, {})
            if not isinstance(inner, dict):
                raise MismatchError(f"{key!r} is inside of a text")
            target = cast("dict[str, Any]", inner)
        if path and last == "":
            target[""] = [*target.get("", ()), unquote(raw)]
        else:
            target[last] = unquote(raw)
    return _lists(root[""])


def _lists(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    fields = members(cast("object", value))
    if set(fields) == {""}:
        return fields[""]
    if list(fields) == [str(position) for position in range(len(fields))]:
        return [_lists(item) for item in fields.values()]
    return {key: _lists(item) for key, item in fields.items()}


def _loaded(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError):
        raise MismatchError(f"{text!r} is not JSON") from None
