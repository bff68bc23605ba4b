"""Route of chats, with the request headers `Prefer` and `Idempotency-Key`."""

import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response, content_types
from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.api import ChatRequest, ChatResponse
from flexchat.api.runs import RunView
from flexchat.attachments import MAX_INLINE_BYTES
from flexchat.deadline import Deadline
from flexchat.errors import RequestError
from flexchat.http_api.api import streamed
from flexchat.http_api.body import BodyLimit, header, header_values
from flexchat.http_api.openapi import responses
from flexchat.runs import QUEUED_SECONDS, RUN_SECONDS
from functions.chat.api.services import EVENT_CONTENT, ChatRouter
from functions.chat.response import answer_text
from functions.chat.runs.responder import ChatHttpRequest
from functions.chat.runs.service import own_alias

_ERRORS = (400, 401, 403, 409, 410, 413, 415, 422, 429, 500, 502, 503, 504)

_ACCEPTED: dict[int, Any] = {
    HTTPStatus.ACCEPTED.value: {
        "description": "With `Prefer: respond-async`: the run; Location is its address",
        "content": {"application/json": {"model": RunView}},
    }
}

_ANSWERS: dict[int, Any] = responses(ChatResponse, errors=_ERRORS)
_ANSWERS[HTTPStatus.OK.value]["content"] |= EVENT_CONTENT

MAX_KEY_CHARACTERS = 255

_PREFERENCE = re.compile(r'((?:[^",]|"(?:[^"\\]|\\.)*"?)+)')
_KEY = re.compile(rf"[!-~]{{1,{MAX_KEY_CHARACTERS}}}")

router = ChatRouter()


@router.endpoint(
    "POST",
    "/api/chat",
    role="user",
    summary="Answer a message",
    description=(
        "With `Prefer: respond-async` a background run answers: 202, and `Location` is its address. "
        "With an `Idempotency-Key` a repeated request gets the answer of the first one. "
        "With `Accept: text/event-stream` the answer is streamed as server-sent events."
    ),
    tags=["chat"],
    responses={**_ANSWERS, **_ACCEPTED},
    body=BodyLimit('{"message": "Hello"}', max_bytes=MAX_INLINE_BYTES),
)
def chat(request: Annotated[ChatRequest, Body()]) -> Response[Any]:
    services, event, caller, request_id = router.services, router.event, router.caller, router.request_id

    def answer(deadline: Deadline) -> ChatResponse:
        return services.engine.answer(request, caller=caller, deadline=deadline, request_id=request_id)

    deadline = router.deadline()
    if request.deadline_ms is not None:
        deadline = deadline.within(request.deadline_ms / 1000)
    in_background, key = wants_async(event), idempotency_key(event)
    if not in_background and "text/event-stream" in header(event, "accept").lower():
        from functions.chat.streaming.events import prefers_events

        if prefers_events(header(event, "accept")):
            from functions.chat.api.streaming import stream_chat

            stream_chat(router, request, key=key)
            return streamed()
    if not in_background and key is None:
        return Response(HTTPStatus.OK, content_types.APPLICATION_JSON, answer_text(answer(deadline)))
    post = ChatHttpRequest(
        event=event,
        in_background=in_background,
        idempotency_key=key,
        request=request,
        caller=caller,
        request_id=request_id,
        function=services.runs_function or own_alias(router.lambda_context.invoked_function_arn),
        deadline=deadline,
        admit=lambda due: services.limits.admit(
            request, caller=caller, seconds=QUEUED_SECONDS + RUN_SECONDS, deadline=due
        ),
    )
    response = services.responder.respond(post, answer)
    return Response(response.status, content_types.APPLICATION_JSON, response.body, headers=dict(response.headers))


def wants_async(event: Mapping[str, Any]) -> bool:
    """Return true if a REST API proxy event (payload v1) has the preference `respond-async` (RFC 7240).

    Unknown preferences and `wait` are ignored.
    """
    return any(_name(preference) == "respond-async" for preference in _preferences(event))


def idempotency_key(event: Mapping[str, Any]) -> str | None:
    """Return the idempotency key of a request, if it has one.

    Raises RequestError for a key that is not 1 to 255 visible ASCII characters, or for several different keys.
    """
    keys = {value.strip() for value in header_values(event, "idempotency-key")}
    if not keys:
        return None
    key, *others = keys
    if others or not _KEY.fullmatch(key):
        message = f"Idempotency-Key must be one value of 1 to {MAX_KEY_CHARACTERS} visible ASCII characters"
        raise RequestError(message, code="invalid_idempotency_key")
    return key


def _preferences(event: Mapping[str, Any]) -> Iterator[str]:
    for value in header_values(event, "prefer"):
        yield from _PREFERENCE.findall(value)


def _name(preference: str) -> str:
    """A preference without its value and its parameters."""
    return re.split("[=;]", preference, maxsplit=1)[0].strip().lower()
