"""The HTTP door: routes, their documentation, and how errors are told."""

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from http import HTTPStatus
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, CORSConfig, Response, content_types
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from aws_lambda_powertools.event_handler.openapi.models import HTTPBearer
from aws_lambda_powertools.event_handler.openapi.params import Body
from aws_lambda_powertools.event_handler.openapi.types import OpenAPIResponse, OpenAPIResponseContentModel
from pydantic import BaseModel

from flexchat.api import ApiModel, ChatRequest, ChatResponse, ErrorResponse, ModelList, ToolList
from flexchat.deadline import Deadline
from flexchat.errors import RequestError
from flexchat.json import dumps
from functions.chat.body import check_body, header
from functions.chat.errors import HttpError, http_error, shape_error
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
        self._cors = _cors(allowed_origins)
        self._api = APIGatewayRestResolver(enable_validation=True, serializer=dumps, cors=self._cors)
        self._add_routes()

    def resolve(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """The API Gateway response to one REST API proxy event."""
        try:
            check_body(event)
        except RequestError as error:
            return self._early(error, event)
        return self._api.resolve(event, context)

    def _add_routes(self) -> None:
        api = self._api

        @api.post("/api/chat", summary="Answer a message", tags=["chat"], responses=_responses(ChatResponse))
        def chat(request: Annotated[ChatRequest, Body()]) -> ChatResponse:  # pyright: ignore[reportUnusedFunction]
            deadline = self._limit(request.deadline_ms, API_SECONDS)
            return self._engine().run_chat(request, deadline=deadline, request_id=self._request_id())

        @api.get("/api/tools/list", summary="List the tools", tags=["tools"], responses=_responses(ToolList))
        def list_tools() -> ToolList:  # pyright: ignore[reportUnusedFunction]
            return self._engine().list_tools()

        @api.get("/api/models/list", summary="List the models", tags=["models"], responses=_responses(ModelList))
        def list_models() -> ModelList:  # pyright: ignore[reportUnusedFunction]
            return self._engine().list_models()

        @api.post(
            "/api/connections/llm/discovery/models",
            summary="List the models, under an older name",
            tags=["models"],
            responses=_responses(ModelList),
        )
        def discover_models() -> ModelList:  # pyright: ignore[reportUnusedFunction]
            return self._engine().list_models()

        @api.get("/api/openapi.json", summary="This document", tags=["service"])
        def openapi() -> Response[str]:  # pyright: ignore[reportUnusedFunction]
            return Response(HTTPStatus.OK, content_types.APPLICATION_JSON, self.openapi)

        @api.get("/health", summary="Is the service up?", tags=["service"])
        def health() -> Health:  # pyright: ignore[reportUnusedFunction]
            return Health()

        @api.exception_handler(NotFoundError)
        def not_found(_error: NotFoundError) -> Response[str]:  # pyright: ignore[reportUnusedFunction]
            event = api.current_event
            message = f"there is no {event.http_method} {event.path}; GET /api/openapi.json lists what there is"
            error = RequestError(message, status=HTTPStatus.NOT_FOUND, code="not_found")
            return _response(http_error(error, self._request_id()))

        @api.exception_handler(RequestValidationError)
        def wrong_shape(error: RequestValidationError) -> Response[str]:  # pyright: ignore[reportUnusedFunction]
            return _response(http_error(shape_error(error.errors()), self._request_id()))

        @api.exception_handler(Exception)
        def failed(error: Exception) -> Response[str]:  # pyright: ignore[reportUnusedFunction]
            return _response(http_error(error, self._request_id()))

    @cached_property
    def openapi(self) -> str:
        """The OpenAPI 3.1 document of the routes, true to what is served."""
        text = self._api.get_openapi_json_schema(
            title="Flexchat",
            version="1.0.0",
            description="A chat that calls tools. Every route but /health wants `Authorization: Bearer <token>`.",
            security_schemes={"bearer": HTTPBearer()},
            security=[{"bearer": []}],
        )
        document: dict[str, Any] = json.loads(text)
        for path in document["paths"].values():
            for operation in path.values():
                operation["responses"].pop("422", None)
        document["paths"]["/health"]["get"]["security"] = []
        return dumps(document)

    def _early(self, error: RequestError, event: Mapping[str, Any]) -> dict[str, Any]:
        """The response to a request that is refused before it is routed."""
        told = http_error(error, event.get("requestContext", {}).get("requestId", ""))
        cors = self._cors.to_dict(header(event, "origin")) if self._cors else {}
        headers = {"Content-Type": content_types.APPLICATION_JSON, **cors}
        return {
            "statusCode": told.status,
            "body": told.body.model_dump_json(),
            "isBase64Encoded": False,
            "multiValueHeaders": {name: [value] for name, value in headers.items()},
        }

    def _request_id(self) -> str:
        return self._api.current_event.request_context.request_id or self._api.lambda_context.aws_request_id


def _response(told: HttpError) -> Response[str]:
    return Response(
        told.status, content_types.APPLICATION_JSON, told.body.model_dump_json(), headers=dict(told.headers)
    )


def _responses(model: type[BaseModel]) -> dict[int, OpenAPIResponse]:
    """The documented responses of a route: its answer, and the one envelope of every error."""
    responses: dict[int, OpenAPIResponse] = {
        200: {"description": "The answer", "content": {"application/json": {"model": model}}}
    }
    for status in (400, 401, 403, 413, 415, 429, 500, 502, 503, 504):
        content = {"application/json": OpenAPIResponseContentModel(model=ErrorResponse)}
        responses[status] = {"description": HTTPStatus(status).phrase, "content": {**content}}
    return responses


def _cors(allowed_origins: tuple[str, ...]) -> CORSConfig | None:
    if not allowed_origins:
        return None
    first, *others = allowed_origins
    return CORSConfig(
        allow_origin=first, extra_origins=others, allow_headers=["Authorization", "Content-Type"], max_age=600
    )
