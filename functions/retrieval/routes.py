"""HTTP API of collections."""

from functools import cached_property
from http import HTTPStatus
from typing import Annotated, Protocol
from urllib.parse import unquote

from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.http_api.api import HttpApi
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.openapi import responses
from flexchat.http_api.router import ApiRouter
from flexchat.retrieval import CollectionInfo, SearchQuery, hit_view
from functions.retrieval.collections import Collections
from functions.retrieval.document_routes import posted
from functions.retrieval.route_models import (
    AnswerView,
    CalibrationRequest,
    CalibrationView,
    CollectionChange,
    CollectionList,
    Deleted,
    FailureView,
    HitView,
    ImportView,
    NewCollection,
    NewDocuments,
    Question,
    ThresholdsView,
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
    answer = router.services.collections.query(name, search, deadline=router.deadline())
    return AnswerView(
        result=answer.result,
        hits=tuple(HitView.model_validate(hit_view(hit)) for hit in answer.hits),
        thresholds=ThresholdsView(match=answer.thresholds.match, partial=answer.thresholds.partial),
    )


@router.endpoint(
    "POST",
    "/api/collections/<name>/calibrate",
    role="user",
    body=BodyLimit('{"questions": []}'),
    summary="Calibrate the thresholds of a collection",
    tags=["collections"],
    responses=responses(CalibrationView, errors=WRITES),
)
def calibrate(name: str, request: Annotated[CalibrationRequest, Body()]) -> CalibrationView:
    if request.apply:
        router.caller.require_operator()
    proposal = router.services.collections.calibrate(
        name, request.questions, apply=request.apply, deadline=router.deadline()
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
    report = router.services.collections.add(name, documents, deadline=deadline)
    return ImportView(
        added=report.added,
        replaced=report.replaced,
        unchanged=report.unchanged,
        failed=tuple(FailureView(source=each.source, reason=each.reason) for each in report.failed),
        passages=report.passages,
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
