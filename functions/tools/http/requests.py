"""Requests of a tool from the arguments of a call.

Arguments come from a model. They are percent-encoded or refused, so that none changes the host, the structure of the
path, a header or another parameter.
"""

import re
from collections.abc import Iterator, Mapping
from copy import replace
from typing import ClassVar, Final, cast
from urllib.parse import parse_qsl, quote, urlencode

from flexchat import __version__
from flexchat.egress.urls import MAX_URL
from flexchat.errors import ToolInputError
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.redacted_struct import RedactedStruct
from functions.tools.http.implementation import PATH_PARAMETER, Implementation, Location

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


_FORM = "application/x-www-form-urlencoded"

_USER_AGENT = f"flexchat/{__version__}"

_ACCEPTED = {
    "auto": "application/json, text/*;q=0.9, */*;q=0.1",
    "json": "application/json",
    "html": "text/html, application/xhtml+xml",
    "text": "text/*, */*;q=0.1",
}
"""`Accept` by the format of the response."""


class HttpRequest(RedactedStruct, frozen=True):
    """One request. `path_template` is the path as it is configured, for logs: arguments may be personal data."""

    redacted: ClassVar = ("url", "headers", "body", "path_template")

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    path_template: str

    def with_url(self, url: str) -> "HttpRequest":
        """Return this request to another address."""
        return replace(self, url=url)

    def with_header(self, name: str, value: str) -> "HttpRequest":
        """Return this request with a header, which replaces one of its name."""
        others = {key: text for key, text in self.headers.items() if key.lower() != name.lower()}
        return replace(self, headers={**others, name: value})

    def with_parameter(self, name: str, value: str) -> "HttpRequest":
        """Return this request with a query parameter, which replaces those of its name."""
        base, _, query = self.url.partition("?")
        others = [(key, text) for key, text in parse_qsl(query, keep_blank_values=True) if key != name]
        return replace(self, url=f"{base}?{query_string([*others, (name, value)])}")


def build_request(implementation: Implementation, arguments: Mapping[str, Json]) -> HttpRequest:
    """Return the request of a call. Raises ToolInputError for arguments that an address or a header cannot carry."""
    try:
        return _built(implementation, arguments)
    except UnicodeEncodeError as exc:
        raise ToolInputError(("the arguments must be text in Unicode, without lone surrogates",)) from exc


def _built(implementation: Implementation, arguments: Mapping[str, Json]) -> HttpRequest:
    placed = _placed(implementation, arguments)
    url, _, fixed_query = implementation.url.partition("?")
    body, media_type = _body(implementation, arguments, placed["body"])
    headers = {**implementation.headers}
    configured = {name.lower() for name in headers}
    for name, text in pairs(placed["header"]):
        if name.lower() not in configured:
            headers[name] = _header_value(name, text)
    headers = _with_defaults(headers, media_type, _ACCEPTED[implementation.response_format])
    fixed = list(implementation.query.items())
    fixed_names = {name for name, _ in fixed}
    query = [(name, text) for name, text in pairs(placed["query"]) if name not in fixed_names]
    query_text = "&".join(filter(None, (fixed_query, query_string(fixed), query_string(query))))
    path = _filled_path(url, placed["path"])
    address = f"{path}?{query_text}" if query_text else path
    if len(address) > MAX_URL:
        raise ToolInputError((f"the arguments are too long: the address would have {len(address)} characters",))
    return HttpRequest(implementation.method, address, headers, body, implementation.path_template)


def _with_defaults(headers: Mapping[str, str], media_type: str, accepted: str) -> dict[str, str]:
    defaults = {"User-Agent": _USER_AGENT, "Accept": accepted, "Content-Type": media_type}
    present = {name.lower() for name in headers}
    return {name: text for name, text in defaults.items() if text and name.lower() not in present} | {**headers}


def _placed(implementation: Implementation, arguments: Mapping[str, Json]) -> dict[Location, dict[str, Json]]:
    """Return the arguments by their place in the request, with the names that they have there (decision C27)."""
    placed: dict[Location, dict[str, Json]] = {"path": {}, "query": {}, "header": {}, "body": {}}
    for name, value in arguments.items():
        if place := implementation.place_of(name):
            location, target = place
            placed[location][target] = value
    return placed


def _filled_path(url: str, arguments: Mapping[str, Json]) -> str:
    missing = [name for name in PATH_PARAMETER.findall(url) if arguments.get(name) is None]
    if missing:
        raise ToolInputError(tuple(f"'{name}' is required: it is a part of the address" for name in missing))
    return PATH_PARAMETER.sub(lambda found: _path_segment(found[1], arguments[found[1]]), url)


def _path_segment(name: str, value: Json) -> str:
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        text = ",".join(map(plain_text, value))
    elif isinstance(value, dict | list):
        raise ToolInputError((f"'{name}' must be a text or a number: it is a part of the address",))
    else:
        text = plain_text(value)
    # A server may decode %2F and normalise the path before it routes the request.
    segments = text.replace("\\", "/").split("/")
    if not text or not {".", ".."}.isdisjoint(segments) or any(ord(character) < 32 for character in text):
        raise ToolInputError((f"'{name}' cannot be a part of the address",))
    return quote(text, safe=",")


def _header_value(name: str, text: str) -> str:
    if any(ord(character) < 32 or ord(character) > 126 for character in text):
        raise ToolInputError((f"'{name}' must contain only printable ASCII characters",))
    return text


def _body(
    implementation: Implementation, arguments: Mapping[str, Json], mapped: Mapping[str, Json]
) -> tuple[bytes | None, str]:
    """Return the body with its media type; None for a request without one."""
    if implementation.body.template is not None:
        content = filled(implementation.body.template, arguments)
    elif mapped or implementation.has_body:
        content = dict(mapped)
    else:
        return None, ""
    if implementation.body.format == "form" and isinstance(content, dict):
        return form_encoded(content), _FORM
    return dumps(content).encode(), "application/json"
