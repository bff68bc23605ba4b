"""Route of chats."""

from http import HTTPStatus
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response, content_types
from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.api import ChatRequest, ChatResponse
from flexchat.api.runs import RunView
from flexchat.deadline import Deadline
from flexchat.http_api.openapi import responses
from flexchat.runs import QUEUED_SECONDS, RUN_SECONDS
from functions.chat.api.services import ChatRouter
from functions.chat.runs.events import own_alias
from functions.chat.runs.headers import idempotency_key, wants_async
from functions.chat.runs.responder import ChatHttpRequest
from functions.chat.runs.view import answer_text

_ERRORS = (400, 401, 403, 409, 410, 413, 415, 422, 429, 500, 502, 503, 504)

_ACCEPTED: dict[int, Any] = {
    HTTPStatus.ACCEPTED.value: {
        "description": "With `Prefer: respond-async`: the run, to be asked for at Location",
        "content": {"application/json": {"model": RunView}},
    }
}

router = ChatRouter()


@router.endpoint(
    "POST",
    "/api/chat",
    role="user",
    summary="Answer a message",
    description=(
        "With `Prefer: respond-async` the answer is made in the background: 202, and `Location` says where. "
        "With an `Idempotency-Key` a repeated request gets the first one's answer."
    ),
    tags=["chat"],
    responses={**responses(ChatResponse, errors=_ERRORS), **_ACCEPTED},
)
def chat(request: Annotated[ChatRequest, Body()]) -> Response[Any]:
    services, event, caller, request_id = router.services, router.event, router.caller, router.request_id

    def answer(deadline: Deadline) -> ChatResponse:
        return services.engine.answer(request, caller=caller, deadline=deadline, request_id=request_id)

    deadline = router.deadline()
    if request.deadline_ms is not None:
        deadline = deadline.within(request.deadline_ms / 1000)
    if not (wants_async(event) or idempotency_key(event)):
        return Response(HTTPStatus.OK, content_types.APPLICATION_JSON, answer_text(answer(deadline)))
    post = ChatHttpRequest(
        event=event,
        request=request,
        caller=caller,
        request_id=request_id,
        function=own_alias(router.lambda_context.invoked_function_arn),
        deadline=deadline,
        admit=lambda due: services.limits.admit(
            request, caller=caller, seconds=QUEUED_SECONDS + RUN_SECONDS, deadline=due
        ),
    )
    response = services.responder.respond(post, answer)
    return Response(response.status, content_types.APPLICATION_JSON, response.body, headers=dict(response.headers))
