"""Routes of the OpenAI-compatible API for responses and embeddings."""

from typing import Annotated, Any, Final

from aws_lambda_powertools.event_handler import Response, content_types
from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.http_api.api import streamed
from flexchat.http_api.body import BodyLimit
from functions.chat.api.services import ChatRouter
from functions.chat.openai_api.completion_request import has_comments, session_of
from functions.chat.openai_api.documentation import documented
from functions.chat.openai_api.embeddings import EmbeddingsRequest
from functions.chat.openai_api.errors import json_text
from functions.chat.openai_api.response_models import ResponsesRequest
from functions.chat.openai_api.responses import ResponseCall
from functions.chat.streaming.sender import HEADERS, MEDIA_TYPE

MAX_BODY_BYTES: Final = 1024 * 1024
"""Largest request: a whole conversation, or many texts."""

TAGS: Final = ["openai"]
RESPONSE_ERRORS: Final = (400, 401, 403, 404, 409, 413, 415, 429, 500, 502, 503, 504)
EMBEDDING_ERRORS: Final = (400, 401, 403, 404, 413, 415, 429, 500, 502, 503, 504)

_TEXT: Final = {"type": "string"}
_COUNT: Final = {"type": "integer"}

RESPONSE: Final[dict[str, Any]] = {
    "title": "OpenAiResponse",
    "type": "object",
    "properties": {
        "id": _TEXT,
        "object": {"const": "response"},
        "created_at": _COUNT,
        "status": {"enum": ["completed", "incomplete"]},
        "model": _TEXT,
        "output": {"type": "array", "items": {"type": "object"}},
        "usage": {"type": "object"},
        "store": {"type": "boolean"},
        "flexchat": {"type": "object"},
    },
    "required": ["id", "object", "created_at", "status", "model", "output", "usage", "store", "flexchat"],
}

EMBEDDINGS: Final[dict[str, Any]] = {
    "title": "OpenAiEmbeddings",
    "type": "object",
    "properties": {
        "object": {"const": "list"},
        "data": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "object": {"const": "embedding"},
                    "index": _COUNT,
                    "embedding": {"anyOf": [{"type": "array", "items": {"type": "number"}}, _TEXT]},
                },
                "required": ["object", "index", "embedding"],
            },
        },
        "model": _TEXT,
        "usage": {
            "type": "object",
            "properties": {"prompt_tokens": _COUNT, "total_tokens": _COUNT},
            "required": ["prompt_tokens", "total_tokens"],
        },
    },
    "required": ["object", "data", "model", "usage"],
}

RESPONSES: Final = documented(RESPONSE, errors=RESPONSE_ERRORS)
RESPONSES[200]["content"][MEDIA_TYPE] = {
    "schema": {
        "type": "string",
        "description": "Server-sent events; the last is a completed, an incomplete or a failed response.",
    }
}

router = ChatRouter()


@router.endpoint(
    "POST",
    "/v1/responses",
    role="user",
    summary="Create a response",
    description=(
        "OpenAI's Responses API: text, function tools of the client, and `previous_response_id`. "
        "With `stream` the response is sent as server-sent events."
    ),
    tags=TAGS,
    responses=RESPONSES,
    body=BodyLimit('{"model": "flexchat", "input": "Hello"}', max_bytes=MAX_BODY_BYTES),
)
def create_response(request: Annotated[ResponsesRequest, Body()]) -> Response[str]:
    services = router.services.responses
    call = ResponseCall(
        request=request,
        caller=router.caller,
        request_id=router.request_id,
        session_id=session_of(request.parameters, router.event),
        has_comments=has_comments(request.parameters, router.event),
        deadline=router.stream_deadline() if request.stream else router.deadline(),
    )
    if not request.stream:
        return _json(json_text(services.create(call)))
    services.stream(
        call,
        lambda: router.open_stream(MEDIA_TYPE, {**HEADERS, **_headers()}),
        is_live=router.is_streaming,
    )
    return streamed()


@router.endpoint(
    "POST",
    "/v1/embeddings",
    role="user",
    summary="Create embeddings",
    description="OpenAI's Embeddings API: vectors of texts by the configured embedding model.",
    tags=TAGS,
    responses=documented(EMBEDDINGS, errors=EMBEDDING_ERRORS),
    body=BodyLimit('{"model": "openai:text-embedding-3-small", "input": "Hello"}', max_bytes=MAX_BODY_BYTES),
)
def create_embeddings(request: Annotated[EmbeddingsRequest, Body()]) -> Response[str]:
    text = router.services.embeddings.create(
        request, caller=router.caller, deadline=router.deadline(), request_id=router.request_id
    )
    return _json(text)


def _json(text: str) -> Response[str]:
    return Response(200, content_types.APPLICATION_JSON, text, headers=_headers())


def _headers() -> dict[str, str]:
    return {"X-Request-Id": router.request_id}
