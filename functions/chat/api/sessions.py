"""The routes of sessions: each caller sees and keeps their own."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Path, Query
from aws_lambda_powertools.event_handler.openapi.types import OpenAPIResponse

from flexchat.api.request import SESSION_ID_PATTERN
from flexchat.api.sessions import NewSession, SessionChange, SessionList, SessionMessages, SessionView
from flexchat.deadline import Deadline
from flexchat.http_api.api import Door, no_content, responses
from flexchat.http_api.caller import Caller
from functions.chat.sessions.api import SessionsApi

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


def add_session_routes(
    door: Door,
    sessions: Callable[[], SessionsApi],
    *,
    caller: Callable[[], Caller],
    deadline: Callable[[], Deadline],
) -> None:
    """Serve sessions at `door`: `caller` says whose request is being answered, `deadline` when its answer is due."""
    _add_reading(door, sessions, caller, deadline)
    _add_writing(door, sessions, caller, deadline)


def _add_reading(
    door: Door, sessions: Callable[[], SessionsApi], caller: Callable[[], Caller], deadline: Callable[[], Deadline]
) -> None:
    @door.route(
        "GET",
        "/api/sessions",
        role="user",
        summary="List your sessions",
        tags=["sessions"],
        responses=responses(SessionList, errors=_LISTS),
    )
    def list_sessions(limit: Limit = DEFAULT_PAGE, cursor: Cursor = None) -> SessionList:  # pyright: ignore[reportUnusedFunction]
        return sessions().list(caller().principal, limit=limit, cursor=cursor, deadline=deadline())

    @door.route(
        "GET",
        "/api/sessions/<id>",
        role="user",
        summary="Show a session",
        tags=["sessions"],
        responses=responses(SessionView, errors=_READS),
    )
    def show(id: SessionId) -> SessionView:  # pyright: ignore[reportUnusedFunction]
        return sessions().get(caller().principal, id, deadline=deadline())

    @door.route(
        "GET",
        "/api/sessions/<id>/messages",
        role="user",
        summary="Read a session",
        tags=["sessions"],
        responses=responses(SessionMessages, errors=_READS),
    )
    def messages(  # pyright: ignore[reportUnusedFunction]
        id: SessionId, limit: Limit = DEFAULT_PAGE, cursor: Cursor = None, from_turn: Turn = 1
    ) -> SessionMessages:
        return sessions().messages(
            caller().principal, id, limit=limit, cursor=cursor, deadline=deadline(), from_turn=from_turn
        )


def _add_writing(
    door: Door, sessions: Callable[[], SessionsApi], caller: Callable[[], Caller], deadline: Callable[[], Deadline]
) -> None:
    @door.route(
        "POST",
        "/api/sessions",
        role="user",
        summary="Begin a session",
        tags=["sessions"],
        responses=responses(SessionView, status=HTTPStatus.CREATED, errors=(400, 401, 403, 413, 415, 429, 500, 503)),
        status_code=HTTPStatus.CREATED,
    )
    def create(wanted: Annotated[NewSession, Body()]) -> SessionView:  # pyright: ignore[reportUnusedFunction]
        return sessions().create(caller().principal, title=wanted.title, deadline=deadline())

    @door.route(
        "PATCH",
        "/api/sessions/<id>",
        role="user",
        summary="Rename a session",
        tags=["sessions"],
        responses=responses(SessionView, errors=_WRITES),
    )
    def rename(id: SessionId, wanted: Annotated[SessionChange, Body()]) -> SessionView:  # pyright: ignore[reportUnusedFunction]
        return sessions().rename(caller().principal, id, wanted.title, deadline=deadline())

    @door.route(
        "DELETE",
        "/api/sessions/<id>",
        role="user",
        summary="Delete a session with all its messages",
        tags=["sessions"],
        responses=_deleted(),
    )
    def delete(id: SessionId) -> Response[str]:  # pyright: ignore[reportUnusedFunction]
        sessions().delete(caller().principal, id, deadline=deadline())
        return no_content()


def _deleted() -> dict[int, OpenAPIResponse]:
    documented = responses(SessionView, errors=_READS)
    del documented[HTTPStatus.OK]
    return {int(HTTPStatus.NO_CONTENT): {"description": "It is gone"}, **documented}
