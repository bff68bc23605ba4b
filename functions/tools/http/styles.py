"""Arguments as text in the styles of OpenAPI parameters (OpenAPI 3.1.1, "Style Values"; RFC 6570).

The standard leaves values inside of a list or an object undefined. `deepObject` continues its brackets, as Stripe,
Rails and PHP read them: `created[gte]=1`, `expand[]=a`, `items[0][price]=b`. In the other styles they are JSON.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, cast
from urllib.parse import quote

from flexchat.json import dumps
from flexchat.messages import Json
from functions.tools.http.implementation import Place

type Encode = Callable[[str], str]

_DELIMITERS: Final[Mapping[str, str]] = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}

_COOKIE_SAFE: Final = "!#$&'()*+/:<=>?@[]^`{|}~"
"""Characters of a cookie's value (RFC 6265) but the percent sign, which begins an encoded one."""


def plain_text(value: Json) -> str:
    """Return a value in a text: strings as they are, null empty, everything else as JSON."""
    match value:
        case str():
            return value
        case None:
            return ""
        case _:
            return dumps(value)


def encoded(text: str) -> str:
    """Return `text` percent-encoded for any part of a query or a form."""
    return quote(text, safe="")


def query_fields(place: Place, value: Json) -> list[tuple[str, str]]:
    """Return an argument of the query or of a form, as names and percent-encoded values."""
    return list(_fields(place, value, encoded))


def query_text(fields: list[tuple[str, str]]) -> str:
    """Return a query of names and percent-encoded values."""
    return "&".join(f"{encoded(name)}={text}" for name, text in fields)


def cookie_fields(place: Place, value: Json) -> list[tuple[str, str]]:
    """Return an argument as cookies."""
    return [(encoded(name), text) for name, text in _fields(place, value, _cookie_value)]


def header_text(place: Place, value: Json) -> str | None:
    """Return an argument as the text of a header; None for one that is not sent."""
    if isinstance(value, dict) and place.style is None:
        return dumps(value)
    return _simple(place, value, str)


def path_text(place: Place, value: Json, encode: Encode = encoded) -> str:
    """Return an argument as a part of a path."""
    match place.style:
        case "label":
            text = _joined(value, "." if place.explode else ",", encode, explode=place.explode)
            return f".{text}" if text is not None else ""
        case "matrix":
            return _matrix(place, value, encode)
        case _:
            return _simple(place, value, encode) or ""


def _fields(place: Place, value: Json, encode: Encode) -> Iterator[tuple[str, str]]:
    if value is None:
        return
    match place.style, value:
        case "json", _:
            yield place.name, encode(dumps(value))
        case "deepObject", _:
            yield from _nested(place.name, value, encode)
        case None, dict():
            yield place.name, encode(dumps(value))
        case _, dict() if place.explode:
            yield from ((name, encode(plain_text(item))) for name, item in _present(value))
        case _, list() if place.style is None or place.explode:
            yield from ((place.name, encode(plain_text(item))) for item in value if item is not None)
        case _:
            text = _joined(value, _delimiter(place, encode), encode)
            if text is not None:
                yield place.name, text


def _nested(name: str, value: Json, encode: Encode) -> Iterator[tuple[str, str]]:
    match value:
        case None:
            return
        case dict():
            for key, item in value.items():
                yield from _nested(f"{name}[{key}]", item, encode)
        case list():
            indexed = any(isinstance(item, dict | list) for item in value)
            for position, item in enumerate(value):
                yield from _nested(f"{name}[{position if indexed else ''}]", item, encode)
        case _:
            yield name, encode(plain_text(value))


def _matrix(place: Place, value: Json, encode: Encode) -> str:
    if place.explode and isinstance(value, dict):
        return "".join(_assigned(encode(name), encode(plain_text(item))) for name, item in _present(value))
    if place.explode and isinstance(value, list):
        items = cast("list[Json]", value)
        return "".join(_assigned(encode(place.name), encode(plain_text(item))) for item in items if item is not None)
    text = _joined(value, ",", encode)
    return _assigned(encode(place.name), text) if text is not None else ""


def _assigned(name: str, text: str) -> str:
    """Return a parameter of the style `matrix`, which has no equals sign before an empty text."""
    return f";{name}={text}" if text else f";{name}"


def _simple(place: Place, value: Json, encode: Encode) -> str | None:
    if place.style == "json":
        return None if value is None else encode(dumps(value))
    return _joined(value, _delimiter(place, encode), encode, explode=place.explode)


def _delimiter(place: Place, encode: Encode) -> str:
    """Return the separator of the values in one text, which is encoded unless it is a comma."""
    delimiter = _DELIMITERS.get(place.style or "")
    return "," if delimiter is None else encode(delimiter)


def _joined(value: Json, delimiter: str, encode: Encode, *, explode: bool = False) -> str | None:
    """Return a value as one text; None for null, and for a list or an object without values."""
    match value:
        case None:
            return None
        case dict():
            pairs = [(encode(name), encode(plain_text(item))) for name, item in _present(value)]
            texts = ["=".join(pair) for pair in pairs] if explode else [text for pair in pairs for text in pair]
        case list():
            texts = [encode(plain_text(item)) for item in value if item is not None]
        case _:
            return encode(plain_text(value))
    return delimiter.join(texts) if texts else None


def _present(fields: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    return ((name, item) for name, item in fields.items() if item is not None)


def _cookie_value(text: str) -> str:
    return quote(text, safe=_COOKIE_SAFE)
