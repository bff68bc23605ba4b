"""Documents of API requests, parsed like files."""

import base64
import hashlib
from collections.abc import Iterator
from copy import replace

from flexchat.deadline import Deadline
from functions.retrieval.ingest.documents import Document, Failure, SourceFile
from functions.retrieval.ingest.load import load_bounded
from functions.retrieval.route_models import PostedDocument


def posted(document: PostedDocument, due: Deadline) -> Iterator[Document | Failure]:
    """Return the documents in a posted one: several if its content is JSON records. None is parsed after `due`."""
    try:
        content = _content(document)
    except ValueError as exc:
        yield Failure(document.source or document.id or "document", f"content_base64 is not base64: {exc}")
        return
    name = document.source or document.id or f"sha256:{hashlib.sha256(content).hexdigest()[:32]}"
    file = SourceFile(name, content, document.format or "text")
    for loaded in load_bounded(file, document.fields, seconds=due.remaining()):
        if isinstance(loaded, Failure):
            yield loaded
        else:
            yield _described(loaded, document)


def _content(document: PostedDocument) -> bytes:
    if document.content_base64 is not None:
        return base64.b64decode(document.content_base64, validate=True)
    return (document.text or "").encode()


def _described(loaded: Document, document: PostedDocument) -> Document:
    """Return the document with the posted fields, which take precedence over its content."""
    return replace(
        loaded.called(title=document.title),
        id=document.id or loaded.id,
        metadata={**loaded.metadata, **document.metadata},
    )
