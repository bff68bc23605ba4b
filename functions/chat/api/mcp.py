"""Route of the MCP server (Model Context Protocol, streamable HTTP without sessions)."""

from http import HTTPStatus
from typing import Any, Final

from aws_lambda_powertools.event_handler import Response, content_types

from flexchat.api import ErrorResponse
from flexchat.http_api.openapi import responses
from functions.chat.api.services import ChatRouter

_ID: Final = {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}

_MESSAGE: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "jsonrpc": {"const": "2.0"},
        "id": _ID,
        "method": {"type": "string"},
        "params": {"type": "object"},
    },
    "required": ["jsonrpc", "method"],
}

_RESPONSE: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "jsonrpc": {"const": "2.0"},
        "id": _ID,
        "result": {"type": "object"},
        "error": {
            "type": "object",
            "properties": {
                "code": {"type": "integer"},
                "message": {"type": "string"},
                "data": {"type": "object"},
            },
            "required": ["code", "message"],
        },
    },
    "required": ["jsonrpc", "id"],
}

_REQUEST_BODY: Final[dict[str, Any]] = {
    "required": True,
    "content": {"application/json": {"schema": {"title": "JsonRpcMessage", **_MESSAGE}}},
}

_ENVELOPE: Final = {"$ref": "#/components/schemas/ErrorResponse"}

router = ChatRouter()


def _documented(status: HTTPStatus, schema: dict[str, Any]) -> Any:
    return {"description": status.phrase, "content": {"application/json": {"schema": schema}}}


def _post_responses() -> dict[int, Any]:
    """Return the responses of a message: JSON-RPC ones, and the error envelope of the gateway or the authorizer."""
    answered = {"anyOf": [_RESPONSE, {"type": "array", "items": _RESPONSE}]}
    failed = {"anyOf": [_RESPONSE, _ENVELOPE]}
    statuses = (400, 401, 403, 404, 406, 413, 415, 429, 500, 502, 503, 504)
    return {
        HTTPStatus.OK.value: _documented(HTTPStatus.OK, answered),
        HTTPStatus.ACCEPTED.value: {
            "description": "A notification was accepted; no body",
            "content": {"text/plain": {"schema": {"type": "string", "maxLength": 0}}},
        },
        **{status: _documented(HTTPStatus(status), failed) for status in statuses},
    }


@router.endpoint(
    "POST",
    "/mcp",
    role="user",
    summary="Send a message to the MCP server",
    description=(
        "One JSON-RPC message of the Model Context Protocol, of the versions 2024-11-05 to 2025-11-25 and 2026-07-28. "
        "The server has no sessions and answers in JSON. Its tools are those that response rules offer, a chat, and a "
        "search of the collections."
    ),
    tags=["mcp"],
    responses=_post_responses(),
    body="none",
    request_body=_REQUEST_BODY,
)
def post() -> Response[str]:
    reply = router.services.mcp.handle(
        router.event, caller=router.caller, deadline=router.deadline(), request_id=router.request_id
    )
    content_type = content_types.APPLICATION_JSON if reply.body else content_types.TEXT_PLAIN
    return Response(reply.status, content_type, reply.body, headers=dict(reply.headers))


_NO_STREAM: Final = "The server has no stream of its own and no sessions: 405 for every request."


@router.endpoint(
    "GET",
    "/mcp",
    role="user",
    summary="Open a stream (not supported)",
    description=_NO_STREAM,
    tags=["mcp"],
    responses=responses(ErrorResponse, status=HTTPStatus.METHOD_NOT_ALLOWED, errors=(401, 403, 429, 500)),
    status_code=HTTPStatus.METHOD_NOT_ALLOWED,
)
def open_stream() -> Response[str]:
    return _not_allowed()


@router.endpoint(
    "DELETE",
    "/mcp",
    role="user",
    summary="End a session (not supported)",
    description=_NO_STREAM,
    tags=["mcp"],
    responses=responses(ErrorResponse, status=HTTPStatus.METHOD_NOT_ALLOWED, errors=(401, 403, 429, 500)),
    status_code=HTTPStatus.METHOD_NOT_ALLOWED,
)
def end_session() -> Response[str]:
    return _not_allowed()


def _not_allowed() -> Response[str]:
    message = "the MCP server has no streams and no sessions; send POST requests"
    error = ErrorResponse(error="method_not_allowed", message=message, request_id=router.request_id)
    body, headers = error.model_dump_json(), {"Allow": "POST"}
    return Response(HTTPStatus.METHOD_NOT_ALLOWED, content_types.APPLICATION_JSON, body, headers=headers)
