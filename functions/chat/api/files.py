"""Route of uploads: files that are too large for the body of a request."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.http_api.openapi import responses
from functions.chat.api.services import STORE_SECONDS, ChatRouter
from functions.chat.files.uploads import NewFile, UploadView

router = ChatRouter()


@router.endpoint(
    "POST",
    "/api/files",
    role="user",
    summary="Upload a picture or a file",
    description=(
        "Returns a form of S3: send its fields and then `file`, the content, as multipart/form-data to its address. "
        "Name the id in `attachments` of a chat, or in `file_id` of the OpenAI-compatible API. Only the same token may."
    ),
    tags=["files"],
    responses=responses(UploadView, status=HTTPStatus.CREATED, errors=(400, 401, 403, 413, 415, 429, 500, 503)),
    status_code=HTTPStatus.CREATED,
)
def create_upload(new: Annotated[NewFile, Body()]) -> UploadView:
    uploads, deadline = router.services.files.uploads, router.deadline(at_most=STORE_SECONDS)
    return uploads.create(router.caller.principal, name=new.name, size=new.size, deadline=deadline)
