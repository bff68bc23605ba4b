"""HTTP API of one function: routes with their roles, validation, one error envelope, CORS, and the OpenAPI document."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from types import UnionType
from typing import Any, Literal, cast, get_type_hints

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, CORSConfig, Response, content_types
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from aws_lambda_powertools.event_handler.openapi.types import OpenAPIResponse, OpenAPIResponseContentModel
from pydantic import BaseModel

from flexchat.api import ErrorResponse
from flexchat.deadline import Deadline
from flexchat.errors import RequestError
from flexchat.http_api.body import BodyLimit, check_body, header, with_plain_content_type
from flexchat.http_api.caller import caller_of
from flexchat.http_api.deadline import API_SECONDS, RequestDeadlines
from flexchat.http_api.errors import HttpError, http_error, shape_error
from flexchat.json import dumps
from flexchat.observability import logger
from flexchat.tokens import Role

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]

MAX_RESPONSE_BYTES = 6_291_556
"""The largest payload that Lambda returns; API Gateway makes a 502 without any envelope of a larger one."""

ROLE_EXTENSION = "x-role"
"""The role that a route requires, in the OpenAPI document; absent where no token is required."""


@dataclass(frozen=True, slots=True)
class _Requirement:
    """Conditions that a request to one route must satisfy before it is handled."""

    method: Method
    path: re.Pattern[str]
    role: Role | None
    body: BodyLimit | None

    def check(self, event: Mapping[str, Any]) -> None:
        """Raises RequestError for a caller without the role, then for a body that is not accepted."""
        if self.role is not None:
            caller_of(event).require(self.role)
        if self.body is not None:
            check_body(event, max_bytes=self.body.max_bytes, example=self.body.example)


class Door:
    """Answers REST API proxy events (payload v1) by the routes added with `route`.

    `body` is the limit for routes without their own; `tell` makes the envelope of an error. A route that was not added
    with `route`, and so has no role, is not found.
    """

    def __init__(
        self,
        *,
        body: BodyLimit,
        allowed_origins: tuple[str, ...] = (),
        tell: Callable[[Exception, str], HttpError] = http_error,
        deadlines: RequestDeadlines | None = None,
    ) -> None:
        self._body = body
        self._deadlines = deadlines or RequestDeadlines()
        self._requirements: list[_Requirement] = []
        self._documented: list[Callable[[APIGatewayRestResolver], object]] = []
        self._cors = _cors(allowed_origins)
        self._tell = tell
        self.routes = APIGatewayRestResolver(enable_validation=True, serializer=dumps, cors=self._cors)
        self._tell_errors()

    def resolve(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """The API Gateway response to one event; the lines that it logs have the request's id."""
        with logger.append_context_keys(request_id=_request_id(event, context)):
            try:
                requirement = self._requirement(event)
                requirement.check(event)
            except RequestError as error:
                return _not_stored(self._early(error, event, context))
            response = self.routes.resolve(with_plain_content_type(event), context)
            if _is_too_large(response):
                error = RequestError(
                    "the answer is too large to be returned",
                    status=HTTPStatus.INTERNAL_SERVER_ERROR,
                    code="response_too_large",
                )
                logger.error("response too large", path=event["path"])
                response = self._early(error, event, context)
        return response if requirement.role is None else _not_stored(response)

    def route[F: Callable[..., Any]](
        self,
        method: Method,
        path: str,
        *,
        role: Role | None,
        summary: str,
        tags: Sequence[str],
        responses: dict[int, OpenAPIResponse] | None = None,
        description: str | None = None,
        status_code: int = HTTPStatus.OK,
        body: BodyLimit | Literal["none", "default"] = "default",
    ) -> Callable[[F], F]:
        """Decorator that adds a route, such as `/api/collections/<name>`.

        `role` is required of the caller before anything of the body is read: `user` admits every token, None also
        requests without one. `body` is "none" for a route that reads no body.
        """
        limit = self._body if body == "default" else None if body == "none" else body
        # A parameter matches one whole step, whatever the step is called.
        pattern = re.compile("[^/]+".join(map(re.escape, re.split(r"<[^>]+>", path))))
        self._requirements.append(_Requirement(method, pattern, role, limit))

        def add(api: APIGatewayRestResolver, documented: dict[int, OpenAPIResponse] | None, handler: F) -> F:
            return api.route(
                path,
                method,
                summary=summary,
                description=description,
                tags=list(tags),
                responses=documented,
                status_code=int(status_code),
                openapi_extensions=None if role is None else {ROLE_EXTENSION: role},
            )(handler)

        def decorate(handler: F) -> F:
            self._documented.append(lambda api: add(api, responses, handler))
            # Responses are documentation: the router would build a model for each of them at a route's first request.
            return add(self.routes, None, handler)

        return decorate

    def _requirement(self, event: Mapping[str, Any]) -> _Requirement:
        """The requirement of the route of a request, by method and whole path.

        Raises RequestError for a request without a route.
        """
        method, path = str(event.get("httpMethod", "")).upper(), str(event.get("path", ""))
        for requirement in self._requirements:
            if requirement.method == method and requirement.path.fullmatch(path):
                return requirement
        raise _not_found(method, path)

    def request_id(self) -> str:
        """The id of the request that is being answered."""
        return _request_id(self.routes.current_event.raw_event, self.routes.lambda_context)

    def deadline(self, *, at_most: float = API_SECONDS) -> Deadline:
        """The deadline of the request that is being answered, in `at_most` seconds or earlier."""
        return self._deadlines.of(self.routes.current_event.raw_event, self.routes.lambda_context, at_most=at_most)

    def document(self) -> dict[str, Any]:
        """The OpenAPI 3.1 document of the routes, true to what is served."""
        # Its import builds the models of OpenAPI, a tenth of a cold start.
        from aws_lambda_powertools.event_handler.openapi.models import HTTPBearer

        documented = APIGatewayRestResolver(enable_validation=True)
        for add in self._documented:
            add(documented)
        text = documented.get_openapi_json_schema(
            title="Flexchat",
            version="1.0.0",
            description="A chat that calls tools. Every route but /health wants `Authorization: Bearer <token>`.",
            security_schemes={"bearer": HTTPBearer()},
            security=[{"bearer": []}],
        )
        document: dict[str, Any] = json.loads(text)
        for path in document["paths"].values():
            for operation in path.values():
                if "HTTPValidationError" in json.dumps(operation["responses"].get("422", {})):
                    del operation["responses"]["422"]  # the router's own; ours of a wrong shape is a 400
        return document

    def _tell_errors(self) -> None:
        routes = self.routes

        @routes.exception_handler(NotFoundError)
        def not_found(_error: NotFoundError) -> Response[str]:  # pyright: ignore[reportUnusedFunction]
            return self._told(_not_found(routes.current_event.http_method, routes.current_event.path))

        @routes.exception_handler(RequestValidationError)
        def wrong_shape(error: RequestValidationError) -> Response[str]:  # pyright: ignore[reportUnusedFunction]
            untyped: Any = routes
            return self._told(shape_error(error.errors(), _body_model(untyped.context["_route"].func)))

        @routes.exception_handler(Exception)
        def failed(error: Exception) -> Response[str]:  # pyright: ignore[reportUnusedFunction]
            return self._told(error)

    def _told(self, error: Exception) -> Response[str]:
        told = self._tell(error, self.request_id())
        return Response(
            told.status, content_types.APPLICATION_JSON, told.body.model_dump_json(), headers=dict(told.headers)
        )

    def _early(self, error: RequestError, event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        """The response to a request that is refused before it is routed."""
        told = self._tell(error, _request_id(event, context))
        cors = self._cors.to_dict(header(event, "origin")) if self._cors else {}
        headers = {"Content-Type": content_types.APPLICATION_JSON, **cors}
        return {
            "statusCode": told.status,
            "body": told.body.model_dump_json(),
            "isBase64Encoded": False,
            "multiValueHeaders": {name: [value] for name, value in headers.items()},
        }


def _body_model(handler: Callable[..., Any]) -> type[BaseModel] | None:
    """The model of the body that a route's handler takes, if it takes one."""
    hints = get_type_hints(handler)
    hints.pop("return", None)
    return next((hint for hint in hints.values() if isinstance(hint, type) and issubclass(hint, BaseModel)), None)


def no_content() -> Response[str]:
    """A response without a body. API Gateway gives a response without a content type that of JSON."""
    return Response(HTTPStatus.NO_CONTENT, content_types.TEXT_PLAIN, body="")


def _request_id(event: Mapping[str, Any], context: Any) -> str:
    """The id of a request: API Gateway's, else that of the invocation."""
    return str(event.get("requestContext", {}).get("requestId") or context.aws_request_id)


def _is_too_large(response: Mapping[str, Any]) -> bool:
    body: str = response.get("body") or ""
    # A character comes to at most 12 bytes, as the escape of half a surrogate pair inside a JSON string does.
    return len(body) > MAX_RESPONSE_BYTES // 12 and len(dumps(response).encode(errors="replace")) > MAX_RESPONSE_BYTES


def _not_stored(response: dict[str, Any]) -> dict[str, Any]:
    """`response` with the demand that no cache keeps it: it is for one caller."""
    headers = {"Cache-Control": ["no-store"], **response.get("multiValueHeaders", {})}
    return {**response, "multiValueHeaders": headers}


def _not_found(method: str, path: str) -> RequestError:
    message = f"there is no {method} {path}; GET /api/openapi.json lists what there is"
    return RequestError(message, status=HTTPStatus.NOT_FOUND, code="not_found")


def responses(
    model: type[BaseModel] | UnionType,
    *,
    status: int = HTTPStatus.OK,
    errors: Iterable[int] = (400, 401, 403, 413, 415, 429, 500, 502, 503, 504),
) -> dict[int, OpenAPIResponse]:
    """The documented responses of a route: its answer, and the one envelope of every error."""
    documented: dict[int, OpenAPIResponse] = {
        int(status): {"description": "The answer", "content": {"application/json": {"model": cast("Any", model)}}}
    }
    for code in errors:
        content = {"application/json": OpenAPIResponseContentModel(model=ErrorResponse)}
        documented[code] = {"description": HTTPStatus(code).phrase, "content": {**content}}
    return documented


def _cors(allowed_origins: tuple[str, ...]) -> CORSConfig | None:
    if not allowed_origins:
        return None
    first, *others = allowed_origins
    return CORSConfig(
        allow_origin=first,
        extra_origins=others,
        allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "Prefer"],
        expose_headers=["Idempotent-Replayed", "Location", "Preference-Applied", "Retry-After"],
        max_age=600,
    )
