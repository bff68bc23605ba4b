"""From documents to what the index takes: passages with their offsets and how each is cited."""

import hashlib
from bisect import bisect_right

from flexchat.json import dumps
from flexchat.retrieval import CollectionMetadata, MetadataValue
from functions.retrieval.index.documents import IndexedDocument
from functions.retrieval.ingest.chunker import Chunk, Chunking, chunks
from functions.retrieval.ingest.documents import Document


def indexed(document: Document, *, chunking: Chunking, metadata: CollectionMetadata) -> IndexedDocument:
    """`document` cut into passages. The collection's `title_field` and `source_field` name metadata that goes before.

    The hash is that of everything that is kept, so a document is the same only as long as its passages are.
    """
    document = _named(document, metadata)
    breaks = tuple(section.offset for section in document.sections)
    passages = tuple(chunks(document.text, chunking, breaks=breaks))
    cites = tuple(_cite(document, passage) for passage in passages)
    kept = [
        document.title,
        document.source,
        dict(document.metadata),
        [(passage.text, passage.offset, *cite) for passage, cite in zip(passages, cites, strict=True)],
    ]
    return IndexedDocument(
        id=document.id,
        title=document.title,
        source=document.source,
        hash=hashlib.sha256(dumps(kept, sort_keys=True).encode()).hexdigest(),
        metadata=document.metadata,
        passages=tuple((passage.text, passage.offset) for passage in passages),
        cites=cites if document.sections else (),
    )


def _named(document: Document, metadata: CollectionMetadata) -> Document:
    title = _field(document, metadata.title_field)
    source = _field(document, metadata.source_field)
    return document.called(title=None if title is None else str(title), source=None if source is None else str(source))


def _field(document: Document, name: str | None) -> MetadataValue | None:
    value = None if name is None else document.metadata.get(name)
    return None if value == "" else value


def _cite(document: Document, passage: Chunk) -> tuple[str, str]:
    """Title and source of a passage: those of the section that it begins in."""
    index = bisect_right(document.sections, passage.offset, key=lambda section: section.offset)
    if not index:
        return document.title, document.source
    section = document.sections[index - 1]
    return section.title, section.source
