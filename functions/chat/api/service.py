"""Routes of the service itself: the caller's token, the OpenAPI document and the health check."""

from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Final

from aws_lambda_powertools.event_handler import Response, content_types
from aws_lambda_powertools.event_handler.openapi.types import OpenAPIResponse

from flexchat.api import ApiModel, Optional
from flexchat.api.limits import LimitUseView
from flexchat.config.access import Rights, rights_of
from flexchat.config.models.roles import Right, View
from flexchat.errors import ConfigError, FlexchatError, UnavailableError
from flexchat.http_api.caller import Caller
from flexchat.http_api.openapi import responses
from flexchat.observability import logger
from functions.chat.api.services import STORE_SECONDS, ChatRouter
from functions.chat.choices import offered_choices

OPENAPI_FILE: Final = Path(__file__).with_name("openapi.json")
"""OpenAPI document of the routes of all functions; `make schema` generates it."""

LIMITS_SECONDS: Final = 5.0
"""Limit of the reading of the configuration and the counters."""

_DOCUMENT: OpenAPIResponse = {
    "description": "The OpenAPI 3.1 document",
    "content": {"application/json": {"schema": {"type": "object"}}},
}


class Health(ApiModel):
    """Health of the service, without that of its models."""

    status: str = "ok"


class ChoicesView(ApiModel):
    """Response rules and models (`llm:model`) that the caller may choose for a message."""

    rules: tuple[str, ...] = ()
    models: tuple[str, ...] = ()


class CallerView(ApiModel):
    """Token of the request and its permissions; `operator` includes all permissions of `user`.

    `principal` is the id of the token, `name` the name it was created with. `views` are the views of the page for its
    roles, `may` the rights of operators that it has. `choices`, `views`, `may` and `limits` are missing while no
    configuration can be read; `limits` are those of the token and of its roles, empty for none, and also missing
    without counters.
    """

    principal: str
    name: Optional[str] = None
    roles: tuple[str, ...]
    expires_at: Optional[datetime] = None
    limits: Optional[tuple[LimitUseView, ...]] = None
    choices: Optional[ChoicesView] = None
    views: Optional[tuple[View, ...]] = None
    may: Optional[tuple[Right, ...]] = None


router = ChatRouter()


@router.endpoint(
    "GET",
    "/api/me",
    role="user",
    summary="Get the name, roles, expiry and limits of the token",
    description="Clients use the roles to hide actions that the token does not permit. The request is not counted.",
    tags=["service"],
    responses=responses(CallerView, errors=(401, 403, 429, 500)),
)
def show_caller() -> CallerView:
    caller = router.caller
    choices: ChoicesView | None = None
    rights: Rights | None = None
    with suppress(ConfigError, UnavailableError):
        runtime = router.services.runtimes.usable(caller, router.deadline(at_most=STORE_SECONDS))
        configuration = runtime.catalog.configuration
        rights = rights_of(caller, configuration.roles)
        offered = offered_choices(configuration, caller)
        choices = ChoicesView(rules=offered.rules, models=offered.models)
    return CallerView(
        principal=caller.principal,
        name=caller.name or None,
        roles=tuple(sorted(caller.roles)),
        expires_at=datetime.fromtimestamp(caller.expires_at, UTC) if caller.expires_at else None,
        limits=_limits(caller),
        choices=choices,
        views=None if rights is None else rights.views,
        may=None if rights is None else tuple(sorted(rights.may)),
    )


def _limits(caller: Caller) -> tuple[LimitUseView, ...] | None:
    """Return the use of the caller's limits; None if it cannot be read, because a sign-in needs the roles alone."""
    try:
        used = router.services.limits.usage(caller, deadline=router.deadline(at_most=LIMITS_SECONDS))
    except FlexchatError as error:
        logger.warning("limits not read", reason=str(error))
        return None
    return tuple(
        LimitUseView(
            name=each.name,
            allowed=each.allowed,
            used=each.used,
            reserved=each.reserved,
            resets_at=datetime.fromtimestamp(each.resets_at, UTC),
            role=each.role,
        )
        for each in used
    )


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
