"""Bodies of requests from the arguments of a call."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, cast
from urllib.parse import quote, urlencode

from flexchat.json import dumps
from flexchat.messages import Json

PLACEHOLDER = re.compile(r"\{\{ ?([A-Za-z0-9_.$-]{1,128}) ?\}\}")
"""`{{name}}` in a text of a template."""


class _Missing:
    """Value of an argument that the model left out."""


MISSING: Final = _Missing()


def placeholders(template: Json) -> Iterator[str]:
    """Return the names of the arguments that a template uses."""
    match template:
        case str():
            yield from PLACEHOLDER.findall(template)
        case dict():
            for value in template.values():
                yield from placeholders(value)
        case list():
            for value in template:
                yield from placeholders(value)
        case _:
            pass


def filled(template: Json, arguments: Mapping[str, Json]) -> Json | _Missing:
    """Return `template` with its placeholders replaced in one pass: the text of an argument is not searched.

    A text that is one placeholder becomes the argument with its type. Keys and items whose argument is missing are
    omitted; inside of a longer text a missing argument is empty.
    """
    match template:
        case str():
            if whole := PLACEHOLDER.fullmatch(template):
                return arguments.get(whole[1], MISSING)
            return PLACEHOLDER.sub(lambda found: plain_text(arguments.get(found[1], "")), template)
        case dict():
            items = ((name, filled(value, arguments)) for name, value in template.items())
            return {name: value for name, value in items if not isinstance(value, _Missing)}
        case list():
            values = (filled(value, arguments) for value in template)
            return [value for value in values if not isinstance(value, _Missing)]
        case _:
            return template


def form_encoded(fields: Mapping[str, Json]) -> bytes:
    """Return `application/x-www-form-urlencoded` fields; a list is a repeated field."""
    return query_string(pairs(fields)).encode()


def pairs(fields: Mapping[str, Json]) -> list[tuple[str, str]]:
    """Return each field with its text; a list is repeated, null omitted, an object JSON."""
    return [(name, text) for name, value in fields.items() for text in _texts(value)]


def query_string(fields: list[tuple[str, str]]) -> str:
    """Return `fields` percent-encoded."""
    return urlencode(fields, quote_via=quote, safe="")


def plain_text(value: Json) -> str:
    """Return a value in a text: strings as they are, null empty, everything else as JSON."""
    match value:
        case str():
            return value
        case None:
            return ""
        case _:
            return dumps(value)


def _texts(value: Json) -> list[str]:
    if value is None:
        return []
    if isinstance(value, list):
        return [plain_text(item) for item in cast("list[Json]", value) if item is not None]
    return [plain_text(value)]
