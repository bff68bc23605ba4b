"""HTTP API of collections."""

import base64
import hashlib
from collections.abc import Iterator
from copy import replace
from functools import cached_property, partial
from http import HTTPStatus
from typing import Annotated, Protocol
from urllib.parse import unquote

from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from flexchat.attachments import LoadedFile
from flexchat.config.access import Rights
from flexchat.deadline import Deadline
from flexchat.errors import RetrievalError
from flexchat.http_api.api import ApiRouter, HttpApi
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.openapi import responses
from flexchat.retrieval import CollectionInfo, SearchQuery
from functions.retrieval.collections import Collections
from functions.retrieval.ingest.documents import Document, Failure, SourceFile
from functions.retrieval.ingest.load import load_bounded
from functions.retrieval.route_models import (
    MAX_LISTED,
    AnswerView,
    CalibrationRequest,
    CalibrationView,
    CollectionChange,
    CollectionList,
    Deleted,
    DocumentList,
    DocumentView,
    FailureView,
    ImportView,
    NewCollection,
    NewDocuments,
    PostedDocument,
    Question,
    ReindexRequest,
    WarningView,
)
from functions.retrieval.search_limits import SearchLimits


class ReadUpload(Protocol):
    """Return the content and the name of an uploaded file by its id; None for one that is not stored."""

    def __call__(self, file_id: str, deadline: Deadline) -> LoadedFile | None: ...


def posted(document: PostedDocument, due: Deadline, uploaded: ReadUpload) -> Iterator[Document | Failure]:
    """Return the documents in a posted one: several if its content is JSON records. None is parsed after `due`."""
    name = document.source or document.id or ""
    try:
        file = _file(document, due, uploaded)
    except ValueError as exc:
        yield Failure(name or document.file_id or "document", str(exc))
        return
    for loaded in load_bounded(file, document.fields, seconds=due.remaining()):
        if isinstance(loaded, Document):
            yield _described(loaded, document)
        elif due.expired:
            yield replace(loaded, reason=f"{loaded.reason}; or add it with {COMMAND}, which has no such limit of time")
        else:
            yield loaded


def _file(document: PostedDocument, due: Deadline, uploaded: ReadUpload) -> SourceFile:
    """Return the content of a posted document, with its name. Raises ValueError."""
    name = document.source or document.id
    if document.file_id is not None:
        found = uploaded(document.file_id, due)
        if found is None:
            message = "is not uploaded, has expired, or belongs to another token; upload it with POST /api/files"
            raise ValueError(f"the file {document.file_id!r} {message}")
        return SourceFile(name or found.name or document.file_id, found.content, document.format)
    if document.content_base64 is None:
        content = (document.text or "").encode()
        return SourceFile(name or _digest(content), content, document.format or "text")
    try:
        content = base64.b64decode(document.content_base64, validate=True)
    except ValueError as exc:
        raise ValueError(f"content_base64 is not base64: {exc}") from exc
    return SourceFile(name or _digest(content), content, document.format)


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()[:32]}"


def _described(loaded: Document, document: PostedDocument) -> Document:
    """Return the document with the posted fields, which take precedence over its content."""
    return replace(
        loaded.called(title=document.title),
        id=document.id or loaded.id,
        metadata={**loaded.metadata, **document.metadata},
    )


COMMAND = "`flexchat collections add NAME FILE --stage STAGE`"

MAX_DOCUMENTS_BYTES = 4 * 1024 * 1024
"""Maximum body of documents: as text inside a Lambda's event it must be below 6 MB."""

READS = (401, 403, 404, 429, 500, 503)
ASKS = (400, 401, 403, 404, 413, 415, 429, 500, 503)
WRITES = (400, 401, 403, 404, 409, 413, 415, 429, 500, 503)


class CollectionsServices(Protocol):
    """Services of one environment, each created on first use."""

    @cached_property
    def collections(self) -> Collections: ...

    @cached_property
    def limits(self) -> SearchLimits: ...

    def uploaded_file(self, owner: str, file_id: str, deadline: Deadline) -> LoadedFile | None:
        """Return a file that `owner` uploaded; None for one that is not stored."""
        ...


class CollectionsRouter(ApiRouter[CollectionsServices]):
    """Routes of collections."""

    def readable(self, name: str) -> str:
        """Return the name of a collection that the caller may read.

        Raises RetrievalError `not_found` for another one, without the names of those that the caller may not read.
        """
        rights = self._rights()
        if rights.may_search_everything:
            return name
        listed = (info.name for info in self.services.collections.list() if rights.may_search(info.name))
        if name not in listed:
            raise RetrievalError(f"collection {name[:100]!r} not found", code="not_found")
        return name

    def listed(self) -> tuple[CollectionInfo, ...]:
        """Return the collections that the caller may read."""
        rights = self._rights()
        return tuple(info for info in self.services.collections.list() if rights.may_search(info.name))

    def _rights(self) -> Rights:
        return self.services.limits.rights(self.caller, deadline=self.deadline())


router = CollectionsRouter()


@router.endpoint(
    "GET",
    "/api/collections",
    role="user",
    summary="List the collections",
    tags=["collections"],
    responses=responses(CollectionList, errors=(401, 403, 429, 500, 503)),
)
def list_collections() -> CollectionList:
    return CollectionList(collections=router.listed())


@router.endpoint(
    "GET",
    "/api/collections/<name>",
    role="user",
    summary="Get a collection",
    tags=["collections"],
    responses=responses(CollectionInfo, errors=(400, *READS)),
)
def show(name: str) -> CollectionInfo:
    return router.services.collections.get(router.readable(name))


@router.endpoint(
    "POST",
    "/api/collections/<name>/query",
    role="user",
    body=BodyLimit('{"query": "…"}'),
    summary="Search a collection",
    tags=["collections"],
    responses=responses(AnswerView, errors=ASKS),
)
def query(name: str, question: Annotated[Question, Body()]) -> AnswerView:
    search = SearchQuery(
        text=question.query,
        top_k=question.top_k,
        filters=question.filters or None,
        max_distance=question.max_distance,
    )
    deadline, name = router.deadline(), router.readable(name)
    with router.services.limits.admitted(router.caller, (question.query,), deadline=deadline):
        answer = router.services.collections.query(name, search, deadline=deadline)
    return AnswerView.of(answer)


@router.endpoint(
    "POST",
    "/api/collections/<name>/calibrate",
    role="operator",
    body=BodyLimit('{"questions": []}'),
    summary="Calibrate the thresholds of a collection",
    tags=["collections"],
    responses=responses(CalibrationView, errors=WRITES),
)
def calibrate(name: str, request: Annotated[CalibrationRequest, Body()]) -> CalibrationView:
    deadline = router.deadline()
    with router.services.limits.admitted(router.caller, request.questions, deadline=deadline):
        proposal = router.services.collections.calibrate(
            name, request.questions, apply=request.apply, deadline=deadline
        )
    return CalibrationView.of(proposal, applied=request.apply)


@router.endpoint(
    "POST",
    "/api/collections",
    role="operator",
    summary="Create a collection",
    tags=["collections"],
    responses=responses(CollectionInfo, status=HTTPStatus.CREATED, errors=WRITES),
    status_code=HTTPStatus.CREATED,
)
def create(wanted: Annotated[NewCollection, Body()]) -> CollectionInfo:
    return router.services.collections.create(wanted.name, wanted.metadata)


@router.endpoint(
    "PATCH",
    "/api/collections/<name>",
    role="operator",
    summary="Change the metadata of a collection",
    tags=["collections"],
    responses=responses(CollectionInfo, errors=WRITES),
)
def change(name: str, wanted: Annotated[CollectionChange, Body()]) -> CollectionInfo:
    return router.services.collections.change(name, wanted.metadata)


@router.endpoint(
    "DELETE",
    "/api/collections/<name>",
    role="operator",
    summary="Delete a collection and its documents",
    tags=["collections"],
    responses=responses(Deleted, errors=(400, *READS)),
)
def delete(name: str) -> Deleted:
    router.services.collections.delete(name)
    return Deleted(deleted=name)


@router.endpoint(
    "POST",
    "/api/collections/<name>/documents",
    role="operator",
    body=BodyLimit('{"documents": [{"text": "…"}]}', MAX_DOCUMENTS_BYTES),
    summary="Add documents to a collection",
    tags=["collections"],
    responses=responses(ImportView, errors=WRITES),
)
def add(name: str, wanted: Annotated[NewDocuments, Body()]) -> ImportView:
    deadline = router.deadline()
    reading = deadline.within(deadline.remaining() / 2)  # the rest is for indexing
    uploaded = partial(router.services.uploaded_file, router.caller.principal)
    documents = (loaded for document in wanted.documents for loaded in posted(document, reading, uploaded))
    report = router.services.collections.add(name, documents, deadline=deadline, replace=wanted.replace)
    return ImportView(
        added=report.added,
        replaced=report.replaced,
        unchanged=report.unchanged,
        failed=tuple(FailureView(source=each.source, reason=each.reason, exists=each.exists) for each in report.failed),
        warnings=tuple(WarningView(source=each.source, reason=each.reason) for each in report.warnings),
        passages=report.passages,
    )


@router.endpoint(
    "POST",
    "/api/collections/<name>/reindex",
    role="operator",
    summary="Build the index of a collection again",
    description=(
        "Embeds the stored passages again, by another model if the body names one, or divides the documents into "
        "passages of another size. Everything is replaced at once, or nothing."
    ),
    tags=["collections"],
    responses=responses(CollectionInfo, errors=WRITES),
)
def reindex(name: str, wanted: Annotated[ReindexRequest, Body()]) -> CollectionInfo:
    deadline = router.deadline()
    try:
        return router.services.collections.reindex(
            name, embedding_model=wanted.embedding_model, chunking=wanted.chunking, deadline=deadline
        )
    except RetrievalError as exc:
        if exc.code == "unavailable" and deadline.expired:
            command = f"flexchat collections reindex {name} --stage STAGE"
            message = f"the collection {name!r} is too large for the time of a request; run `{command}`"
            raise RetrievalError(message, code="too_large") from exc
        raise


@router.endpoint(
    "GET",
    "/api/collections/<name>/documents",
    role="user",
    summary="List the documents of a collection",
    tags=["collections"],
    responses=responses(DocumentList, errors=(400, *READS)),
)
def list_documents(
    name: str,
    limit: Annotated[int, Query(ge=1, le=MAX_LISTED, description="Maximum of documents.")] = 100,
    after: Annotated[str, Query(description="`next` of the previous list.")] = "",
) -> DocumentList:
    found = router.services.collections.documents(router.readable(name), after=after, limit=limit + 1)
    return DocumentList(
        documents=tuple(map(DocumentView.of, found[:limit])),
        next=found[limit - 1].id if len(found) > limit else None,
    )


@router.endpoint(
    "DELETE",
    "/api/collections/<name>/documents",
    role="operator",
    summary="Delete every document of a collection",
    tags=["collections"],
    responses=responses(CollectionInfo, errors=(400, 409, *READS)),
)
def empty(name: str) -> CollectionInfo:
    return router.services.collections.empty(name)


@router.endpoint(
    "DELETE",
    "/api/collections/<name>/documents/<id>",
    role="operator",
    summary="Delete one document of a collection",
    tags=["collections"],
    responses=responses(CollectionInfo, errors=(400, 409, *READS)),
)
def delete_document(name: str, id: str) -> CollectionInfo:
    return router.services.collections.delete_document(name, unquote(id))


ROUTERS = (router,)


class CollectionsApi(HttpApi[CollectionsServices]):
    """Collections, their documents and searches."""

    routers = ROUTERS
    body = BodyLimit('{"name": "handbook"}')
    slash_parameter = ("/api/collections/{name}/documents/{id}", "id")
