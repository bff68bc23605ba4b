"""Requests of a tool from the arguments of a call.

Arguments come from a model. They are percent-encoded or refused, so that none changes the host, the structure of the
path, a header or another parameter.
"""

import re
from collections.abc import Iterator, Mapping
from copy import replace
from typing import ClassVar, Final
from urllib.parse import quote, unquote_plus

from flexchat import __version__
from flexchat.egress.urls import MAX_URL
from flexchat.errors import ToolInputError
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.redacted_struct import RedactedStruct
from functions.tools.http.implementation import PATH_PARAMETER, Implementation, Location, Place
from functions.tools.http.styles import (
    cookie_fields,
    encoded,
    header_text,
    path_text,
    plain_text,
    query_fields,
    query_text,
)

PLACEHOLDER = re.compile(r"\{\{ ?([A-Za-z0-9_.$-]{1,128}) ?\}\}")
"""`{{name}}` in a text of a template."""


type _Placed = dict[Location, list[tuple[Place, Json]]]


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

    def with_missing_headers(self, headers: Mapping[str, str]) -> "HttpRequest":
        """Return this request with those of `headers` that it does not have; their names are in lower case."""
        taken = {name.lower() for name in self.headers}
        missing = {name: value for name, value in headers.items() if name not in taken}
        return replace(self, headers={**missing, **self.headers})

    def with_parameter(self, name: str, value: str) -> "HttpRequest":
        """Return this request with a query parameter, which replaces those of its name."""
        base, _, query = self.url.partition("?")
        others = [pair for pair in query.split("&") if pair and name not in _names_in(pair)]
        return replace(self, url=f"{base}?{'&'.join([*others, query_text([(name, encoded(value))])])}")


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
    headers = _headers(implementation, placed)
    headers = _with_defaults(headers, media_type, _ACCEPTED[implementation.response_format])
    fixed = [(name, encoded(text)) for name, text in implementation.query.items()]
    query = [field for place, value in placed["query"] for field in query_fields(place, value)]
    taken = {*implementation.query, *_names_in(fixed_query)}
    query = [(name, text) for name, text in query if name not in taken]
    all_fields = "&".join(filter(None, (fixed_query, query_text(fixed), query_text(query))))
    path = _filled_path(url, placed["path"])
    address = f"{path}?{all_fields}" if all_fields else path
    if len(address) > MAX_URL:
        raise ToolInputError((f"the arguments are too long: the address would have {len(address)} characters",))
    return HttpRequest(implementation.method, address, headers, body, implementation.path_template)


def _names_in(query: str) -> Iterator[str]:
    """Return the names of the parameters in a query."""
    return (unquote_plus(pair.partition("=")[0]) for pair in query.split("&"))


def _headers(implementation: Implementation, placed: _Placed) -> dict[str, str]:
    """Return the headers of a request; the configured ones are never replaced, and cookies are added to theirs."""
    headers = {**implementation.headers}
    configured = {name.lower(): name for name in headers}
    for place, value in placed["header"]:
        text = header_text(place, value)
        if text is not None and place.name.lower() not in configured:
            headers[place.name] = _header_value(place.name, text)
    cookies = [cookie for place, value in placed["cookie"] for cookie in cookie_fields(place, value)]
    if cookies:
        name = configured.get("cookie", "Cookie")
        fixed = headers.get(name, "")
        taken = {pair.partition("=")[0].strip() for pair in fixed.split(";")}
        headers[name] = "; ".join(
            filter(None, (fixed, *(f"{key}={text}" for key, text in cookies if key not in taken)))
        )
    return headers


def _with_defaults(headers: Mapping[str, str], media_type: str, accepted: str) -> dict[str, str]:
    defaults = {"User-Agent": _USER_AGENT, "Accept": accepted, "Content-Type": media_type}
    present = {name.lower() for name in headers}
    return {name: text for name, text in defaults.items() if text and name.lower() not in present} | {**headers}


def _placed(implementation: Implementation, arguments: Mapping[str, Json]) -> _Placed:
    """Return the arguments by the part of the request that they belong to, with their places (decision C27)."""
    placed: _Placed = {"path": [], "query": [], "header": [], "cookie": [], "body": []}
    for name, value in arguments.items():
        if place := implementation.place_of(name):
            placed[place.location].append((place, value))
    return placed


def _filled_path(url: str, arguments: list[tuple[Place, Json]]) -> str:
    values = {place.name: (place, value) for place, value in arguments if value is not None}
    missing = [name for name in PATH_PARAMETER.findall(url) if name not in values]
    if missing:
        raise ToolInputError(tuple(f"'{name}' is required: it is a part of the address" for name in missing))
    return PATH_PARAMETER.sub(lambda found: _path_segment(*values[found[1]]), url)


def _path_segment(place: Place, value: Json) -> str:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    is_nested = any(isinstance(item, dict | list) for item in items)
    if place.style != "json" and (is_nested or (place.style is None and isinstance(value, dict))):
        raise ToolInputError((f"'{place.name}' must be a text or a number: it is a part of the address",))
    text = path_text(place, value, str)
    # A server may decode %2F and normalise the path before it routes the request.
    segments = text.replace("\\", "/").split("/")
    printed = text.replace("\t", "") if place.style == "tabDelimited" else text
    if not text or not {".", ".."}.isdisjoint(segments) or any(ord(character) < 32 for character in printed):
        raise ToolInputError((f"'{place.name}' cannot be a part of the address",))
    return path_text(place, value, encoded if place.style else _path_encoded)


def _path_encoded(text: str) -> str:
    """Return `text` for a path without a style, whose commas stay as they are."""
    return quote(text, safe=",")


def _header_value(name: str, text: str) -> str:
    if any(ord(character) < 32 or ord(character) > 126 for character in text):
        raise ToolInputError((f"'{name}' must contain only printable ASCII characters",))
    return text


def _body(
    implementation: Implementation, arguments: Mapping[str, Json], placed: list[tuple[Place, Json]]
) -> tuple[bytes | None, str]:
    """Return the body with its media type; None for a request without one."""
    is_form = implementation.body.format == "form"
    if implementation.body.template is not None:
        content = filled(implementation.body.template, arguments)
        if is_form and isinstance(content, dict):
            placed = [(Place("body", name), value) for name, value in content.items()]
        elif isinstance(content, _Missing):
            return None, ""
        else:
            return dumps(content).encode(), "application/json"
    elif not placed and not implementation.has_body:
        return None, ""
    if is_form:
        fields = [field for place, value in placed for field in query_fields(place, value)]
        return query_text(fields).encode(), _FORM
    return dumps({place.name: value for place, value in placed}).encode(), "application/json"
