"""Conversion of documents to passages of the index, with offsets and citations."""

import hashlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from flexchat.json import dumps
from flexchat.retrieval import CollectionMetadata, MetadataValue
from functions.retrieval.index.schema import IndexedDocument
from functions.retrieval.ingest.chunker import Chunk, Chunking, chunks
from functions.retrieval.ingest.documents import MAX_ID_CHARACTERS, Document, Failure


def indexed(document: Document, *, chunking: Chunking, metadata: CollectionMetadata) -> IndexedDocument:
    """Return `document` split into passages. The metadata fields `title_field` and `source_field` take precedence.

    The hash covers everything in the index: a document is unchanged only if its passages are.
    """
    document = _named(document, metadata)
    breaks = tuple(section.offset for section in document.sections)
    passages = tuple(chunks(document.text, chunking, breaks=breaks))
    cites = tuple(_cite(document, passage) for passage in passages)
    indexed_parts = [
        document.title,
        document.source,
        dict(document.metadata),
        [(passage.text, passage.offset, *cite) for passage, cite in zip(passages, cites, strict=True)],
    ]
    return IndexedDocument(
        id=document.id,
        title=document.title,
        source=document.source,
        hash=hashlib.sha256(dumps(indexed_parts, sort_keys=True).encode()).hexdigest(),
        metadata=document.metadata,
        passages=tuple((passage.text, passage.offset) for passage in passages),
        cites=cites if document.sections else (),
        origin=document.origin,
        bytes=document.bytes,
    )


def _named(document: Document, metadata: CollectionMetadata) -> Document:
    title = _field(document, metadata.title_field)
    source = _field(document, metadata.source_field)
    return document.called(title=None if title is None else str(title), source=None if source is None else str(source))


def _field(document: Document, name: str | None) -> MetadataValue | None:
    value = None if name is None else document.metadata.get(name)
    return None if value == "" else value


def _cite(document: Document, passage: Chunk) -> tuple[str, str]:
    """Return title and source of a passage: those of the section that it begins in."""
    index = bisect_right(document.sections, passage.offset, key=lambda section: section.offset)
    if not index:
        return document.title, document.source
    section = document.sections[index - 1]
    return section.title, section.source


class Prepared(Struct, frozen=True):
    """Documents split into passages, those that cannot be added, and the parts that others lack."""

    documents: Sequence[IndexedDocument]
    failed: Sequence[Failure]
    warnings: Sequence[Failure]


def index_documents(
    documents: Iterable[Document | Failure], *, metadata: CollectionMetadata, chunking: Chunking
) -> Prepared:
    """Return documents split into passages; of several with one id the first counts."""
    prepared: dict[str, IndexedDocument] = {}
    failed: list[Failure] = []
    warnings: list[Failure] = []
    for document in documents:
        if isinstance(document, Failure):
            failed.append(document)
        elif document.id in prepared:
            failed.append(Failure(document.source, f"another document of this import has the id {document.id!r}"))
        elif len(document.id) > MAX_ID_CHARACTERS:
            failed.append(Failure(document.source, f"its id has more than {MAX_ID_CHARACTERS} characters"))
        else:
            prepared[document.id] = indexed(document, chunking=chunking, metadata=metadata)
            warnings += (Failure(document.source, warning) for warning in document.warnings)
    return Prepared(tuple(prepared.values()), tuple(failed), tuple(warnings))


def batches(documents: Iterable[IndexedDocument], *, passages: int) -> Iterator[Sequence[IndexedDocument]]:
    """Return the documents in batches of about `passages` passages."""
    part: list[IndexedDocument] = []
    count = 0
    for document in documents:
        part.append(document)
        count += len(document.passages)
        if count >= passages:
            yield part
            part, count = [], 0
    if part:
        yield part
