"""The routes of suites."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Path
from aws_lambda_powertools.event_handler.openapi.types import OpenAPIResponse

from flexchat.api.validation import SuiteList, SuiteView
from flexchat.deadline import Deadline
from flexchat.http_api.api import Door, no_content, responses
from flexchat.http_api.body import BodyLimit
from flexchat.validation.cases import SUITE_NAME_PATTERN, Suite
from functions.validation.suites import Suites

_LISTS = (401, 403, 429, 500, 503)
_READS = (400, 401, 403, 404, 429, 500, 503)
_WRITES = (400, 401, 403, 404, 409, 413, 415, 429, 500, 503)
_DELETES = (400, 401, 403, 404, 409, 429, 500, 503)

MAX_SUITE_BYTES = 4 * 1024 * 1024
"""Of the body that brings a suite: as text inside a Lambda's event it must stay below 6 MB."""

_SUITE = BodyLimit('{"name": "mine", "tools": […], "cases": […]}', MAX_SUITE_BYTES)

SuiteName = Annotated[str, Path(pattern=SUITE_NAME_PATTERN)]


def add_suite_routes(door: Door, *, suites: Callable[[], Suites], deadline: Callable[[], Deadline]) -> None:
    """Serve suites at `door`; `deadline` says when the request that is being answered is due."""

    @door.route(
        "GET",
        "/api/validation/suites",
        role="user",
        summary="List the suites of cases",
        tags=["validation"],
        responses=responses(SuiteList, errors=_LISTS),
    )
    def list_suites() -> SuiteList:  # pyright: ignore[reportUnusedFunction]
        return suites().list(deadline=deadline())

    @door.route(
        "GET",
        "/api/validation/suites/<name>",
        role="user",
        summary="Read a suite",
        tags=["validation"],
        responses=responses(Suite, errors=_READS),
    )
    def show(name: SuiteName) -> Suite:  # pyright: ignore[reportUnusedFunction]
        return suites().get(name, deadline=deadline())

    @door.route(
        "PUT",
        "/api/validation/suites/<name>",
        role="operator",
        body=_SUITE,
        summary="Keep a suite of your own",
        tags=["validation"],
        responses=responses(SuiteView, errors=_WRITES),
    )
    def put(name: SuiteName, suite: Annotated[Suite, Body()]) -> SuiteView:  # pyright: ignore[reportUnusedFunction]
        return suites().put(name, suite, deadline=deadline())

    @door.route(
        "DELETE",
        "/api/validation/suites/<name>",
        role="operator",
        summary="Delete a suite of your own",
        tags=["validation"],
        responses=_deleted(),
    )
    def delete(name: SuiteName) -> Response[str]:  # pyright: ignore[reportUnusedFunction]
        suites().delete(name, deadline=deadline())
        return no_content()


def _deleted() -> dict[int, OpenAPIResponse]:
    documented = responses(SuiteView, errors=_DELETES)
    del documented[HTTPStatus.OK]
    return {int(HTTPStatus.NO_CONTENT): {"description": "It is gone"}, **documented}
