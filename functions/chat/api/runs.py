"""Routes to get and cancel a background run."""

from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.event_handler import Response, content_types

from flexchat.api.runs import RunView
from flexchat.http_api.api import no_content, streamed
from flexchat.http_api.openapi import responses
from functions.chat.api.services import EVENT_CONTENT, STORE_SECONDS, ChatRouter

_ERRORS = (401, 403, 404, 429, 500, 503)

_EVENTS: dict[int, Any] = {
    HTTPStatus.OK.value: {"description": "The events", "content": EVENT_CONTENT},
    HTTPStatus.NO_CONTENT.value: {"description": "The last event was received"},
}

_REQUESTED: dict[int, Any] = {HTTPStatus.ACCEPTED.value: {"description": "The chat is cancelled if it is active"}}

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
