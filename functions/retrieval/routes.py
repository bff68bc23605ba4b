"""HTTP API of collections."""

import base64
import hashlib
from collections.abc import Iterator
from copy import replace
from functools import cached_property
from http import HTTPStatus
from typing import Annotated, Protocol
from urllib.parse import unquote

from aws_lambda_powertools.event_handler.openapi.params import Body, Query

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


def posted(document: PostedDocument, due: Deadline) -> Iterator[Document | Failure]:
    """Return the documents in a posted one: several if its content is JSON records. None is parsed after `due`."""
    try:
        content = _content(document)
    except ValueError as exc:
        yield Failure(document.source or document.id or "document", f"content_base64 is not base64: {exc}")
        return
    name = document.source or document.id or f"sha256:{hashlib.sha256(content).hexdigest()[:32]}"
    file = SourceFile(name, content, document.format or ("text" if document.content_base64 is None else None))
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


class CollectionsRouter(ApiRouter[CollectionsServices]):
    """Routes of collections."""


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
    return CollectionList(collections=tuple(router.services.collections.list()))


@router.endpoint(
    "GET",
    "/api/collections/<name>",
    role="user",
    summary="Get a collection",
    tags=["collections"],
    responses=responses(CollectionInfo, errors=(400, *READS)),
)
def show(name: str) -> CollectionInfo:
    return router.services.collections.get(name)


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
    deadline = router.deadline()
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
    documents = (loaded for document in wanted.documents for loaded in posted(document, reading))
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
    found = router.services.collections.documents(name, after=after, limit=limit + 1)
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
