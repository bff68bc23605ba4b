"""HTTP part of a request: its headers, its body, and the checks that the specification requires of a server."""

import base64
import binascii
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final, Self
from urllib.parse import urlsplit

from msgspec import Struct

from flexchat.api import MAX_BODY_BYTES
from flexchat.errors import RequestError
from flexchat.http_api.body import body_bytes
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json
from functions.chat.mcp_server.messages import RpcRequest
from functions.chat.mcp_server.protocol import (
    CAPABILITIES_KEY,
    HEADER_MISMATCH,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_HEADER,
    MODERN_VERSIONS,
    NAME_HEADER,
    PARSE_ERROR,
    VERSION_HEADER,
    VERSION_KEY,
    RpcError,
    unsupported_version,
)

LOOPBACK: Final = frozenset(("localhost", "127.0.0.1", "::1"))

_ENCODED_START, _ENCODED_END = "=?base64?", "?="


class RequestHeaders(Struct, frozen=True):
    """Headers of a REST API proxy event (payload v1), by their names in lower case, each with all its values."""

    values: Mapping[str, tuple[str, ...]]
    own_host: str

    @classmethod
    def of(cls, event: Mapping[str, Any]) -> Self:
        single: Mapping[str, str | None] = event.get("headers") or {}
        multiple: Mapping[str, list[str] | None] = event.get("multiValueHeaders") or {}
        values = {name.lower(): (value or "",) for name, value in single.items()}
        values |= {name.lower(): tuple(listed) for name, listed in multiple.items() if listed}
        context: Mapping[str, Any] = event.get("requestContext") or {}
        return cls(values, str(context.get("domainName") or ""))

    def get(self, name: str) -> str | None:
        """Return the last value of a header; None without one."""
        values = self.values.get(name)
        return values[-1].strip() if values else None

    def is_repeated(self, name: str) -> bool:
        return len(self.values.get(name, ())) > 1


def check_origin(headers: RequestHeaders, allowed: tuple[str, ...]) -> None:
    """Raise RpcError (403) for a request of a web page of another origin.

    Pages of this API, of `allowed` and of this machine may call it. Clients that are no browser send no origin.
    """
    origin = headers.get("origin")
    if origin is None or origin in allowed or (headers.own_host and origin == f"https://{headers.own_host}"):
        return
    if _host(origin) in LOOPBACK:
        return
    message = f"requests of the origin {origin[:200]!r} are not allowed; the parameter AllowedOrigins lists origins"
    raise RpcError(INVALID_REQUEST, message, status=HTTPStatus.FORBIDDEN)


def _host(origin: str) -> str | None:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return None
    return parts.hostname if parts.scheme in ("http", "https") else None


def check_media_types(headers: RequestHeaders) -> None:
    """Raise RpcError for a client that accepts no JSON (406), or a body of another type (415)."""
    accept = headers.get("accept")
    accepted = {part.partition(";")[0].strip().lower() for part in (accept or "*/*").split(",")}
    if not accepted & {"*/*", "application/*", "application/json"}:
        message = "the response is application/json; send Accept: application/json, text/event-stream"
        raise RpcError(INVALID_REQUEST, message, status=HTTPStatus.NOT_ACCEPTABLE)
    content_type = (headers.get("content-type") or "").partition(";")[0].strip().lower()
    if content_type not in ("", "application/json"):
        message = f"Content-Type is {content_type[:100]!r}; send the message as application/json"
        raise RpcError(INVALID_REQUEST, message, status=HTTPStatus.UNSUPPORTED_MEDIA_TYPE)


def read_body(event: Mapping[str, Any]) -> Json:
    """Return the JSON value of the body. Raises RpcError for a body that is too large (413) or no JSON (400)."""
    try:
        body = body_bytes(event)
    except RequestError as error:
        raise RpcError(PARSE_ERROR, error.message, status=HTTPStatus.BAD_REQUEST) from error
    if len(body) > MAX_BODY_BYTES:
        message = f"the body has {len(body)} bytes; at most {MAX_BODY_BYTES} are accepted"
        raise RpcError(INVALID_REQUEST, message, status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    try:
        return safe_loads(body, max_bytes=MAX_BODY_BYTES)
    except JsonError as error:
        message = f"the body cannot be read as JSON: {error}"
        raise RpcError(PARSE_ERROR, message, status=HTTPStatus.BAD_REQUEST) from error


def check_envelope(request: RpcRequest, headers: RequestHeaders) -> None:
    """Raise RpcError for a request of the later era without its `_meta`, or with headers that differ from its body.

    Intermediaries route by the headers, so that a difference would bypass them.
    """
    for name in (VERSION_HEADER, METHOD_HEADER, NAME_HEADER):
        if headers.is_repeated(name):
            raise _mismatch(f"the header {name} is sent more than once")
    meta = request.meta or {}
    missing = [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in meta]
    if missing:
        header = headers.get(VERSION_HEADER) or ""
        if header not in MODERN_VERSIONS:
            raise unsupported_version(header)
        raise RpcError(INVALID_PARAMS, f"params._meta must have {' and '.join(map(repr, missing))}")
    if headers.get(VERSION_HEADER) != meta[VERSION_KEY]:
        raise _mismatch(f"the header {VERSION_HEADER} must be the {VERSION_KEY} of params._meta")
    if headers.get(METHOD_HEADER) != request.method:
        raise _mismatch(f"the header {METHOD_HEADER} must be the method of the message")
    name = request.params.get("name")
    if request.method == "tools/call" and name is not None and decoded(headers.get(NAME_HEADER)) != name:
        raise _mismatch(f"the header {NAME_HEADER} must be the name in the parameters")
    version = meta[VERSION_KEY]
    if version not in MODERN_VERSIONS:
        raise unsupported_version(str(version))
    if not isinstance(meta[CAPABILITIES_KEY], dict):
        raise RpcError(INVALID_PARAMS, f"{CAPABILITIES_KEY!r} in params._meta must be an object")


def decoded(value: str | None) -> str | None:
    """Return the value of a header that may be encoded as `=?base64?…?=`; None for one that cannot be decoded."""
    if value is None or not (value.startswith(_ENCODED_START) and value.endswith(_ENCODED_END)):
        return value
    payload = value[len(_ENCODED_START) : -len(_ENCODED_END)]
    try:
        content = base64.b64decode(payload, validate=True)
        text = content.decode("utf-8")
    except (binascii.Error, ValueError):
        return None
    return text if base64.b64encode(content).decode() == payload else None


def _mismatch(message: str) -> RpcError:
    return RpcError(HEADER_MISMATCH, message)
