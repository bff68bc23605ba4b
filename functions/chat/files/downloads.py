"""Links to the stored pictures and files of sessions, which callers download directly from the bucket."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Final, Protocol

from pydantic import Field

from flexchat.api.base import ApiModel
from flexchat.attachments import image_type
from flexchat.deadline import Clock, Deadline, time_limit
from flexchat.errors import RequestError, RetrievalError
from flexchat.sessions import timestamp
from functions.chat.stored_files import Scope, object_key

DOWNLOAD_SECONDS: Final = 300
"""Time in which a download must begin."""

FILE_ID_PATTERN: Final = r"^[0-9a-f]{32}$"
"""Id of a stored file of a session: a part of the hash of its content."""

OTHER_TYPE: Final = "application/octet-stream"
"""Media type of every file that is no picture: no browser interprets it."""

_TYPE_BYTES: Final = 16


class FileLink(ApiModel):
    """Address of a stored picture or file, without a token, until `expires_at`.

    `media_type` is that of the picture by its content, else `application/octet-stream`; the response has it too. A
    browser that opens the address saves the file. `size` is in bytes; the time is ISO 8601 in UTC.
    """

    url: Annotated[str, Field(repr=False)]
    media_type: str
    size: int
    expires_at: str


class FileNotFoundInSessionError(RequestError):
    """No such file in the session, or no longer, or another principal's, which the error does not reveal."""

    def __init__(self, file_id: str) -> None:
        message = f"the session has no file {file_id!r}, or no longer; its messages have the ids of its files"
        super().__init__(message, status=HTTPStatus.NOT_FOUND, code="file_not_found")


class DownloadLinks(Protocol):
    """Links of the files' bucket, such as an `ObjectStore`."""

    def beginning(self, key: str, size: int) -> tuple[bytes, int]: ...

    def download_link(self, key: str, *, seconds: int, content_type: str) -> str: ...


class Downloads:
    """Links to files of sessions, for their owners. `clock` returns seconds since the epoch."""

    def __init__(self, *, links: Callable[[], DownloadLinks | None], clock: Clock) -> None:
        self._links = links
        self._clock = clock

    def of_session(self, owner: str, session_id: str, file_id: str, *, deadline: Deadline) -> FileLink:
        """Return the link to a file of a session. Raises FileNotFoundInSessionError."""
        links = self._links()
        if links is None:
            raise FileNotFoundInSessionError(file_id)
        key = object_key(owner, f"{Scope.session(session_id).prefix}{file_id}")
        with time_limit(deadline.remaining()):
            try:
                beginning, size = links.beginning(key, _TYPE_BYTES)
            except RetrievalError as exc:
                raise FileNotFoundInSessionError(file_id) from exc
            media_type = image_type(beginning) or OTHER_TYPE
            url = links.download_link(key, seconds=DOWNLOAD_SECONDS, content_type=media_type)
        return FileLink(
            url=url, media_type=media_type, size=size, expires_at=timestamp(self._clock() + DOWNLOAD_SECONDS)
        )
