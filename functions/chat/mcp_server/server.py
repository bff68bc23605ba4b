"""MCP server over HTTP without state: one response for each request, in JSON."""

import base64
import binascii
import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, Self
from urllib.parse import urlsplit

from msgspec import Struct, field

from flexchat.api import MAX_BODY_BYTES
from flexchat.deadline import Clock, Deadline
from flexchat.errors import RequestError
from flexchat.http_api.body import body_bytes
from flexchat.http_api.caller import Caller
from flexchat.json import JsonError, dumps, safe_loads
from flexchat.messages import Json
from flexchat.observability import emit_metrics, logger
from functions.chat.errors import to_http_error
from functions.chat.mcp_server.methods import METHODS, CallContext, Methods
from functions.chat.mcp_server.protocol import (
    BATCH_VERSIONS,
    CAPABILITIES_KEY,
    DEFAULT_VERSION,
    HANDSHAKE_VERSIONS,
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_HEADER,
    MODERN_VERSIONS,
    NAME_HEADER,
    PARSE_ERROR,
    SERVICE_ERROR,
    VERSION_HEADER,
    VERSION_KEY,
    InvalidMessage,
    Message,
    RpcError,
    RpcNotification,
    RpcRequest,
    invalid,
    read_message,
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


MAX_BATCH: Final = 20
"""Maximum number of messages in one batch."""


class McpReply(Struct, frozen=True):
    """HTTP response; without a body for messages that are not answered."""

    status: int
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class _Answer(Struct, frozen=True):
    """JSON-RPC response to one message, with the HTTP status that it has alone."""

    body: dict[str, Json]
    status: int = HTTPStatus.OK
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class McpServer:
    """Answers HTTP requests of MCP clients; pages of `allowed_origins` may send them too."""

    def __init__(self, methods: Methods, *, allowed_origins: tuple[str, ...], clock: Clock = time.monotonic) -> None:
        self._methods = methods
        self._allowed_origins = allowed_origins
        self._clock = clock

    def handle(self, event: Mapping[str, Any], *, caller: Caller, deadline: Deadline, request_id: str) -> McpReply:
        """Return the response to a REST API proxy event (payload v1) with the method POST."""
        headers = RequestHeaders.of(event)
        context = CallContext(caller, deadline, request_id)
        try:
            check_origin(headers, self._allowed_origins)
            check_media_types(headers)
            body = read_body(event)
            if isinstance(body, list):
                return self._batch(body, headers, context)
        except RpcError as error:
            logger.info("mcp request rejected", code=error.code, status=error.status)
            return _reply(_Answer(error.body(None), error.http_status(is_modern=True), error.headers))
        answer = self._answer(read_message(body), headers, context)
        return McpReply(HTTPStatus.ACCEPTED) if answer is None else _reply(answer)

    def _batch(self, body: Sequence[Json], headers: RequestHeaders, context: CallContext) -> McpReply:
        """Return the responses to the messages of a batch, which only the first versions have."""
        version = headers.get(VERSION_HEADER) or DEFAULT_VERSION
        if version not in BATCH_VERSIONS:
            raise invalid(f"version {version[:64]!r} has no batches; send one message in each request")
        if not 1 <= len(body) <= MAX_BATCH:
            raise invalid(f"a batch must have 1 to {MAX_BATCH} messages")
        messages = [read_message(value) for value in body]
        if any(isinstance(message, RpcRequest) and message.method == "initialize" for message in messages):
            raise invalid("initialize must not be part of a batch")
        answers = [
            self._answer(message, headers, CallContext(context.caller, context.deadline, context.request_id, number))
            for number, message in enumerate(messages)
        ]
        answered = [answer.body for answer in answers if answer is not None]
        return McpReply(HTTPStatus.OK, dumps(answered)) if answered else McpReply(HTTPStatus.ACCEPTED)

    def _answer(
        self, message: Message | InvalidMessage, headers: RequestHeaders, context: CallContext
    ) -> _Answer | None:
        """Return the response to one message; None for a notification."""
        header = headers.get(VERSION_HEADER)
        match message:
            case InvalidMessage():
                return _Answer(message.error.body(message.id), message.error.http_status(is_modern=True))
            case RpcNotification():
                return _notified(message, header)
            case RpcRequest():
                is_later = header is not None and header not in HANDSHAKE_VERSIONS
                is_modern = is_later or (message.has_envelope and message.method != "initialize")
                return self._measured(message, headers, context, is_modern=is_modern)

    def _measured(
        self, request: RpcRequest, headers: RequestHeaders, context: CallContext, *, is_modern: bool
    ) -> _Answer:
        started = self._clock()
        answer = self._result(request, headers, context, is_modern=is_modern)
        method = request.method if request.method in METHODS else "unknown"
        emit_metrics(
            dimension=("method", method),
            counts={"McpRequests": 1, "McpErrors": int("error" in answer.body)},
            milliseconds={"McpDuration": round((self._clock() - started) * 1000)},
        )
        logger.info("mcp request answered", method=method, modern=is_modern, status=int(answer.status))
        return answer

    def _result(
        self, request: RpcRequest, headers: RequestHeaders, context: CallContext, *, is_modern: bool
    ) -> _Answer:
        try:
            if is_modern:
                check_envelope(request, headers)
            result = self._methods.call(request, context, is_modern=is_modern)
        except RpcError as error:
            return _Answer(error.body(request.id), error.http_status(is_modern=is_modern), error.headers)
        except Exception as error:  # noqa: BLE001 - the error table of the routes, as a JSON-RPC error
            return _failed(request, error, context.request_id)
        return _Answer({"jsonrpc": "2.0", "id": request.id, "result": result})


def _notified(message: RpcNotification, header: str | None) -> _Answer | None:
    """Return None for an accepted message; since 2026-07-28, a client must not send a response."""
    if header is None or header in HANDSHAKE_VERSIONS:
        return None
    if header not in MODERN_VERSIONS:
        error = unsupported_version(header)
    elif not message.method:
        error = invalid("a client sends no responses")
    else:
        return None
    return _Answer(error.body(None), error.http_status(is_modern=True))


def _failed(request: RpcRequest, error: Exception, request_id: str) -> _Answer:
    """Return the response for an error of the service, with its HTTP status."""
    found = to_http_error(error, request_id)
    code = INTERNAL_ERROR if found.status == HTTPStatus.INTERNAL_SERVER_ERROR else SERVICE_ERROR
    data = found.body.model_dump(mode="json", exclude={"message"}, exclude_none=True)
    rpc_error = RpcError(code, found.body.message, data=data, status=found.status, headers=found.headers)
    return _Answer(rpc_error.body(request.id), found.status, found.headers)


def _reply(answer: _Answer) -> McpReply:
    return McpReply(int(answer.status), dumps(answer.body), answer.headers)
