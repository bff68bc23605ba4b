"""The HTTP door of the collections: its routes, who may use which, and their documentation."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import quote, unquote

from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.http_api.api import Door, responses
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.caller import caller_of
from flexchat.http_api.deadline import RequestDeadlines
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
"""Of the body that adds documents: as text inside a Lambda's event it must stay below 6 MB."""

READS = (401, 403, 404, 429, 500, 503)
ASKS = (400, 401, 403, 404, 413, 415, 429, 500, 503)
WRITES = (400, 401, 403, 404, 409, 413, 415, 429, 500, 503)

_DOCUMENT = "/api/collections/{name}/documents/{id}"


class CollectionsApi:
    """Answers REST API events. `collections` is asked for on the first request that needs it."""

    def __init__(
        self,
        *,
        collections: Callable[[], Collections],
        allowed_origins: tuple[str, ...] = (),
        deadlines: RequestDeadlines | None = None,
    ) -> None:
        self._collections = collections
        body = BodyLimit('{"name": "handbook"}')
        self._door = Door(body=body, allowed_origins=allowed_origins, deadlines=deadlines)
        self._add_reading()
        self._add_writing()
        self._add_documents()

    def resolve(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """The API Gateway response to one REST API proxy event."""
        return self._door.resolve(_with_whole_id(event), context)

    def document(self) -> dict[str, Any]:
        """The OpenAPI document of these routes."""
        return self._door.document()

    def _add_reading(self) -> None:
        door = self._door

        @door.route(
            "GET",
            "/api/collections",
            role="user",
            summary="List the collections",
            tags=["collections"],
            responses=responses(CollectionList, errors=(401, 403, 429, 500, 503)),
        )
        def list_collections() -> CollectionList:  # pyright: ignore[reportUnusedFunction]
            return CollectionList(collections=tuple(self._collections().list()))

        @door.route(
            "GET",
            "/api/collections/<name>",
            role="user",
            summary="Show a collection",
            tags=["collections"],
            responses=responses(CollectionInfo, errors=(400, *READS)),
        )
        def show(name: str) -> CollectionInfo:  # pyright: ignore[reportUnusedFunction]
            return self._collections().get(name)

        @door.route(
            "POST",
            "/api/collections/<name>/query",
            role="user",
            body=BodyLimit('{"query": "…"}'),
            summary="Search a collection",
            tags=["collections"],
            responses=responses(AnswerView, errors=ASKS),
        )
        def query(name: str, question: Annotated[Question, Body()]) -> AnswerView:  # pyright: ignore[reportUnusedFunction]
            search = SearchQuery(
                text=question.query,
                top_k=question.top_k,
                filters=question.filters or None,
                max_distance=question.max_distance,
            )
            answer = self._collections().query(name, search, deadline=door.deadline())
            return AnswerView(
                result=answer.result,
                hits=tuple(HitView.model_validate(hit_view(hit)) for hit in answer.hits),
                thresholds=ThresholdsView(match=answer.thresholds.match, partial=answer.thresholds.partial),
            )

        @door.route(
            "POST",
            "/api/collections/<name>/calibrate",
            role="user",
            body=BodyLimit('{"questions": []}'),
            summary="Propose thresholds for a collection, or take them over",
            tags=["collections"],
            responses=responses(CalibrationView, errors=WRITES),
        )
        def calibrate(name: str, request: Annotated[CalibrationRequest, Body()]) -> CalibrationView:  # pyright: ignore[reportUnusedFunction]
            if request.apply:
                caller_of(door.routes.current_event.raw_event).require_operator()
            proposal = self._collections().calibrate(
                name, request.questions, apply=request.apply, deadline=door.deadline()
            )
            return CalibrationView.of(proposal, applied=request.apply)

    def _add_writing(self) -> None:
        door = self._door

        @door.route(
            "POST",
            "/api/collections",
            role="operator",
            summary="Create a collection",
            tags=["collections"],
            responses=responses(CollectionInfo, status=HTTPStatus.CREATED, errors=WRITES),
            status_code=HTTPStatus.CREATED,
        )
        def create(wanted: Annotated[NewCollection, Body()]) -> CollectionInfo:  # pyright: ignore[reportUnusedFunction]
            return self._collections().create(wanted.name, wanted.metadata)

        @door.route(
            "PATCH",
            "/api/collections/<name>",
            role="operator",
            summary="Change what is said of a collection",
            tags=["collections"],
            responses=responses(CollectionInfo, errors=WRITES),
        )
        def change(name: str, wanted: Annotated[CollectionChange, Body()]) -> CollectionInfo:  # pyright: ignore[reportUnusedFunction]
            return self._collections().change(name, wanted.metadata)

        @door.route(
            "DELETE",
            "/api/collections/<name>",
            role="operator",
            summary="Delete a collection with all that is in it",
            tags=["collections"],
            responses=responses(Deleted, errors=(400, *READS)),
        )
        def delete(name: str) -> Deleted:  # pyright: ignore[reportUnusedFunction]
            self._collections().delete(name)
            return Deleted(deleted=name)

    def _add_documents(self) -> None:
        door = self._door

        @door.route(
            "POST",
            "/api/collections/<name>/documents",
            role="operator",
            body=BodyLimit('{"documents": [{"text": "…"}]}', MAX_DOCUMENTS_BYTES),
            summary="Add documents to a collection",
            tags=["collections"],
            responses=responses(ImportView, errors=WRITES),
        )
        def add(name: str, wanted: Annotated[NewDocuments, Body()]) -> ImportView:  # pyright: ignore[reportUnusedFunction]
            documents = (loaded for document in wanted.documents for loaded in posted(document))
            report = self._collections().add(name, documents, deadline=door.deadline())
            return ImportView(
                added=report.added,
                replaced=report.replaced,
                unchanged=report.unchanged,
                failed=tuple(FailureView(source=each.source, reason=each.reason) for each in report.failed),
                passages=report.passages,
            )

        @door.route(
            "DELETE",
            "/api/collections/<name>/documents",
            role="operator",
            summary="Take every document out of a collection",
            tags=["collections"],
            responses=responses(CollectionInfo, errors=(400, 409, *READS)),
        )
        def empty(name: str) -> CollectionInfo:  # pyright: ignore[reportUnusedFunction]
            return self._collections().empty(name)

        @door.route(
            "DELETE",
            "/api/collections/<name>/documents/<id>",
            role="operator",
            summary="Take one document out of a collection",
            tags=["collections"],
            responses=responses(CollectionInfo, errors=(400, 409, *READS)),
        )
        def delete_document(name: str, id: str) -> CollectionInfo:  # pyright: ignore[reportUnusedFunction]
            return self._collections().delete_document(name, unquote(id))


def _with_whole_id(event: dict[str, Any]) -> dict[str, Any]:
    """The event with its document's id as one step of the path: ids may have slashes, which some gateways decode."""
    if event.get("resource") != _DOCUMENT:
        return event
    parameters: Mapping[str, str] = event.get("pathParameters") or {}
    step = quote(unquote(parameters.get("id", "")), safe="")
    return {**event, "path": f"/api/collections/{parameters.get('name', '')}/documents/{step}"}
