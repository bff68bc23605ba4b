"""Routes of sessions: each caller reads and writes only their own."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Path, Query

from flexchat.api.request import MAX_TURN, SESSION_ID_PATTERN
from flexchat.api.sessions import (
    NewSession,
    SessionChange,
    SessionExport,
    SessionList,
    SessionMessages,
    SessionView,
)
from flexchat.http_api.api import no_content
from flexchat.http_api.openapi import responses
from functions.chat.api.services import STORE_SECONDS, ChatRouter
from functions.chat.files.downloads import FILE_ID_PATTERN, FileLink
from functions.chat.sessions.export import ExportFormat
from functions.chat.sessions.search import MAX_QUERY_CHARACTERS

DEFAULT_PAGE = 20
MAX_PAGE = 100

_LISTS = (400, 401, 403, 429, 500, 503)
_READS = (400, 401, 403, 404, 429, 500, 503)
_WRITES = (400, 401, 403, 404, 413, 415, 429, 500, 503)

SessionId = Annotated[str, Path(pattern=SESSION_ID_PATTERN)]
FileId = Annotated[str, Path(pattern=FILE_ID_PATTERN)]
Limit = Annotated[int, Query(ge=1, le=MAX_PAGE)]
Cursor = Annotated[str | None, Query(max_length=2_000)]
Format = Annotated[ExportFormat, Query()]
SearchQuery = Annotated[str | None, Query(max_length=MAX_QUERY_CHARACTERS)]
Turn = Annotated[int, Query(ge=1, le=MAX_TURN)]
Branch = Annotated[int | None, Query(ge=1, le=MAX_TURN)]

router = ChatRouter()


@router.endpoint(
    "GET",
    "/api/sessions",
    role="user",
    summary="List your sessions, or search them",
    description=(
        "With `query`, returns the sessions whose title and messages have all of its words, in any case, with the "
        "text around them. A request searches for some seconds: `searched` is how far, `cursor` continues."
    ),
    tags=["sessions"],
    responses=responses(SessionList, errors=_LISTS),
)
def list_sessions(limit: Limit = DEFAULT_PAGE, cursor: Cursor = None, query: SearchQuery = None) -> SessionList:
    sessions, deadline = router.services.operations.sessions, router.deadline(at_most=STORE_SECONDS)
    if query is not None:
        return sessions.search(router.caller.principal, query, limit=limit, cursor=cursor, deadline=deadline)
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
    description=(
        "The messages of the branch that was continued last, or with `branch` of the branch of that turn, with the "
        "latest turns that follow it."
    ),
    tags=["sessions"],
    responses=responses(SessionMessages, errors=_READS),
)
def messages(
    id: SessionId, limit: Limit = DEFAULT_PAGE, cursor: Cursor = None, from_turn: Turn = 1, branch: Branch = None
) -> SessionMessages:
    sessions, deadline = router.services.operations.sessions, router.deadline(at_most=STORE_SECONDS)
    return sessions.messages(
        router.caller.principal, id, limit=limit, cursor=cursor, deadline=deadline, from_turn=from_turn, branch=branch
    )


_EXPORTS = responses(SessionExport, errors=_READS)
_EXPORTS[HTTPStatus.OK.value].setdefault("content", {}).update({"text/markdown": {"schema": {"type": "string"}}})


@router.endpoint(
    "GET",
    "/api/sessions/<id>/export",
    role="user",
    summary="Export a session as JSON or Markdown",
    description=(
        "A response has complete turns, at most some 6 MB. Where later ones are left out, the file says so, and the "
        'header `Link` with rel="next" has the address of the next part.'
    ),
    tags=["sessions"],
    responses=_EXPORTS,
)
def export(id: SessionId, format: Format = "json", from_turn: Turn = 1, branch: Branch = None) -> Response[str]:
    sessions, deadline = router.services.operations.sessions, router.deadline(at_most=STORE_SECONDS)
    exported = sessions.export(
        router.caller.principal, id, format, from_turn=from_turn, branch=branch, deadline=deadline
    )
    router.services.traces.exported(
        "export", id, caller=router.caller, request_id=router.request_id, format=format, from_turn=from_turn
    )
    headers = {"Content-Disposition": f'attachment; filename="{exported.file_name}"'}
    if exported.next_turn is not None:
        of_branch = "" if branch is None else f"&branch={branch}"
        headers["Link"] = f'<export?format={format}{of_branch}&from_turn={exported.next_turn}>; rel="next"'
    return Response(HTTPStatus.OK, exported.media_type, exported.text, headers=dict[str, str | list[str]](headers))


@router.endpoint(
    "GET",
    "/api/sessions/<id>/files/<file>",
    role="user",
    summary="Get a link to a picture or a file of a session",
    description=(
        "Returns an address of S3 that has the content for five minutes, without a token. `attachments` of the "
        "messages of the session have the ids."
    ),
    tags=["sessions"],
    responses=responses(FileLink, errors=_READS),
)
def file_link(id: SessionId, file: FileId) -> FileLink:
    downloads, deadline = router.services.files.downloads, router.deadline(at_most=STORE_SECONDS)
    return downloads.of_session(router.caller.principal, id, file, deadline=deadline)


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
