"""Routes of sessions: each caller reads and writes only their own."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Path, Query

from flexchat.api.request import SESSION_ID_PATTERN
from flexchat.api.sessions import NewSession, SessionChange, SessionList, SessionMessages, SessionView
from flexchat.http_api.api import no_content
from flexchat.http_api.openapi import responses
from functions.chat.api.services import STORE_SECONDS, ChatRouter

DEFAULT_PAGE = 20
MAX_PAGE = 100
MAX_TURN = 999_999

_LISTS = (400, 401, 403, 429, 500, 503)
_READS = (400, 401, 403, 404, 429, 500, 503)
_WRITES = (400, 401, 403, 404, 413, 415, 429, 500, 503)

SessionId = Annotated[str, Path(pattern=SESSION_ID_PATTERN)]
Limit = Annotated[int, Query(ge=1, le=MAX_PAGE)]
Cursor = Annotated[str | None, Query(max_length=2_000)]
Turn = Annotated[int, Query(ge=1, le=MAX_TURN)]

router = ChatRouter()


@router.endpoint(
    "GET",
    "/api/sessions",
    role="user",
    summary="List your sessions",
    tags=["sessions"],
    responses=responses(SessionList, errors=_LISTS),
)
def list_sessions(limit: Limit = DEFAULT_PAGE, cursor: Cursor = None) -> SessionList:
    sessions, deadline = router.services.operations.sessions, router.deadline(at_most=STORE_SECONDS)
    return sessions.list(router.caller.principal, limit=limit, cursor=cursor, deadline=deadline)


@router.endpoint(
    "GET",
    "/api/sessions/<id>",
    role="user",
    summary="Get a session",
    tags=["sessions"],
    responses=responses(SessionView, errors=_READS),
)
def show(id: SessionId) -> SessionView:
    sessions, deadline = router.services.operations.sessions, router.deadline(at_most=STORE_SECONDS)
    return sessions.get(router.caller.principal, id, deadline=deadline)


@router.endpoint(
    "GET",
    "/api/sessions/<id>/messages",
    role="user",
    summary="List the messages of a session",
    tags=["sessions"],
    responses=responses(SessionMessages, errors=_READS),
)
def messages(id: SessionId, limit: Limit = DEFAULT_PAGE, cursor: Cursor = None, from_turn: Turn = 1) -> SessionMessages:
    sessions, deadline = router.services.operations.sessions, router.deadline(at_most=STORE_SECONDS)
    return sessions.messages(
        router.caller.principal, id, limit=limit, cursor=cursor, deadline=deadline, from_turn=from_turn
    )


@router.endpoint(
    "POST",
    "/api/sessions",
    role="user",
    summary="Create a session",
    tags=["sessions"],
    responses=responses(SessionView, status=HTTPStatus.CREATED, errors=(400, 401, 403, 413, 415, 429, 500, 503)),
    status_code=HTTPStatus.CREATED,
)
def create(new: Annotated[NewSession, Body()]) -> SessionView:
    sessions, deadline = router.services.operations.sessions, router.deadline(at_most=STORE_SECONDS)
    return sessions.create(router.caller.principal, title=new.title, deadline=deadline)


@router.endpoint(
    "PATCH",
    "/api/sessions/<id>",
    role="user",
    summary="Rename a session",
    tags=["sessions"],
    responses=responses(SessionView, errors=_WRITES),
)
def rename(id: SessionId, change: Annotated[SessionChange, Body()]) -> SessionView:
    sessions, deadline = router.services.operations.sessions, router.deadline(at_most=STORE_SECONDS)
    return sessions.rename(router.caller.principal, id, change.title, deadline=deadline)


@router.endpoint(
    "DELETE",
    "/api/sessions/<id>",
    role="user",
    summary="Delete a session with all its messages",
    tags=["sessions"],
    responses=responses(None, errors=_READS),
)
def delete(id: SessionId) -> Response[str]:
    sessions, deadline = router.services.operations.sessions, router.deadline(at_most=STORE_SECONDS)
    sessions.delete(router.caller.principal, id, deadline=deadline)
    return no_content()
