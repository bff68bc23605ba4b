"""Routes of the service itself: the caller's token, the OpenAPI document and the health check."""

from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Final

from aws_lambda_powertools.event_handler import Response, content_types
from aws_lambda_powertools.event_handler.openapi.types import OpenAPIResponse

from flexchat.api import ApiModel
from flexchat.http_api.openapi import responses
from flexchat.tokens import Role
from functions.chat.api.services import ChatRouter

OPENAPI_FILE: Final = Path(__file__).with_name("openapi.json")
"""OpenAPI document of the routes of all functions; `make schema` generates it."""

_DOCUMENT: OpenAPIResponse = {
    "description": "The OpenAPI 3.1 document",
    "content": {"application/json": {"schema": {"type": "object"}}},
}


class Health(ApiModel):
    """Health of the service, without that of its models."""

    status: str = "ok"


class CallerView(ApiModel):
    """Token of the request and its permissions; `operator` includes all permissions of `user`."""

    principal: str
    roles: tuple[Role, ...]


router = ChatRouter()


@router.endpoint(
    "GET",
    "/api/me",
    role="user",
    summary="Get the id and roles of the token",
    description="Clients use the roles to hide actions that the token does not permit.",
    tags=["service"],
    responses=responses(CallerView, errors=(401, 403, 429, 500)),
)
def show_caller() -> CallerView:
    caller = router.caller
    return CallerView(principal=caller.principal, roles=tuple(sorted(caller.roles)))


@router.endpoint(
    "GET",
    "/api/openapi.json",
    role="user",
    summary="Get the OpenAPI document",
    tags=["service"],
    responses={**responses(Health, errors=(401, 403, 429, 500)), 200: _DOCUMENT},
)
def openapi() -> Response[str]:
    return Response(HTTPStatus.OK, content_types.APPLICATION_JSON, openapi_text())


@router.endpoint(
    "GET",
    "/health",
    role=None,
    summary="Check the health of the service",
    tags=["service"],
    responses=responses(Health, errors=(429, 500)),
)
def health() -> Health:
    return Health()


@cache
def openapi_text() -> str:
    """Return the text of the document."""
    return OPENAPI_FILE.read_text("utf-8")
