"""Collections of a stage, for the HTTP API and the `flexchat collections` command.

Every method raises RetrievalError, whose code is the reason, and UnavailableError or ConfigError when the bucket cannot
be reached.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import replace as copy_replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from flexchat.aws.objects import ObjectStore
from flexchat.config.suggestions import did_you_mean, known_names
from flexchat.deadline import Deadline
from flexchat.errors import RetrievalError
from flexchat.retrieval import (
    LEXICAL,
    CollectionInfo,
    CollectionMetadata,
    Hit,
    SearchQuery,
    classify,
)
from functions.retrieval.embeddings.model import Embedder, Purpose, SingleQueryEmbedder
from functions.retrieval.explanation import EXCLUDED, QueryResult, empty_collection, explained
from functions.retrieval.index.listing import StoredDocument
from functions.retrieval.index.metadata import CollectionMetadataReader
from functions.retrieval.index.schema import AddReport, Clash, IndexedDocument
from functions.retrieval.index.store import IndexStore, check_name
from functions.retrieval.ingest.chunker import Chunking
from functions.retrieval.ingest.documents import Document, Failure
from functions.retrieval.ingest.embedding import Progress, embedded
from functions.retrieval.ingest.indexing import batches, index_documents
from functions.retrieval.ingest.load import FORMATS
from functions.retrieval.ingest.rechunking import rechunked
from functions.retrieval.metadata_writer import CollectionMetadataWriter
from functions.retrieval.retrievers.sqlite import SqliteRetriever
from functions.retrieval.thresholds import Thresholds, is_due, recalibrated, thresholds_of, with_thresholds

if TYPE_CHECKING:
    from functions.retrieval.index.calibration import Calibration
    from functions.retrieval.index.writer import IndexWriter

type Now = Callable[[], datetime]

DEFAULT_CHUNKING = Chunking()
MAX_REBUILDS = 3
"""Maximum of attempts to re-index a collection while its documents change."""

STORE_SECONDS = 2.0
"""Time before a deadline that is kept to store the counts and thresholds of a collection."""

EMBEDDED_AT_ONCE = 5_000
"""Passages written at once: those that were embedded are stored when the model fails later."""


def without_progress(_done: int, _total: int) -> None:
    """Ignore progress."""


class NamedEmbedder(Protocol):
    """Return the embedding model of a collection. Raises RetrievalError `invalid` for an unknown model."""

    def __call__(self, name: str, *, purpose: Purpose) -> Embedder: ...


class ImportReport(Struct, frozen=True):
    """Report of adding documents; `passages` is the number in the collection afterwards.

    `warnings` name parts of the added documents that could not be read, such as scanned pages.
    """

    added: int
    replaced: int
    unchanged: int
    failed: tuple[Failure, ...]
    passages: int
    warnings: tuple[Failure, ...] = ()
    removed: int = 0


class SyncPlan(Struct, frozen=True):
    """Changes that make the documents of one origin equal to its files: ids, each in order.

    `failed` are files and documents that are left out. Their stored documents are `kept`, since they are not gone.
    """

    added: tuple[str, ...]
    replaced: tuple[str, ...]
    removed: tuple[str, ...]
    kept: tuple[str, ...]
    unchanged: int
    failed: tuple[Failure, ...]
    warnings: tuple[Failure, ...]
    documents: tuple[IndexedDocument, ...]

    @property
    def changes(self) -> bool:
        """Return true when the collection differs from the files."""
        return bool(self.added or self.replaced or self.removed)


class Collections:
    """Collections of one bucket. Supports concurrent use by threads and processes."""

    def __init__(
        self,
        *,
        records: CollectionMetadataWriter,
        metadata_reader: CollectionMetadataReader,
        indexes: IndexStore,
        embedder: NamedEmbedder,
        now: Now = lambda: datetime.now(UTC),
    ) -> None:
        self._records = records
        self._metadata_reader = metadata_reader
        self._indexes = indexes
        self._embedder = embedder
        self._now = now

    @classmethod
    def of(cls, objects: ObjectStore, *, cache: Path, embedder: NamedEmbedder) -> "Collections":
        """Return the collections in `objects`, with local copies of their indexes in the directory `cache`."""
        metadata_reader = CollectionMetadataReader(objects)
        return cls(
            records=CollectionMetadataWriter(objects, metadata_reader),
            metadata_reader=metadata_reader,
            indexes=IndexStore(objects, cache),
            embedder=embedder,
        )

    def list(self) -> Sequence[CollectionInfo]:
        """Return every collection, by name."""
        return self._metadata_reader.all()

    def get(self, name: str) -> CollectionInfo:
        """Return one collection. Raises RetrievalError `not_found` with the names of the collections."""
        try:
            return self._metadata_reader.named(name, fresh=True)
        except RetrievalError as exc:
            if exc.code != "not_found":
                raise
            known = known_names(name, [info.name for info in self.list()])
            raise RetrievalError(
                f"collection {name!r} not found; the collections are: {known}", code="not_found"
            ) from exc

    def create(self, name: str, metadata: CollectionMetadata) -> CollectionInfo:
        """Create an empty collection. Raises RetrievalError `exists`, or `invalid` for its name or its metadata."""
        check_name(name)
        self._check(metadata)
        now = self._timestamp()
        return self._records.create(CollectionInfo(name=name, metadata=metadata, created_at=now, updated_at=now))

    def change(self, name: str, changes: CollectionMetadata) -> CollectionInfo:
        """Change the fields that `changes` sets; a threshold of null is calibrated again.

        Raises RetrievalError `invalid` for another embedding model while there are documents.
        """
        given = {field: getattr(changes, field) for field in changes.model_fields_set}

        def changed(info: CollectionInfo) -> CollectionInfo:
            metadata = info.metadata.model_copy(update=given)
            self._check(metadata)
            if info.passages and metadata.embedding_model != info.metadata.embedding_model:
                raise RetrievalError(
                    f"the collection {name!r} has passages embedded by {info.metadata.embedding_model!r}; re-index "
                    f"it with `flexchat collections reindex {name} --embedding-model {metadata.embedding_model}"
                    " --stage STAGE`",
                    code="invalid",
                )
            by_hand = bool(given.keys() & {"match_threshold", "partial_threshold", "embedding_model"})
            return info.model_copy(
                update={
                    "metadata": metadata,
                    "calibrated_passages": None if by_hand else info.calibrated_passages,
                    "updated_at": self._timestamp(),
                }
            )

        self.get(name)
        info = self._records.change(name, changed)
        return self._counted(name) if info.passages and is_due(info) else info

    def add(
        self,
        name: str,
        documents: Iterable[Document | Failure],
        *,
        deadline: Deadline,
        chunking: Chunking = DEFAULT_CHUNKING,
        progress: Progress = without_progress,
        replace: bool = False,
    ) -> ImportReport:
        """Add documents and report those that could not be read; an unchanged one is skipped.

        A document of another origin is replaced only with `replace`, else reported. `progress` receives the progress
        of embedding, in a collection with an embedding model.
        """
        info = self.get(name)
        prepared = index_documents(documents, metadata=info.metadata, chunking=chunking)
        report = self._written(info, prepared.documents, deadline, progress, replace=replace)
        if report.added or report.replaced:
            info = self._counted(name, deadline)
        return ImportReport(
            report.added,
            report.replaced,
            report.unchanged,
            (*prepared.failed, *map(_clash, report.clashes)),
            info.passages,
            tuple(prepared.warnings),
        )

    def reindex(
        self,
        name: str,
        *,
        embedding_model: str | None = None,
        chunking: Chunking | None = None,
        deadline: Deadline,
        progress: Progress = without_progress,
    ) -> CollectionInfo:
        """Build the index of a collection again from its stored passages, all or nothing.

        With `embedding_model` the passages are embedded by another model, and thresholds are calibrated again; with
        `chunking` the documents are divided again. Raises RetrievalError `conflict` after changes of other writers.
        """
        info = self.get(name)
        model = embedding_model or info.metadata.embedding_model
        self._check(info.metadata.model_copy(update={"embedding_model": model}))
        if info.documents:
            self._rebuild(name, model, chunking, deadline, progress)

        def reset(held: CollectionInfo) -> CollectionInfo:
            metadata = held.metadata
            update: dict[str, object] = {"updated_at": self._timestamp()}
            if model != metadata.embedding_model:
                others = {"embedding_model": model, "match_threshold": None, "partial_threshold": None}
                update |= {"metadata": metadata.model_copy(update=others), "calibrated_passages": None}
            return held.model_copy(update=update)

        changed = self._records.change(name, reset)
        return self._counted(name) if info.documents else changed

    def _rebuild(
        self, name: str, model: str, chunking: Chunking | None, deadline: Deadline, progress: Progress
    ) -> None:
        """Replace the index with one whose passages are embedded by `model`."""
        for _ in range(MAX_REBUILDS):
            stored = self._indexes.reader(name, fresh=True).contents()
            documents = [each if chunking is None else rechunked(each, chunking) for each in stored]
            documents = [
                copy_replace(new, vectors=(), origin=old.origin, bytes=old.bytes, added_at=old.added_at)
                for new, old in zip(documents, stored, strict=True)
            ]
            if model != LEXICAL:
                embedder = self._embedder(model, purpose="document")
                documents = list(embedded(documents, embedder, deadline=deadline, progress=progress))
            before = {each.id: each.hash for each in stored}

            def rebuilt(
                writer: "IndexWriter", documents: Sequence[IndexedDocument] = documents, before: object = before
            ) -> bool:
                if {each.id: each.hash for each in writer.documents()} != before:
                    return False
                writer.clear()
                writer.add(documents)
                return True

            if self._indexes.update(name, rebuilt):
                return
        raise RetrievalError(
            f"the documents of the collection {name!r} changed during the re-indexing; try again later", code="conflict"
        )

    def documents(self, name: str, *, after: str = "", limit: int = -1) -> Sequence[StoredDocument]:
        """Return the documents whose ids are greater than `after`, in order of their ids; all of them with limit -1."""
        if not self.get(name).documents:
            return ()
        return self._indexes.reader(name, fresh=True).documents(after=after, limit=limit)

    def plan(
        self,
        name: str,
        documents: Iterable[Document | Failure],
        *,
        origin: str,
        replace: bool = False,
        chunking: Chunking = DEFAULT_CHUNKING,
    ) -> SyncPlan:
        """Return the changes that make the documents of `origin` equal to `documents`; nothing is changed."""
        info = self.get(name)
        prepared = index_documents(documents, metadata=info.metadata, chunking=chunking)
        stored = {document.id: document for document in self.documents(name)}
        clashes = () if replace else tuple(_clashes(prepared.documents, stored))
        left_out = {clash.id for clash in clashes}
        given = [document for document in prepared.documents if document.id not in left_out]
        failed = (*prepared.failed, *map(_clash, clashes))
        ids = {document.id for document in prepared.documents}
        missing = [each for each in stored.values() if each.origin == origin and each.id not in ids]
        kept = [each for each in missing if _is_of_failed_file(each, prepared.failed)]
        replaced = [each for each in given if each.id in stored and stored[each.id].hash != each.hash]
        return SyncPlan(
            added=tuple(sorted(each.id for each in given if each.id not in stored)),
            replaced=tuple(sorted(each.id for each in replaced)),
            removed=tuple(sorted(each.id for each in missing if each not in kept)),
            kept=tuple(sorted(each.id for each in kept)),
            unchanged=sum(each.id in stored and stored[each.id].hash == each.hash for each in given),
            failed=failed,
            warnings=tuple(prepared.warnings),
            documents=tuple(given),
        )

    def sync(
        self,
        name: str,
        plan: SyncPlan,
        *,
        deadline: Deadline,
        progress: Progress = without_progress,
        replace: bool = False,
    ) -> ImportReport:
        """Make the changes of a plan."""
        info = self.get(name)
        report = self._written(info, plan.documents, deadline, progress, replace=replace)
        removed = (
            self._indexes.update(name, lambda writer: writer.delete_documents(plan.removed)) if plan.removed else 0
        )
        if report.added or report.replaced or removed:
            info = self._counted(name)
        failed = (*plan.failed, *map(_clash, report.clashes))
        return ImportReport(
            report.added, report.replaced, report.unchanged, failed, info.passages, plan.warnings, removed
        )

    def query(self, name: str, query: SearchQuery, *, deadline: Deadline) -> QueryResult:
        """Search a collection and classify the result."""
        info = self.get(name)

        @cache
        def embed(model: str) -> SingleQueryEmbedder:
            return SingleQueryEmbedder(self._embedder(model, purpose="query"))

        retriever = SqliteRetriever(
            metadata_reader=self._metadata_reader, indexes=self._indexes, embedder=embed, deadline=deadline
        )
        hits = retriever.search(name, query).hits
        thresholds = thresholds_of(info.metadata)
        nearest = min((hit.distance for hit in hits), default=None)
        result = classify(nearest, match_threshold=thresholds.match, partial_threshold=thresholds.partial)
        if not info.passages:
            return QueryResult(result, hits, thresholds, empty_collection(name))
        unfiltered: tuple[Hit, ...] = ()
        if not hits and (query.filters or query.max_distance is not None):
            unfiltered = retriever.search(name, SearchQuery(query.text, top_k=EXCLUDED)).hits
        index = self._indexes.reader(name)
        explanation = explained(
            query, result=result, hits=hits, unfiltered=unfiltered, thresholds=thresholds, index=index
        )
        return QueryResult(result, hits, thresholds, explanation)

    def empty(self, name: str) -> CollectionInfo:
        """Delete every document of a collection, but not its metadata."""
        self.get(name)
        self._indexes.update(name, lambda writer: writer.clear())
        return self._counted(name)

    def delete(self, name: str) -> None:
        """Delete a collection with its documents, also a damaged one."""
        try:
            self.get(name)
        except RetrievalError as exc:
            if exc.code != "damaged":
                raise
        self._indexes.delete(name)
        self._metadata_reader.forget(name)

    def delete_document(self, name: str, id: str) -> CollectionInfo:
        """Delete one document. Raises RetrievalError `not_found` for a missing one."""
        return self.delete_documents(name, (id,))

    def delete_documents(self, name: str, ids: Sequence[str]) -> CollectionInfo:
        """Delete documents, all or none. Raises RetrievalError `not_found` for a missing one."""
        self.get(name)

        def deleted(writer: "IndexWriter") -> None:
            known = {document.id for document in writer.documents()}
            missing = next((each for each in ids if each not in known), None)
            if missing is not None:
                raise RetrievalError(
                    f"the collection {name!r} has no document {missing!r}{did_you_mean(missing, known)}",
                    code="not_found",
                )
            writer.delete_documents(ids)

        self._indexes.update(name, deleted)
        return self._counted(name)

    def calibrate(
        self, name: str, questions: Sequence[str] = (), *, apply: bool = False, deadline: Deadline
    ) -> "Calibration":
        """Return thresholds from the distribution of a collection's distances; with `apply`, store them.

        `questions` are samples that its passages answer. Raises RetrievalError `invalid` with too few passages.
        """
        from functions.retrieval.index.calibration import SampleQuestion, calibrate  # with numpy

        info = self.get(name)
        if not info.passages:
            raise RetrievalError(f"the collection {name!r} is empty; add documents first", code="invalid")
        index = self._indexes.reader(name, fresh=True)
        vectors: Sequence[Sequence[float] | None] = [None] * len(questions)
        if index.takes_vectors and questions:
            vectors = self._embedder(info.metadata.embedding_model, purpose="query").embed(questions, deadline)
        samples = [SampleQuestion(text, vector) for text, vector in zip(questions, vectors, strict=True)]
        proposal = calibrate(index, samples)
        if apply:
            chosen = Thresholds(proposal.match_threshold, proposal.partial_threshold)
            self._records.change(
                name,
                lambda held: with_thresholds(held, chosen, calibrated_passages=None).model_copy(
                    update={"updated_at": self._timestamp()}
                ),
            )
        return proposal

    def _check(self, metadata: CollectionMetadata) -> None:
        thresholds_of(metadata).check()
        if metadata.embedding_model != LEXICAL:
            self._embedder(metadata.embedding_model, purpose="document")

    def _written(
        self,
        info: CollectionInfo,
        documents: Sequence[IndexedDocument],
        deadline: Deadline,
        progress: Progress,
        *,
        replace: bool,
    ) -> AddReport:
        """Add new and changed documents to the index, embedded in a collection with a model."""
        added_at = int(self._now().timestamp())
        documents = [copy_replace(document, added_at=added_at) for document in documents]
        model = info.metadata.embedding_model
        if model == LEXICAL:
            return self._indexes.update(info.name, lambda writer: writer.add(documents, replace=replace))
        known = {each.id: each for each in self._indexes.update(info.name, lambda writer: writer.documents())}
        clashes = () if replace else tuple(_clashes(documents, known))
        left_out = {clash.id for clash in clashes}
        same = [each for each in documents if each.id in known and known[each.id].hash == each.hash]
        new = [each for each in documents if each.id not in known or known[each.id].hash != each.hash]
        new = [each for each in new if each.id not in left_out]
        embedder = self._embedder(model, purpose="document")
        parts = batches(embedded(new, embedder, deadline=deadline, progress=progress), passages=EMBEDDED_AT_ONCE)
        reports = [AddReport(unchanged=len(same))]
        reports += [
            self._indexes.update(info.name, lambda writer, part=part: writer.add(part, replace=replace))
            for part in parts
        ]
        self._indexes.update(info.name, lambda writer: writer.adopt(same, replace=replace))
        return AddReport(
            added=sum(report.added for report in reports),
            replaced=sum(report.replaced for report in reports),
            unchanged=sum(report.unchanged for report in reports),
            clashes=(*clashes, *(clash for report in reports for clash in report.clashes)),
        )

    def _counted(self, name: str, deadline: Deadline | None = None) -> CollectionInfo:
        """Update the counts and thresholds of a collection from its index; the thresholds as far as there is time."""
        due = None if deadline is None else deadline.minus(STORE_SECONDS)

        def counted(info: CollectionInfo) -> CollectionInfo:
            index = self._indexes.reader(name, fresh=True)
            stats = index.stats
            update = {
                "documents": stats.documents,
                "passages": stats.passages,
                "bytes": stats.bytes,
                "updated_at": self._timestamp(),
            }
            return recalibrated(info.model_copy(update=update), index, due)

        return self._records.change(name, counted)

    def _timestamp(self) -> str:
        return self._now().isoformat(timespec="milliseconds")


def _clashes(documents: Iterable[IndexedDocument], stored: Mapping[str, StoredDocument]) -> Iterator[Clash]:
    """Return the documents that would replace one of another origin."""
    for document in documents:
        known = stored.get(document.id)
        if known is not None and known.hash != document.hash and known.origin not in ("", document.origin):
            yield Clash(document.id, known.origin)


def _is_of_failed_file(document: StoredDocument, failed: Iterable[Failure]) -> bool:
    """Return true for a document of a file that cannot be read now.

    The ids and sources of records may come from their fields, so any document may be a record of a failed file of JSON.
    """
    for failure in failed:
        for name in {failure.source, failure.source.rpartition("#")[0]} - {""}:
            if FORMATS.get(PurePosixPath(name).suffix.lower()) in ("json", "jsonl"):
                return True
            if any(text == name or text.startswith(f"{name}#") for text in (document.id, document.source)):
                return True
    return False


def _clash(clash: Clash) -> Failure:
    return Failure(
        clash.id,
        f"the collection has another document of this id, from {clash.origin!r}; add it with a prefix, or replace it",
        exists=True,
    )
