"""Passages of another size from the stored passages of a document."""

from collections.abc import Iterator

from flexchat.retrieval import CollectionMetadata
from functions.retrieval.index.schema import IndexedDocument
from functions.retrieval.ingest.chunker import Chunking
from functions.retrieval.ingest.documents import Document, Section
from functions.retrieval.ingest.indexing import indexed

_GAP = "\n"
"""Replacement of the white space between two passages, which is not stored."""


def rechunked(document: IndexedDocument, chunking: Chunking) -> IndexedDocument:
    """Return a stored document divided into passages again.

    Its text is that of its passages: together they contain every character that is not white space. Titles and sources
    are those of the passages, so each section keeps its own.
    """
    if not document.passages:
        return document
    rebuilt = Document(
        id=document.id,
        title="",  # those of the sections are complete
        source="",
        text=_text(document),
        metadata=document.metadata,
        sections=tuple(_sections(document)),
        origin=document.origin,
        bytes=document.bytes,
    )
    return indexed(rebuilt, chunking=chunking, metadata=CollectionMetadata())


def _text(document: IndexedDocument) -> str:
    parts: list[str] = []
    length = 0
    for text, offset in document.passages:
        parts.append(_GAP * (offset - length))
        new = text[max(0, length - offset) :]
        parts.append(new)
        length = max(length, offset) + len(new)
    return "".join(parts)


def _sections(document: IndexedDocument) -> Iterator[Section]:
    """Yield the beginnings of passages that cite another section than the passage before."""
    last: tuple[str, str] | None = None
    cites = document.cites or ((document.title, document.source),) * len(document.passages)
    for (_, offset), cite in zip(document.passages, cites, strict=True):
        if cite != last:
            yield Section(offset if last is not None else 0, *cite)
        last = cite
