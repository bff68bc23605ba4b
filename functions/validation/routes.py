"""The routes of statuses and runs."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated
from urllib.parse import unquote

from aws_lambda_powertools.event_handler import Response, content_types
from aws_lambda_powertools.event_handler.openapi.params import Body, Path, Query

from flexchat.api.validation import ForgottenModel, History, NewRun, RunList, StatusList, ValidationRunView
from flexchat.deadline import Deadline
from flexchat.http_api.api import Door, responses
from functions.validation.queries import Progress
from functions.validation.run_starter import Starter
from functions.validation.views import run_view

DEFAULT_PAGE = 50
MAX_PAGE = 500

LISTS = (400, 401, 403, 429, 500, 503)
READS = (400, 401, 403, 404, 429, 500, 503)
FORGETS = (400, 401, 403, 404, 409, 429, 500, 503)
CHANGES = (400, 401, 403, 404, 409, 429, 500, 503)
STARTS = (400, 401, 403, 404, 413, 415, 429, 500, 503)

RunId = Annotated[str, Path(min_length=1, max_length=64)]
Limit = Annotated[int, Query(ge=1, le=MAX_PAGE)]
Cursor = Annotated[str | None, Query(max_length=2_000)]


def add_routes(
    door: Door,
    *,
    progress: Callable[[], Progress],
    starter: Callable[[], Starter],
    deadline: Callable[[], Deadline],
) -> None:
    """Serve statuses and runs at `door`; `deadline` says when the request that is being answered is due."""
    _add_statuses(door, progress, deadline)
    _add_runs(door, progress, deadline)
    _add_changes(door, progress, starter, deadline)


def _add_statuses(door: Door, progress: Callable[[], Progress], deadline: Callable[[], Deadline]) -> None:
    @door.route(
        "GET",
        "/api/tools/validate",
        role="user",
        summary="List what is known of models, or show that of one",
        description="With `model` the answer is that of `/api/tools/validate/{model}`.",
        tags=["validation"],
        responses=responses(StatusList | History, errors=LISTS),
    )
    def list_statuses(  # pyright: ignore[reportUnusedFunction]
        model: Annotated[str | None, Query(max_length=512)] = None, limit: Limit = DEFAULT_PAGE, cursor: Cursor = None
    ) -> StatusList | History:
        if model is None:
            return progress().statuses(deadline=deadline())
        return progress().history(model, limit=limit, cursor=cursor, deadline=deadline())

    @door.route(
        "GET",
        "/api/tools/validation",
        role="user",
        summary="List what is known of models, under an older name",
        tags=["validation"],
        responses=responses(StatusList, errors=LISTS),
    )
    def list_validations() -> StatusList:  # pyright: ignore[reportUnusedFunction]
        return progress().statuses(deadline=deadline())

    @door.route(
        "GET",
        "/api/tools/validate/<model>",
        role="user",
        summary="Show what is known of a model, and its records",
        tags=["validation"],
        responses=responses(History, errors=READS),
    )
    def history(model: str, limit: Limit = DEFAULT_PAGE, cursor: Cursor = None) -> History:  # pyright: ignore[reportUnusedFunction]
        return progress().history(unquote(model), limit=limit, cursor=cursor, deadline=deadline())

    @door.route(
        "DELETE",
        "/api/tools/validate/<model>",
        role="operator",
        summary="Delete what is known of a model, with its records",
        description="As much as the time allows: repeat the request until the answer is `complete`.",
        tags=["validation"],
        responses=responses(ForgottenModel, errors=FORGETS),
    )
    def forget(model: str) -> ForgottenModel:  # pyright: ignore[reportUnusedFunction]
        return progress().forget(unquote(model), deadline=deadline())


def _add_runs(door: Door, progress: Callable[[], Progress], deadline: Callable[[], Deadline]) -> None:
    @door.route(
        "GET",
        "/api/validation/runs",
        role="user",
        summary="List the validations",
        tags=["validation"],
        responses=responses(RunList, errors=LISTS),
    )
    def list_runs(limit: Limit = DEFAULT_PAGE, cursor: Cursor = None) -> RunList:  # pyright: ignore[reportUnusedFunction]
        return progress().runs(limit=limit, cursor=cursor, deadline=deadline())

    @door.route(
        "GET",
        "/api/validation/runs/<id>",
        role="user",
        summary="Show how far a validation is, with its verdicts",
        tags=["validation"],
        responses=responses(ValidationRunView, errors=READS),
    )
    def show(id: RunId, limit: Limit = DEFAULT_PAGE, cursor: Cursor = None) -> ValidationRunView:  # pyright: ignore[reportUnusedFunction]
        return progress().run(id, limit=limit, cursor=cursor, deadline=deadline())


def _add_changes(
    door: Door, progress: Callable[[], Progress], starter: Callable[[], Starter], deadline: Callable[[], Deadline]
) -> None:
    @door.route(
        "POST",
        "/api/tools/validate",
        role="operator",
        summary="Validate models",
        description="The validation goes on by itself; `Location` is where to ask for it.",
        tags=["validation"],
        responses=responses(ValidationRunView, status=HTTPStatus.ACCEPTED, errors=STARTS),
        status_code=HTTPStatus.ACCEPTED,
    )
    def start(wanted: Annotated[NewRun, Body()]) -> Response[str]:  # pyright: ignore[reportUnusedFunction]
        run = run_view(starter().start(wanted, deadline=deadline()))
        stage: str = door.routes.current_event.raw_event.get("requestContext", {}).get("stage", "")
        return Response(
            HTTPStatus.ACCEPTED,
            content_types.APPLICATION_JSON,
            run.model_dump_json(),
            headers={
                "Location": f"/{stage}/api/validation/runs/{run.id}" if stage else f"/api/validation/runs/{run.id}"
            },
        )

    @door.route(
        "DELETE",
        "/api/validation/runs/<id>",
        role="operator",
        summary="Stop a validation",
        tags=["validation"],
        responses=responses(ValidationRunView, errors=CHANGES),
    )
    def stop(id: RunId) -> ValidationRunView:  # pyright: ignore[reportUnusedFunction]
        return progress().stop(id, deadline=deadline())

    @door.route(
        "POST",
        "/api/validation/runs/<id>/resume",
        role="operator",
        body="none",
        summary="Ask the cases that a validation has not asked yet",
        description="For one whose messages were lost. What is recorded is not asked again.",
        tags=["validation"],
        responses=responses(ValidationRunView, status=HTTPStatus.ACCEPTED, errors=CHANGES),
        status_code=HTTPStatus.ACCEPTED,
    )
    def resume(id: RunId) -> ValidationRunView:  # pyright: ignore[reportUnusedFunction]
        return run_view(starter().resume(id, deadline=deadline()))
