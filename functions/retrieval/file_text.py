"""Texts of files of chats, by the readers of documents."""

import time
from base64 import b64decode
from collections.abc import Callable

from flexchat.deadline import Clock
from flexchat.errors import RetrievalError
from flexchat.file_text import ReadFileRequest, ReadFileResponse
from flexchat.observability import logger
from functions.retrieval.ingest.documents import Document, Failure, SourceFile
from functions.retrieval.ingest.load import load_bounded
from functions.retrieval.operations import OperationHandler, operation_handler

PREFIX = "files/"
"""Beginning of the keys of files that chats name."""


def file_text(request: ReadFileRequest, read: Callable[[str], bytes]) -> ReadFileResponse:
    """Return the text of a file; `read` returns the content of an object by its key, which raises RetrievalError."""
    if request.key:
        if not request.key.startswith(PREFIX):
            raise RetrievalError(f"the key must begin with {PREFIX!r}", code="configuration")
        content = read(request.key)
    else:
        content = b64decode(request.content)
    texts: list[str] = []
    for found in load_bounded(SourceFile(request.name, content), seconds=request.timeout_ms / 1000):
        match found:
            case Failure():
                return ReadFileResponse(error=found.reason)
            case Document():
                texts.append(found.text)
    text = "\n\n".join(texts)
    return ReadFileResponse(text=text[: request.max_characters], characters=len(text))


def file_text_handler(
    run: Callable[[ReadFileRequest], ReadFileResponse], *, clock: Clock = time.monotonic
) -> OperationHandler:
    """Return the Lambda handler of events for texts, which raises nothing: a failure is a response with an `error`."""
    return operation_handler("read", ReadFileRequest, run, fail=_failed, report=_report, clock=clock)


def _failed(error: RetrievalError) -> ReadFileResponse:
    return ReadFileResponse(error=error.message)


def _report(request: ReadFileRequest, response: ReadFileResponse, duration_ms: int) -> None:
    log = logger.info if response.error is None else logger.warning
    log(
        "file read",
        size=len(request.content) * 3 // 4,
        characters=response.characters,
        failed=response.error is not None,
        duration_ms=duration_ms,
    )
