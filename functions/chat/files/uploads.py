"""Uploads of files by their clients, directly to the bucket."""

from collections.abc import Callable, Mapping
from typing import Annotated, Final, Protocol
from urllib.parse import quote
from uuid import uuid4

from pydantic import Field

from flexchat.api.base import ApiModel
from flexchat.attachments import MAX_FILE_BYTES, MAX_NAME_CHARACTERS
from flexchat.aws.objects import UploadForm
from flexchat.deadline import Clock, Deadline, time_limit
from flexchat.errors import ConfigError, Problem
from flexchat.sessions import timestamp
from functions.chat.stored_files import object_key

UPLOAD_SECONDS: Final = 900
"""Time in which an upload must begin."""


class NewFile(ApiModel):
    """File to upload: its name, whose extension is the type of a packed document, and its size in bytes."""

    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARACTERS, examples=["report.pdf"])]
    size: Annotated[int, Field(ge=1, le=MAX_FILE_BYTES, examples=[340_000])]


class UploadView(ApiModel):
    """Id of a file, and the form that uploads it until `expires_at`; the file is deleted about two days later.

    The form is `fields`, then `file` with the content, as multipart/form-data by POST to `url`. The times are ISO 8601
    in UTC.
    """

    id: str
    url: Annotated[str, Field(repr=False)]
    fields: Annotated[dict[str, str], Field(repr=False)]
    expires_at: str


class UploadForms(Protocol):
    """Forms of the files' bucket, such as an `ObjectStore`."""

    def upload_form(self, key: str, *, max_bytes: int, seconds: int, metadata: Mapping[str, str]) -> UploadForm: ...


class Uploads:
    """Forms for the files of callers. `clock` returns seconds since the epoch."""

    def __init__(
        self,
        *,
        forms: Callable[[], UploadForms | None],
        clock: Clock,
        new_id: Callable[[], str] = lambda: f"file-{uuid4().hex}",
    ) -> None:
        self._forms = forms
        self._clock = clock
        self._new_id = new_id

    def create(self, owner: str, *, name: str, size: int, deadline: Deadline) -> UploadView:
        """Return the form for a file of `size` bytes. Raises ConfigError in a deployment without a bucket."""
        forms = self._forms()
        if forms is None:
            raise ConfigError((Problem("FLEXCHAT_FILES_BUCKET", "is not set: this deployment stores no files"),))
        file_id = self._new_id()
        with time_limit(deadline.remaining()):
            form = forms.upload_form(
                object_key(owner, file_id), max_bytes=size, seconds=UPLOAD_SECONDS, metadata={"name": quote(name)}
            )
        return UploadView(
            id=file_id,
            url=form.url,
            fields=dict(form.fields),
            expires_at=timestamp(self._clock() + UPLOAD_SECONDS),
        )
