"""Routes of suites."""

from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Path

from flexchat.http_api.api import no_content
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.openapi import responses
from flexchat.validation.cases import SUITE_NAME_PATTERN, Suite
from flexchat.validation.views import SuiteList, SuiteView
from functions.validation.services import ValidationRouter

_LISTS = (401, 403, 429, 500, 503)
_READS = (400, 401, 403, 404, 429, 500, 503)
_WRITES = (400, 401, 403, 404, 409, 413, 415, 429, 500, 503)
_DELETES = (400, 401, 403, 404, 409, 429, 500, 503)

MAX_SUITE_BYTES = 4 * 1024 * 1024
"""Maximum body of a suite: as text inside a Lambda's event it must be below 6 MB."""

SuiteName = Annotated[str, Path(pattern=SUITE_NAME_PATTERN)]

router = ValidationRouter()


@router.endpoint(
    "GET",
    "/api/validation/suites",
    role="user",
    summary="List the suites of cases",
    tags=["validation"],
    responses=responses(SuiteList, errors=_LISTS),
)
def list_suites() -> SuiteList:
    return router.services.suites.list(deadline=router.deadline())


@router.endpoint(
    "GET",
    "/api/validation/suites/<name>",
    role="user",
    summary="Get a suite",
    tags=["validation"],
    responses=responses(Suite, errors=_READS),
)
def show(name: SuiteName) -> Suite:
    return router.services.suites.get(name, deadline=router.deadline())


@router.endpoint(
    "PUT",
    "/api/validation/suites/<name>",
    role="operator",
    right="validate",
    body=BodyLimit('{"name": "mine", "tools": […], "cases": […]}', MAX_SUITE_BYTES),
    summary="Store a suite",
    tags=["validation"],
    responses=responses(SuiteView, errors=_WRITES),
)
def put(name: SuiteName, suite: Annotated[Suite, Body()]) -> SuiteView:
    return router.services.suites.put(name, suite, deadline=router.deadline())


@router.endpoint(
    "DELETE",
    "/api/validation/suites/<name>",
    role="operator",
    right="validate",
    summary="Delete a suite",
    tags=["validation"],
    responses=responses(None, errors=_DELETES),
)
def delete(name: SuiteName) -> Response[str]:
    router.services.suites.delete(name, deadline=router.deadline())
    return no_content()
