"""Checks of request bodies before parsing: size, content type and safe JSON."""

import base64
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from msgspec import Struct

from flexchat.api import MAX_BODY_BYTES
from flexchat.errors import RequestError
from flexchat.json import JsonError, safe_loads


class BodyLimit(Struct, frozen=True):
    """Largest body that a route accepts, and an example of a valid one."""

    example: str
    max_bytes: int = MAX_BODY_BYTES


def check_body(event: Mapping[str, Any], *, max_bytes: int, example: str) -> None:
    """Raise RequestError for a body that is too large (413), not JSON by its type (415) or by its content (400).

    `event` is a REST API proxy event (payload v1). Methods without a body are not checked. `example` is a valid body.
    """
    if event.get("httpMethod") not in ("POST", "PUT", "PATCH"):
        return
    body = body_bytes(event)
    if len(body) > max_bytes:
        raise RequestError(
            f"the body has {len(body)} bytes; at most {max_bytes} are accepted",
            status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            code="payload_too_large",
        )
    content_type = header(event, "content-type").partition(";")[0].strip().lower()
    if content_type not in ("", "application/json"):
        raise RequestError(
            f"Content-Type is {content_type!r}; send the body as application/json",
            status=HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            code="unsupported_media_type",
        )
    if not body.strip():
        raise RequestError(f"the body is empty; send a JSON object such as {example}")
    try:
        value = safe_loads(body, max_bytes=max_bytes)
    except JsonError as exc:
        raise RequestError(f"the body cannot be read as JSON: {exc}") from exc
    if not isinstance(value, dict):
        raise RequestError(f"the body must be a JSON object such as {example}")


def body_bytes(event: Mapping[str, Any]) -> bytes:
    """Return the body of a REST API proxy event. Raises RequestError for invalid base64."""
    body = event.get("body") or ""
    if not event.get("isBase64Encoded"):
        return body.encode("utf-8", errors="surrogatepass")
    try:
        return base64.b64decode(body, validate=True)
    except ValueError as exc:  # also for characters beyond ASCII
        raise RequestError("the body is marked as base64 but is not valid base64") from exc


def with_plain_content_type(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return the event with the media type of its body in lower case, and without an empty content type.

    The router compares it with case, and answers 500 to `APPLICATION/JSON`.
    """
    headers: Mapping[str, str | None] = event.get("headers") or {}
    others = {name: value for name, value in headers.items() if name.lower() != "content-type"}
    if content_type := header(event, "content-type"):
        media_type, semicolon, parameters = content_type.partition(";")
        others["Content-Type"] = media_type.strip().lower() + semicolon + parameters
    return {**event, "headers": others}


def header(event: Mapping[str, Any], name: str) -> str:
    """Return a header by its lowercase name: HTTP/2 and some gateways send names in lower case."""
    headers: Mapping[str, str | None] = event.get("headers") or {}
    return next((value or "" for key, value in headers.items() if key.lower() == name), "")


def header_values(event: Mapping[str, Any], name: str) -> list[str]:
    """Return every value of a header, by its lowercase name."""
    lists: Mapping[str, list[str] | None] = event.get("multiValueHeaders") or {}
    values = [value for key, listed in lists.items() if key.lower() == name for value in listed or ()]
    if values:
        return values
    headers: Mapping[str, str | None] = event.get("headers") or {}
    return [value or "" for key, value in headers.items() if key.lower() == name]
