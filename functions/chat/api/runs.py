"""Routes to get and cancel a background run."""

from flexchat.api.runs import RunView
from flexchat.http_api.openapi import responses
from functions.chat.api.services import STORE_SECONDS, ChatRouter

_ERRORS = (401, 403, 404, 429, 500, 503)

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
    "DELETE",
    "/api/runs/<id>",
    role="user",
    summary="Cancel a run",
    tags=["runs"],
    responses=responses(RunView, errors=_ERRORS),
)
def cancel_run(id: str) -> RunView:
    return router.services.runs.cancel(id, caller=router.caller, deadline=router.deadline(at_most=STORE_SECONDS))
