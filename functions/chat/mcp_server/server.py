"""MCP server over HTTP without state: one response for each request, in JSON."""

import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from msgspec import Struct, field

from flexchat.deadline import Clock, Deadline
from flexchat.http_api.caller import Caller
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.observability import emit_metrics, logger
from functions.chat.errors import to_http_error
from functions.chat.mcp_server.calls import CallContext
from functions.chat.mcp_server.http import RequestHeaders, check_envelope, check_media_types, check_origin, read_body
from functions.chat.mcp_server.messages import (
    InvalidMessage,
    Message,
    RpcNotification,
    RpcRequest,
    invalid,
    read_message,
)
from functions.chat.mcp_server.methods import METHODS, Methods
from functions.chat.mcp_server.protocol import (
    BATCH_VERSIONS,
    DEFAULT_VERSION,
    HANDSHAKE_VERSIONS,
    INTERNAL_ERROR,
    MODERN_VERSIONS,
    SERVICE_ERROR,
    VERSION_HEADER,
    RpcError,
    unsupported_version,
)

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
