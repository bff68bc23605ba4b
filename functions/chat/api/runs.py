"""Routes to get and cancel a background run, and to decide on tool calls that wait for an approval."""

from http import HTTPStatus
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response, content_types
from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.api.approvals import ApprovalDecisionsRequest, ApprovalListView, ApprovalView
from flexchat.api.runs import RunView
from flexchat.http_api.api import no_content, streamed
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.openapi import responses
from functions.chat.api.services import EVENT_CONTENT, STORE_SECONDS, ChatRouter
from functions.chat.runs.responder import POLL_SECONDS, run_location
from functions.chat.runs.service import own_alias

_ERRORS = (401, 403, 404, 429, 500, 503)

_EVENTS: dict[int, Any] = {
    HTTPStatus.OK.value: {"description": "The events", "content": EVENT_CONTENT},
    HTTPStatus.NO_CONTENT.value: {"description": "The last event was received"},
}

_REQUESTED: dict[int, Any] = {HTTPStatus.ACCEPTED.value: {"description": "The chat is cancelled if it is active"}}

_CONTINUED: dict[int, Any] = {
    HTTPStatus.ACCEPTED.value: {
        "description": "Every call has a decision: a run continues the chat; Location is its address",
        "content": {"application/json": {"model": ApprovalView}},
    }
}

_DECISION = (
    '{"decisions": [{"call_id": "call_1", "digest": "'
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "approve": true}]}'
)

router = ChatRouter()


@router.endpoint(
    "GET",
    "/api/runs/<id>",
    role="user",
    summary="Get a run",
    tags=["runs"],
    responses=responses(RunView, errors=_ERRORS),
)
def get_run(id: str) -> RunView:
    return router.services.runs.get(id, caller=router.caller, deadline=router.deadline(at_most=STORE_SECONDS))


@router.endpoint(
    "GET",
    "/api/runs/<id>/events",
    role="user",
    summary="Get the events of a run",
    description=(
        "Server-sent events from the start, or after `Last-Event-ID`, until the answer or the error of the run. A "
        "response that ends before them is continued by another request. 204 after the last event."
    ),
    tags=["runs"],
    responses={**responses(RunView, errors=(400, *_ERRORS)), **_EVENTS},
)
def follow_run(id: str) -> Response[str]:
    from functions.chat.api.streaming import follow_run, last_event_id
    from functions.chat.streaming.log import LAST_STEP

    position = last_event_id(router.event)
    key = router.services.runs.key_of(id, caller=router.caller, deadline=router.deadline(at_most=STORE_SECONDS))
    if position.step >= LAST_STEP:
        return no_content()
    follow_run(router, key, position)
    return streamed()


@router.endpoint(
    "DELETE",
    "/api/runs/<id>",
    role="user",
    summary="Cancel a run",
    description=(
        "The id is that of a run, or that of the request of a streamed chat below `/v1`, which has no run: 202, and "
        "the chat is cancelled if it is active."
    ),
    tags=["runs"],
    responses={**responses(RunView, errors=_ERRORS), **_REQUESTED},
)
def cancel_run(id: str) -> Response[Any]:
    run = router.services.runs.cancel(id, caller=router.caller, deadline=router.deadline(at_most=STORE_SECONDS))
    if run is None:
        return Response(HTTPStatus.ACCEPTED, content_types.APPLICATION_JSON, "{}")
    return Response(HTTPStatus.OK, content_types.APPLICATION_JSON, run.model_dump_json())


@router.endpoint(
    "POST",
    "/api/runs/<id>/lease",
    role="user",
    body="none",
    summary="Renew the lease of a client",
    description="A streamed chat with `lease_seconds` is cancelled unless its client renews the lease in that time.",
    tags=["runs"],
    responses=responses(None, errors=_ERRORS),
)
def renew_lease(id: str) -> Response[str]:
    router.services.runs.renew_client(id, caller=router.caller, deadline=router.deadline(at_most=STORE_SECONDS))
    return no_content()


@router.endpoint(
    "GET",
    "/api/runs/<id>/approvals",
    role="user",
    summary="Get the tool calls of a chat that wait for an approval",
    description="The id is that of the chat's run, or of its request where it has no run.",
    tags=["approvals"],
    responses=responses(ApprovalView, errors=_ERRORS),
)
def get_approval(id: str) -> ApprovalView:
    return router.services.approvals.get(id, caller=router.caller, deadline=router.deadline(at_most=STORE_SECONDS))


@router.endpoint(
    "POST",
    "/api/runs/<id>/approvals",
    role="user",
    summary="Approve or deny tool calls",
    description=(
        "Each call is decided once. After the last decision a run continues the chat in the background: 202. The same "
        "request may be sent again, as after a 503, when Lambda did not accept the run."
    ),
    tags=["approvals"],
    responses={
        **responses(ApprovalView, errors=(400, 401, 403, 404, 409, 410, 413, 415, 422, 429, 500, 503)),
        **_CONTINUED,
    },
    body=BodyLimit(_DECISION),
)
def decide_approval(id: str, request: Annotated[ApprovalDecisionsRequest, Body()]) -> Response[Any]:
    services = router.services
    approval = services.approvals.decide(
        id,
        request,
        caller=router.caller,
        request_id=router.request_id,
        function=services.runs_function or own_alias(router.lambda_context.invoked_function_arn),
        deadline=router.deadline(at_most=STORE_SECONDS),
    )
    text = approval.model_dump_json()
    if approval.run_id is None:
        return Response(HTTPStatus.OK, content_types.APPLICATION_JSON, text)
    headers = {"Location": run_location(router.event, approval.run_id), "Retry-After": str(POLL_SECONDS)}
    return Response(HTTPStatus.ACCEPTED, content_types.APPLICATION_JSON, text, headers=headers)


@router.endpoint(
    "GET",
    "/api/approvals",
    role="user",
    summary="List the approvals that wait for you",
    description="Those of your own chats, and those that your roles decide.",
    tags=["approvals"],
    responses=responses(ApprovalListView, errors=(401, 403, 429, 500, 503)),
)
def list_approvals() -> ApprovalListView:
    return router.services.approvals.list(caller=router.caller, deadline=router.deadline(at_most=STORE_SECONDS))
