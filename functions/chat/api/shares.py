"""Routes of read-only links to sessions."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Header, Path

from flexchat.api.sessions import CreatedShare, NewShare, SharedSession, ShareList
from flexchat.http_api.api import no_content
from flexchat.http_api.openapi import responses
from functions.chat.api.services import STORE_SECONDS, ChatRouter
from functions.chat.api.sessions import DEFAULT_PAGE, Cursor, Limit, SessionId

SHARE_HEADER = "X-Flexchat-Share"

ShareId = Annotated[str, Path(max_length=64)]
Secret = Annotated[str, Header(alias=SHARE_HEADER, max_length=128)]

router = ChatRouter()


@router.endpoint(
    "POST",
    "/api/sessions/<id>/shares",
    role="user",
    summary="Create a read-only link to a session",
    description=(
        "The link shows the answered turns of now to tokens with its role. It has the secret, which is returned once. "
        "Sharing is off unless the configuration has `sessions.sharing.enabled`."
    ),
    tags=["sessions"],
    responses=responses(
        CreatedShare, status=HTTPStatus.CREATED, errors=(400, 401, 403, 404, 409, 413, 415, 429, 500, 503)
    ),
    status_code=HTTPStatus.CREATED,
)
def create(id: SessionId, new: Annotated[NewShare, Body()]) -> CreatedShare:
    shares, deadline = router.services.operations.shares, router.deadline(at_most=STORE_SECONDS)
    created = shares.create(router.caller, id, new, deadline=deadline)
    router.services.traces.exported("share", id, caller=router.caller, request_id=router.request_id, share=created.id)
    return created


@router.endpoint(
    "GET",
    "/api/sessions/<id>/shares",
    role="user",
    summary="List the links to a session",
    tags=["sessions"],
    responses=responses(ShareList, errors=(400, 401, 403, 404, 429, 500, 503)),
)
def list_shares(id: SessionId) -> ShareList:
    shares, deadline = router.services.operations.shares, router.deadline(at_most=STORE_SECONDS)
    return shares.list(router.caller, id, deadline=deadline)


@router.endpoint(
    "DELETE",
    "/api/sessions/<id>/shares/<share>",
    role="user",
    summary="Revoke a link to a session",
    tags=["sessions"],
    responses=responses(None, errors=(400, 401, 403, 404, 429, 500, 503)),
)
def revoke(id: SessionId, share: ShareId) -> Response[str]:
    shares, deadline = router.services.operations.shares, router.deadline(at_most=STORE_SECONDS)
    shares.revoke(router.caller, id, share, deadline=deadline)
    router.services.traces.exported("unshare", id, caller=router.caller, request_id=router.request_id, share=share)
    return no_content()


@router.endpoint(
    "GET",
    "/api/shared/<share>",
    role="user",
    summary="Read a shared session",
    description=(
        f"The secret of the link is the header `{SHARE_HEADER}`. A link that does not exist, has expired, was revoked "
        "or is for another role is not found."
    ),
    tags=["sessions"],
    responses=responses(SharedSession, errors=(400, 401, 403, 404, 429, 500, 503)),
)
def show(share: ShareId, secret: Secret = "", limit: Limit = DEFAULT_PAGE, cursor: Cursor = None) -> SharedSession:
    shares, deadline = router.services.operations.shares, router.deadline(at_most=STORE_SECONDS)
    return shares.open(router.caller, share, secret, limit=limit, cursor=cursor, deadline=deadline)
