"""Routes of the OpenAI-compatible API."""

import time
from http import HTTPStatus
from typing import Annotated, Any, Final
from urllib.parse import unquote

from aws_lambda_powertools.event_handler import Response, content_types
from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from flexchat.api import ChatResponse
from flexchat.attachments import MAX_INLINE_BYTES
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.http_api.api import streamed
from flexchat.http_api.body import BodyLimit, body_bytes
from flexchat.http_api.streams import StreamClosedError
from flexchat.json import safe_loads
from flexchat.messages import Json
from flexchat.observability import logger
from functions.chat.api.services import ChatRouter
from functions.chat.errors import to_http_error
from functions.chat.generation.events import ClientCall, ClientCallsRequested, Emit, Event, fan_out
from functions.chat.openai_api.completions import (
    CompletionHead,
    CompletionRequest,
    CompletionStream,
    OpenedBody,
    event_of,
    first_chunk,
    has_comments,
    session_of,
    warning_headers,
)
from functions.chat.openai_api.documentation import COMPLETION, COMPLETION_BODY, MODEL, MODEL_LIST, documented
from functions.chat.openai_api.embeddings import EmbeddingsRequest
from functions.chat.openai_api.errors import checked_form, error_object, json_text
from functions.chat.openai_api.models import chosen_model, listed_model, model_list
from functions.chat.openai_api.parameters import RequestParameters
from functions.chat.openai_api.response_request import ResponsesRequest
from functions.chat.openai_api.responses import ResponseCall
from functions.chat.runs.service import own_alias
from functions.chat.streaming.chats import HEADERS, MEDIA_TYPE, EventSender

TAGS: Final = ["openai"]

BODY: Final = BodyLimit(
    '{"model": "flexchat", "messages": [{"role": "user", "content": "Hello"}]}', max_bytes=MAX_INLINE_BYTES
)
"""Limit of a request with a whole conversation, its pictures and the schemas of a client's tools."""

router = ChatRouter()


def json_response(value: dict[str, Json]) -> Response[str]:
    """Return an object of the API with the header that its clients report as the id of the request."""
    headers = {"X-Request-Id": router.request_id, **warning_headers(value)}
    return Response(HTTPStatus.OK, content_types.APPLICATION_JSON, json_text(value), headers=headers)


@router.endpoint(
    "GET",
    "/v1/models",
    role="user",
    summary="List the models of the OpenAI-compatible API",
    tags=TAGS,
    responses=documented(MODEL_LIST, errors=(401, 403, 429, 500, 503)),
)
def list_models() -> Response[str]:
    catalog = router.services.runtimes.usable(router.caller, router.deadline()).catalog
    return json_response({"object": "list", "data": [*model_list(catalog)]})


@router.endpoint(
    "GET",
    "/v1/models/<model>",
    role="user",
    summary="Get a model of the OpenAI-compatible API",
    description="The id may contain slashes.",
    tags=TAGS,
    responses=documented(MODEL, errors=(401, 403, 404, 429, 500, 503)),
)
def show_model(model: str) -> Response[str]:
    catalog = router.services.runtimes.usable(router.caller, router.deadline()).catalog
    return json_response(listed_model(unquote(model), catalog))


@router.endpoint(
    "POST",
    "/v1/chat/completions",
    role="user",
    summary="Answer a conversation as OpenAI's API does",
    description="Chat completions; with `stream`, the chunks of the answer are server-sent events.",
    tags=TAGS,
    responses=documented(COMPLETION, errors=(400, 401, 403, 404, 409, 413, 415, 429, 500, 502, 503, 504), streams=True),
    body=BODY,
    request_body=COMPLETION_BODY,
)
def create_completion() -> Response[Any]:
    body = request_body()
    router.act_for(RequestParameters(body).end_user)
    request = CompletionRequest.of(body, router.event)
    deadline = router.stream_deadline() if request.streams else router.deadline()
    chat = CompletionChat(request, deadline)
    if request.streams:
        chat.stream()
        return streamed()
    return json_response(chat.completion())


class CompletionChat:
    """Chat of the current request. Raises RequestError (404) for an unknown model."""

    def __init__(self, request: CompletionRequest, deadline: Deadline) -> None:
        self._request = request
        self._deadline = deadline
        configuration = router.services.runtimes.usable(router.caller, deadline).catalog.configuration
        self._overrides = request.overrides(chosen_model(request.model, configuration))
        self._head = CompletionHead(router.request_id, request.model, int(time.time()))

    def completion(self) -> dict[str, Json]:
        calls: list[ClientCall] = []

        def collect(event: Event) -> None:
            if isinstance(event, ClientCallsRequested):
                calls.extend(event.calls)

        return self._head.completion(self._answer(collect), calls)

    def stream(self) -> None:
        """Send the answer as it is made. `DELETE /api/runs/{id}` with the id of the request cancels the chat.

        Raises the error of a chat that fails before its first piece, and of one whose pieces are not sent at once.
        """
        request = self._request
        body = OpenedBody(
            lambda: router.open_stream(MEDIA_TYPE, {**HEADERS, "X-Request-Id": router.request_id}),
            first_chunk(self._head, include_usage=request.include_usage),
            is_live=router.is_streaming,
        )
        failure: Exception | None = None
        with EventSender(body) as sender:
            chunks = CompletionStream(
                self._head, sender.send, include_usage=request.include_usage, has_comments=request.has_comments
            )
            try:
                watch = router.services.runs.watched(router.request_id, caller=router.caller)
                chunks.finish(self._answer(fan_out(watch, chunks.receive), stream=True))
            except StreamClosedError:
                raise
            except Exception as error:  # noqa: BLE001 # sent to the client, or raised below
                failure = error
        if failure is not None:  # after the sender has ended, which may start the response by a heartbeat
            if not (body.is_open and body.is_live):
                raise failure
            body.write(event_of(error_object(failure, to_http_error(failure, router.request_id))))

    def _answer(self, observe: Emit, *, stream: bool = False) -> ChatResponse:
        return checked_form(
            router.services.engine.answer(
                self._request.conversation.chat_request(self._request.session_id, param="messages"),
                caller=router.caller,
                deadline=self._deadline,
                request_id=router.request_id,
                observe=observe,
                stream=stream,
                overrides=self._overrides,
                front_end="openai",
            )
        )


def request_body() -> dict[str, Any]:
    """Return the body of the current request, which is an object: it was checked before."""
    body: Any = safe_loads(body_bytes(router.event), max_bytes=BODY.max_bytes)
    return body


MAX_BODY_BYTES: Final = 1024 * 1024
"""Largest request for embeddings."""

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
        "status": {"enum": ["completed", "incomplete", "queued", "in_progress", "failed", "cancelled"]},
        "model": _TEXT,
        "output": {"type": "array", "items": {"type": "object"}},
        "usage": {"type": ["object", "null"]},
        "store": {"type": "boolean"},
        "flexchat": {"type": "object"},
    },
    "required": ["id", "object", "created_at", "status", "model", "output", "usage", "store"],
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

DELETED: Final[dict[str, Any]] = {
    "title": "OpenAiDeletedResponse",
    "type": "object",
    "properties": {"id": _TEXT, "object": {"const": "response"}, "deleted": {"const": True}},
    "required": ["id", "object", "deleted"],
}

RESPONSES: Final = documented(RESPONSE, errors=RESPONSE_ERRORS)
RESPONSES[200]["content"][MEDIA_TYPE] = {
    "schema": {
        "type": "string",
        "description": "Server-sent events; the last is a completed, an incomplete or a failed response.",
    }
}


@router.endpoint(
    "POST",
    "/v1/responses",
    role="user",
    summary="Create a response",
    description=(
        "OpenAI's Responses API: text, pictures, files, function tools of the client, and `previous_response_id`. "
        "With `stream` the response is sent as server-sent events, with `background` a background run answers."
    ),
    tags=TAGS,
    responses=RESPONSES,
    body=BodyLimit('{"model": "flexchat", "input": "Hello"}', max_bytes=MAX_INLINE_BYTES),
)
def create_response(request: Annotated[ResponsesRequest, Body()]) -> Response[str]:
    services = router.services.responses
    router.act_for(request.parameters.end_user)
    call = ResponseCall(
        request=request,
        caller=router.caller,
        request_id=router.request_id,
        session_id=session_of(request.parameters, router.event),
        has_comments=has_comments(request.parameters, router.event),
        deadline=router.stream_deadline() if request.stream else router.deadline(),
    )
    if request.background:
        return _in_background(call)
    if not request.stream:
        return json_response(services.create(call))
    services.stream(
        call,
        lambda: router.open_stream(MEDIA_TYPE, {**HEADERS, **_headers()}),
        is_live=router.is_streaming,
        watch=router.services.runs.watched(router.request_id, caller=router.caller),
    )
    return streamed()


def _in_background(call: ResponseCall) -> Response[str]:
    services = router.services
    function = services.runs_function or own_alias(router.lambda_context.invoked_function_arn)
    queued = services.background_responses.start(call, function)
    return _followed(str(queued["id"]), -1) if call.request.stream else json_response(queued)


def _followed(response_id: str, after: int) -> Response[str]:
    """Send the events of a response after a number."""
    frames = router.services.background_responses.follow(
        response_id, after, caller=router.caller, deadline=router.stream_deadline()
    )
    with EventSender(router.open_stream(MEDIA_TYPE, {**HEADERS, **_headers()})) as sender:
        try:
            for frame in frames:
                sender.send(frame)
        except FlexchatError as error:
            if not router.is_streaming:
                raise
            logger.warning("response events not read", reason=str(error))
    return streamed()


@router.endpoint(
    "GET",
    "/v1/responses/<response_id>",
    role="user",
    summary="Get a stored response",
    description=(
        "The response object, for as long as the service keeps sessions; one of the same token. With `stream=true` the "
        "events of a response of a background run, after the number `starting_after`."
    ),
    tags=TAGS,
    responses=RESPONSES,
)
def show_response(
    response_id: str,
    stream: Annotated[bool, Query()] = False,  # noqa: FBT002 - a parameter of the query
    starting_after: Annotated[int, Query()] = -1,
) -> Response[str]:
    services, caller = router.services, router.caller
    if not stream:
        return json_response(services.responses.show(response_id, caller=caller, deadline=router.deadline()))
    services.background_responses.check_stream(response_id, caller=caller, deadline=router.deadline())
    return _followed(response_id, starting_after)


@router.endpoint(
    "POST",
    "/v1/responses/<response_id>/cancel",
    role="user",
    summary="Cancel a response of a background run",
    description="A response that has ended is returned as it is.",
    tags=TAGS,
    responses=documented(RESPONSE, errors=(400, 401, 403, 404, 429, 500, 503)),
    body="none",
)
def cancel_response(response_id: str) -> Response[str]:
    responses = router.services.background_responses
    return json_response(responses.cancel(response_id, caller=router.caller, deadline=router.deadline()))


@router.endpoint(
    "DELETE",
    "/v1/responses/<response_id>",
    role="user",
    summary="Delete a stored response",
    description="Also its conversation: no later request can continue it.",
    tags=TAGS,
    responses=documented(DELETED, errors=(401, 403, 404, 429, 500, 503)),
)
def delete_response(response_id: str) -> Response[str]:
    responses = router.services.responses
    return json_response(responses.delete(response_id, caller=router.caller, deadline=router.deadline()))


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
    router.act_for(request.user)
    text = router.services.embeddings.create(
        request, caller=router.caller, deadline=router.deadline(), request_id=router.request_id
    )
    return _json(text)


def _json(text: str) -> Response[str]:
    return Response(200, content_types.APPLICATION_JSON, text, headers=_headers())


def _headers() -> dict[str, str]:
    return {"X-Request-Id": router.request_id}
