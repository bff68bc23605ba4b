"""The chat's HTTP door: its routes and their documentation."""

from collections.abc import Callable
from functools import cached_property, partial
from http import HTTPStatus
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response, content_types
from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.api import MAX_BODY_BYTES, ApiModel, ChatRequest, ChatResponse, ModelList, ToolList
from flexchat.deadline import Deadline
from flexchat.http_api.body import check_body
from flexchat.http_api.door import Door, responses
from flexchat.json import dumps
from functions.chat.errors import http_error
from functions.chat.openapi import whole_document
from functions.chat.pipeline import ChatEngine

API_SECONDS = 28.0
"""API Gateway gives up after 29 seconds; its own 504 must never be what a caller gets."""


class Health(ApiModel):
    """The service can run code. It says nothing about the models behind it."""

    status: str = "ok"


class HttpDoor:
    """Answers REST API events. `engine` is asked for on the first request that needs it; `limit` shortens a caller's
    deadline to what this invocation has left."""

    def __init__(
        self,
        *,
        engine: Callable[[], ChatEngine],
        limit: Callable[[int | None, float], Deadline],
        allowed_origins: tuple[str, ...] = (),
    ) -> None:
        self._engine = engine
        self._limit = limit
        check = partial(check_body, max_bytes=MAX_BODY_BYTES, example='{"message": "Hello"}')
        self._door = Door(check=check, allowed_origins=allowed_origins, tell=http_error)
        self._add_routes()

    def resolve(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """The API Gateway response to one REST API proxy event."""
        return self._door.resolve(event, context)

    def _add_routes(self) -> None:
        api = self._door.routes

        @api.post("/api/chat", summary="Answer a message", tags=["chat"], responses=responses(ChatResponse))
        def chat(request: Annotated[ChatRequest, Body()]) -> ChatResponse:  # pyright: ignore[reportUnusedFunction]
            deadline = self._limit(request.deadline_ms, API_SECONDS)
            return self._engine().run_chat(request, deadline=deadline, request_id=self._door.request_id())

        @api.get("/api/tools/list", summary="List the tools", tags=["tools"], responses=responses(ToolList))
        def list_tools() -> ToolList:  # pyright: ignore[reportUnusedFunction]
            return self._engine().list_tools()

        @api.get("/api/models/list", summary="List the models", tags=["models"], responses=responses(ModelList))
        def list_models() -> ModelList:  # pyright: ignore[reportUnusedFunction]
            return self._engine().list_models()

        @api.post(
            "/api/connections/llm/discovery/models",
            summary="List the models, under an older name",
            tags=["models"],
            responses=responses(ModelList),
        )
        def discover_models() -> ModelList:  # pyright: ignore[reportUnusedFunction]
            return self._engine().list_models()

        @api.get("/api/openapi.json", summary="This document", tags=["service"])
        def openapi() -> Response[str]:  # pyright: ignore[reportUnusedFunction]
            return Response(HTTPStatus.OK, content_types.APPLICATION_JSON, self.openapi)

        @api.get("/health", summary="Is the service up?", tags=["service"])
        def health() -> Health:  # pyright: ignore[reportUnusedFunction]
            return Health()

    @cached_property
    def openapi(self) -> str:
        """The OpenAPI 3.1 document of the whole service, true to what is served."""
        document = whole_document(self._door.document())
        document["paths"]["/health"]["get"]["security"] = []
        return dumps(document)
