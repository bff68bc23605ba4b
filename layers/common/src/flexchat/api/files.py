"""Models of the route of uploads."""

from typing import Annotated

from pydantic import Field

from flexchat.api.base import ApiModel
from flexchat.attachments import MAX_FILE_BYTES, MAX_NAME_CHARACTERS


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
