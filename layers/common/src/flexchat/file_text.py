"""Contract of the texts of files, which the retrieval function reads.

chat ──ReadFileRequest──> retrieval function ──ReadFileResponse──> chat
"""

from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field

from flexchat.deferred_model import DeferredModel

MAX_CONTENT_BYTES: Final = 4_000_000
"""Largest file in a request; a larger one is named by its key in the bucket."""

MAX_TEXT_CHARACTERS: Final = 200_000


class _Contract(DeferredModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ReadFileRequest(_Contract):
    """Event that requests the text of the file `name`: of its `content` in base64, else of the object `key`."""

    version: Literal[1] = 1
    operation: Literal["read"] = "read"
    name: Annotated[str, Field(max_length=300)]
    content: str = ""
    key: str = ""
    max_characters: Annotated[int, Field(ge=1, le=MAX_TEXT_CHARACTERS)] = MAX_TEXT_CHARACTERS
    request_id: str
    timeout_ms: Annotated[int, Field(ge=1)]


class ReadFileResponse(_Contract):
    """Text of a file, its first `max_characters` of `characters`, or `error`: a reason in words for the caller."""

    version: Literal[1] = 1
    text: str = ""
    characters: int = 0
    error: str | None = None
