"""Results from the responses of an API: status, media type, decoding and selection."""

import re
from http import HTTPStatus
from typing import Literal

from flexchat.attachments import image_type
from flexchat.charsets import decode_text, utf_8_json
from flexchat.errors import ToolError
from flexchat.http_client import HttpResponse
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json, file_size
from flexchat.redaction import redact_text
from flexchat.retry import RETRIED_STATUS, retry_after_seconds
from flexchat.text import truncate
from flexchat.tool_inspection import current_recorder
from flexchat.tool_progress import MAX_IMAGE_BYTES, current_images
from functions.tools.http.implementation import Expect, Implementation, select
from functions.tools.http.sender import TransientHttpError

MAX_ERROR_TEXT = 500
"""Characters of an error response that the model reads."""

MAX_SEARCHED_ERROR = 8_192
"""Characters of an error response that are searched for secrets: one may lie across the end of the shown text."""

_MEDIA_TYPE = re.compile(r"[\w.+-]{1,64}/[\w.+-]{1,64}", re.ASCII)

_HEAD_HEADERS = ("content-type", "content-length", "last-modified", "etag")
"""Headers in the result of a HEAD request."""

type Format = Literal["json", "text", "html"]


def check_status(response: HttpResponse, expect: Expect) -> None:
    """Raise ToolError for a status that is no success; TransientHttpError for one that the same request may survive."""
    status = response.status
    if status in expect.status if expect.status else response.is_success:
        return
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        # The response often quotes the credentials that it refused.
        raise ToolError(f"The API refused the credentials of the tool (HTTP {status})", type="configuration")
    message = f"The API answered with HTTP {_named(status)}"
    if detail := _error_text(response):
        message = f"{message}: {detail}"
    if status not in RETRIED_STATUS:
        raise ToolError(message)
    retry_after = retry_after_seconds(response.headers.get("retry-after"))
    if retry_after is not None:
        message = f"{message} (try again in {max(1, round(retry_after))} s)"
    error = TransientHttpError(
        message, type="rate_limited" if status == HTTPStatus.TOO_MANY_REQUESTS else "unavailable"
    )
    error.retry_after, error.status = retry_after, status
    raise error


def is_server_error(response: HttpResponse, expect: Expect) -> bool:
    """Return True for a status that blames the server, and not the request or its rate (429)."""
    return response.status >= HTTPStatus.INTERNAL_SERVER_ERROR and response.status not in expect.status


def read_result(response: HttpResponse, implementation: Implementation, *, seconds: float) -> Json:
    """Return the result in a successful response, selected by `response_path`. Raises ToolError, also after `seconds`.

    That of a HEAD request is its status and the headers that describe the resource.
    """
    if implementation.method == "HEAD":
        headers = response.headers
        return {
            "status": response.status,
            "headers": {name: headers[name] for name in _HEAD_HEADERS if name in headers},
        }
    _check_media_type(response, implementation.expect)
    if not response.body:
        return None
    wanted = implementation.response_format
    if wanted == "auto" and _media_type(response).startswith("image/") and implementation.response_path is None:
        return _picture(response)
    found = _format(response) if wanted == "auto" else wanted
    if implementation.response_path is not None and found != "json":
        shown = _media_type(response) or found
        raise ToolError(f"The API answered with {shown}, which has no values that response_path could select")
    content = _decoded(response, found, seconds)
    if recorder := current_recorder():
        recorder.add_note("response format", found)
        recorder.add_note("response path", implementation.response_path or "$")
    return content if implementation.response_path is None else select(implementation.response_path, content)


def _picture(response: HttpResponse) -> Json:
    """Return the label of a picture, which a model that sees gets itself. Raises ToolError for one that cannot be
    returned."""
    images = current_images()
    if images is None or not images.add(response.body):
        shown = _media_type(response)
        raise ToolError(
            f"The API answered with {shown}, which is no picture that can be returned: a PNG, JPEG, WebP or GIF of at "
            f"most {file_size(MAX_IMAGE_BYTES)}"
        )
    return f"[{image_type(response.body)}, {file_size(len(response.body))}]"


def _check_media_type(response: HttpResponse, expect: Expect) -> None:
    if not expect.content_types or not response.body:
        return
    media_type = _media_type(response)
    kind = media_type.partition("/")[0]
    accepted = expect.content_types
    if not any(pattern.lower() in ("*/*", f"{kind}/*", media_type) for pattern in accepted):
        shown = media_type or "no media type"
        raise ToolError(f"The API answered with {shown} instead of {', '.join(accepted)}")


def _decoded(response: HttpResponse, format: Format, seconds: float) -> Json:
    match format:
        case "json":
            try:
                return _loads(response)
            except JsonError as exc:
                raise ToolError(f"The API answered with invalid JSON: {exc}") from exc
        case "html":
            from flexchat.html_text import bounded_html_text  # its parser takes long to import

            try:
                return bounded_html_text(_text(response, is_markup=True), seconds=seconds)
            except ValueError as exc:
                raise ToolError(f"The API answered with a page that cannot be read: {exc}") from exc
        case "text":
            return _text(response)


def _format(response: HttpResponse) -> Format:
    media_type = _media_type(response)
    if media_type.endswith(("/json", "+json")):
        return "json"
    if media_type in ("text/html", "application/xhtml+xml"):
        return "html"
    if media_type.startswith("text/") or media_type.endswith(("/xml", "+xml", "/yaml", "/javascript")):
        return "text"
    if not media_type:
        return "json" if response.body.lstrip()[:1] in (b"{", b"[") else "text"
    raise ToolError(f"The API answered with {media_type}, which is no text")


def _loads(response: HttpResponse) -> Json:
    body = utf_8_json(response.body, content_type=response.headers.get("content-type", ""))
    return safe_loads(body, max_bytes=len(body))


def _text(response: HttpResponse, *, is_markup: bool = False) -> str:
    """Return the text of a body in its charset; that of a page or of XML also declares it itself."""
    return decode_text(response.body, content_type=response.headers.get("content-type", ""), is_markup=is_markup)


def _media_type(response: HttpResponse) -> str:
    """Return the media type in lower case; `unknown/unknown` for a text that is none, which is not shown."""
    text = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return text if not text or _MEDIA_TYPE.fullmatch(text) else "unknown/unknown"


def _named(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _error_text(response: HttpResponse) -> str:
    """Return the beginning of an error's text; the parser of a page is not worth its import."""
    if _media_type(response) in ("text/html", "application/xhtml+xml") or not response.body:
        return ""
    text = " ".join(_text(response)[:MAX_SEARCHED_ERROR].split())
    return truncate(redact_text(text, max_text=MAX_SEARCHED_ERROR), MAX_ERROR_TEXT)
