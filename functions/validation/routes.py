"""Routes of model statuses and validation runs."""

from http import HTTPStatus
from typing import Annotated
from urllib.parse import unquote

from aws_lambda_powertools.event_handler import Response, content_types
from aws_lambda_powertools.event_handler.openapi.params import Body, Path, Query

from flexchat.http_api.openapi import responses
from flexchat.validation.views import ForgottenModel, History, NewRun, RunList, StatusList, ValidationRunView
from functions.validation.queries import run_view
from functions.validation.services import ValidationRouter

DEFAULT_PAGE = 50
MAX_PAGE = 500

_LISTS = (400, 401, 403, 429, 500, 503)
_READS = (400, 401, 403, 404, 429, 500, 503)
_CHANGES = (400, 401, 403, 404, 409, 429, 500, 503)
_STARTS = (400, 401, 403, 404, 413, 415, 429, 500, 503)

RunId = Annotated[str, Path(min_length=1, max_length=64)]
Limit = Annotated[int, Query(ge=1, le=MAX_PAGE)]
Cursor = Annotated[str | None, Query(max_length=2_000)]

router = ValidationRouter()


@router.endpoint(
    "GET",
    "/api/tools/validate",
    role="user",
    summary="List the validation status of every model, or get that of one",
    description="With `model` the response is that of `/api/tools/validate/{model}`.",
    tags=["validation"],
    responses=responses(StatusList | History, errors=_LISTS),
)
def list_statuses(
    model: Annotated[str | None, Query(max_length=512)] = None, limit: Limit = DEFAULT_PAGE, cursor: Cursor = None
) -> StatusList | History:
    queries, deadline = router.services.queries, router.deadline()
    if model is None:
        return queries.statuses(deadline=deadline)
    return queries.history(model, limit=limit, cursor=cursor, deadline=deadline)


@router.endpoint(
    "GET",
    "/api/tools/validation",
    role="user",
    summary="List the validation status of every model (earlier path)",
    tags=["validation"],
    responses=responses(StatusList, errors=_LISTS),
)
def list_validations() -> StatusList:
    return router.services.queries.statuses(deadline=router.deadline())


@router.endpoint(
    "GET",
    "/api/tools/validate/<model>",
    role="user",
    summary="Get the validation status and the records of a model",
    tags=["validation"],
    responses=responses(History, errors=_READS),
)
def history(model: str, limit: Limit = DEFAULT_PAGE, cursor: Cursor = None) -> History:
    return router.services.queries.history(unquote(model), limit=limit, cursor=cursor, deadline=router.deadline())


@router.endpoint(
    "DELETE",
    "/api/tools/validate/<model>",
    role="operator",
    right="validate",
    summary="Delete the validation records of a model",
    description="Deletes until the deadline: repeat the request until the response is `complete`.",
    tags=["validation"],
    responses=responses(ForgottenModel, errors=_CHANGES),
)
def forget(model: str) -> ForgottenModel:
    return router.services.queries.forget(unquote(model), deadline=router.deadline())


@router.endpoint(
    "GET",
    "/api/validation/runs",
    role="user",
    summary="List the validation runs",
    tags=["validation"],
    responses=responses(RunList, errors=_LISTS),
)
def list_runs(limit: Limit = DEFAULT_PAGE, cursor: Cursor = None) -> RunList:
    return router.services.queries.runs(limit=limit, cursor=cursor, deadline=router.deadline())


@router.endpoint(
    "GET",
    "/api/validation/runs/<id>",
    role="user",
    summary="Get a validation run with its progress and verdicts",
    tags=["validation"],
    responses=responses(ValidationRunView, errors=_READS),
)
def show(id: RunId, limit: Limit = DEFAULT_PAGE, cursor: Cursor = None) -> ValidationRunView:
    return router.services.queries.run(id, limit=limit, cursor=cursor, deadline=router.deadline())


@router.endpoint(
    "POST",
    "/api/tools/validate",
    role="operator",
    right="validate",
    summary="Start a validation run",
    description="The run continues in the background; `Location` is its address.",
    tags=["validation"],
    responses=responses(ValidationRunView, status=HTTPStatus.ACCEPTED, errors=_STARTS),
    status_code=HTTPStatus.ACCEPTED,
)
def start(new: Annotated[NewRun, Body()]) -> Response[str]:
    run = run_view(router.services.run_starter.start(new, deadline=router.deadline()))
    stage: str = router.event.get("requestContext", {}).get("stage", "")
    location = f"/{stage}/api/validation/runs/{run.id}" if stage else f"/api/validation/runs/{run.id}"
    return Response(
        HTTPStatus.ACCEPTED, content_types.APPLICATION_JSON, run.model_dump_json(), headers={"Location": location}
    )


@router.endpoint(
    "DELETE",
    "/api/validation/runs/<id>",
    role="operator",
    right="validate",
    summary="Stop a validation run",
    tags=["validation"],
    responses=responses(ValidationRunView, errors=_CHANGES),
)
def stop(id: RunId) -> ValidationRunView:
    return router.services.queries.stop(id, deadline=router.deadline())


@router.endpoint(
    "POST",
    "/api/validation/runs/<id>/resume",
    role="operator",
    right="validate",
    body="none",
    summary="Resume a validation run",
    description="For a run with lost messages: queues the cases without a record.",
    tags=["validation"],
    responses=responses(ValidationRunView, status=HTTPStatus.ACCEPTED, errors=_CHANGES),
    status_code=HTTPStatus.ACCEPTED,
)
def resume(id: RunId) -> ValidationRunView:
    return run_view(router.services.run_starter.resume(id, deadline=router.deadline()))
