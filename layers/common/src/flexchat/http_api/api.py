"""HTTP API of one function: authorization, body checks, routing, the error envelope and CORS."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_type_hints, overload
from urllib.parse import quote, unquote

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, CORSConfig, Response, content_types
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from aws_lambda_powertools.event_handler.openapi.types import OpenAPIResponse
from aws_lambda_powertools.event_handler.router import APIGatewayRouter
from msgspec import Struct
from pydantic import BaseModel

from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, RequestError
from flexchat.http_api.body import BodyLimit, check_body, header, header_values, with_plain_content_type
from flexchat.http_api.caller import Caller, caller_of
from flexchat.http_api.deadline import API_SECONDS, RequestDeadlines
from flexchat.http_api.errors import ErrorText, HttpError, shape_error, to_http_error
from flexchat.http_api.streams import ResponseStream, StreamClosedError, StreamedBody
from flexchat.json import dumps
from flexchat.observability import logger, tracing
from flexchat.tokens import Role
from flexchat.trace_context import TRACEPARENT, TRACERESPONSE, TRACESTATE, TraceContext

if TYPE_CHECKING:
    from flexchat.config.models.roles import Right

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]


class Endpoint(Struct, frozen=True, kw_only=True):
    """One route with its documentation.

    `role` is required of the caller before the body is read: `user` admits every token, None also requests without one.
    `right` admits callers without the role to whom the configuration gives this right of operators.
    `body` is the route's own limit, "default" for that of the API, "none" for a route whose body is not checked before
    it is handled. `request_body` documents the body of a handler without a model of it.
    """

    method: Method
    path: str
    handler: Callable[..., Any]
    role: Role | None
    summary: str
    tags: Sequence[str]
    responses: dict[int, OpenAPIResponse] | None
    description: str | None
    status_code: int
    body: BodyLimit | Literal["none", "default"]
    request_body: Mapping[str, Any] | None = None
    right: "Right | None" = None


class ApiRouter[Services](APIGatewayRouter):
    """Routes of one subject; the properties are those of the current request.

    Only routes of `endpoint` are served: a route of Powertools' own decorators has no role and is not found.
    """

    def __init__(self) -> None:
        super().__init__()
        self.endpoints: list[Endpoint] = []

    def endpoint[F: Callable[..., Any]](
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
        request_body: Mapping[str, Any] | None = None,
        right: "Right | None" = None,
    ) -> Callable[[F], F]:
        """Return a decorator that adds a route, such as `/api/collections/<name>`; see `Endpoint` for the arguments."""

        def decorate(handler: F) -> F:
            self.endpoints.append(
                Endpoint(
                    method=method,
                    path=path,
                    handler=handler,
                    role=role,
                    summary=summary,
                    tags=tags,
                    responses=responses,
                    description=description,
                    status_code=int(status_code),
                    body=body,
                    request_body=request_body,
                    right=right,
                )
            )
            # Responses are documentation: the router would build a model for each of them at a route's first request.
            return self.route(path, method, status_code=int(status_code))(handler)

        return decorate

    @property
    def services(self) -> Services:
        """Return the services of the function."""
        return self._scope["services"]

    @property
    def event(self) -> Mapping[str, Any]:
        """Return the REST API proxy event (payload v1)."""
        return self.current_event.raw_event

    @property
    def caller(self) -> Caller:
        """Return the caller. Raises RequestError (403, 401) for a request without one."""
        caller: Caller | None = self._scope["caller"]
        return caller or caller_of(self.event)

    def act_for(self, user: str | None) -> None:
        """Continue the request as that of an end user that its body names; no-op for a token without that right.

        The end user of the header takes precedence. Raises RequestError (400) for an id that cannot be used.
        """
        if user and self.caller.is_service:
            self._scope["caller"] = self.caller.acting_for(user)

    @property
    def request_id(self) -> str:
        return request_id(self.event, self.lambda_context)

    def deadline(self, *, at_most: float = API_SECONDS) -> Deadline:
        """Return the deadline of the response, in `at_most` seconds or earlier."""
        deadlines: RequestDeadlines = self._scope["deadlines"]
        return deadlines.of(self.event, self.lambda_context, at_most=at_most)

    def stream_deadline(self) -> Deadline:
        """Return the deadline of a streamed response; that of any other when it is returned in one body."""
        deadlines: RequestDeadlines = self._scope["deadlines"]
        return deadlines.of_stream(self.event, self.lambda_context) if self._body.is_live else self.deadline()

    @property
    def is_streaming(self) -> bool:
        """Return True if the pieces of an opened stream are sent at once, False if they are returned in one body."""
        return self._body.is_live

    def open_stream(
        self, content_type: str, headers: Mapping[str, str] | None = None, *, status: int = HTTPStatus.OK
    ) -> StreamedBody:
        """Start a streamed response and return its body; the route returns `streamed()` after it.

        Raises StreamClosedError when the connection is closed. An error of the route after the start ends the
        response without a sign that a client could parse.
        """
        self._body.open(content_type, headers or {}, status=int(status))
        return self._body

    @property
    def _body(self) -> StreamedBody:
        return self._scope["body"]

    @property
    def _scope(self) -> dict[str, Any]:
        untyped: Any = self
        return untyped.context


def request_id(event: Mapping[str, Any], context: Any) -> str:
    """Return the id of a request: API Gateway's, else that of the invocation."""
    return str(event.get("requestContext", {}).get("requestId") or context.aws_request_id)


MAX_RESPONSE_BYTES = 6_291_556
"""Maximum payload that Lambda returns; API Gateway responds to a larger one with a 502 without an envelope."""


class _Requirement(Struct, frozen=True):
    """Conditions that a request to one route must satisfy before it is handled."""

    method: str
    path: re.Pattern[str]
    role: Role | None
    body: BodyLimit | None
    right: "Right | None" = None

    @classmethod
    def of(cls, endpoint: Endpoint, default: BodyLimit) -> "_Requirement":
        # A parameter matches one whole path segment with any characters.
        pattern = re.compile("[^/]+".join(map(re.escape, re.split(r"<[^>]+>", endpoint.path))))
        body = default if endpoint.body == "default" else None if endpoint.body == "none" else endpoint.body
        return cls(endpoint.method, pattern, endpoint.role, body, endpoint.right)

    def check(self, event: Mapping[str, Any], rights: Callable[[Caller], "Collection[Right]"]) -> Caller | None:
        """Check the role of the caller, then the body; return the caller, None for a route without a role.

        `rights` returns the rights of operators that a caller has. Raises RequestError for either, and the errors of
        `rights`.
        """
        caller = None if self.role is None else caller_of(event)
        if caller is not None and self.role is not None:
            has_right = self.right is not None and not caller.is_operator and self.right in rights(caller)
            if not has_right:
                caller.require(self.role)
        if self.body is not None:
            check_body(event, max_bytes=self.body.max_bytes, example=self.body.example)
        return caller


class HttpApi[Services]:
    """Handles REST API proxy events (payload v1) by `routers`, whose routes use `services`.

    `later_routers` are included at the first request for a route that `routers` lack, so that a function starts without
    their imports. `body` is the limit for routes without their own. `slash_parameter` is a resource with its parameter
    that may contain slashes, which some gateways decode; API Gateway's `{name+}` has the parameter `name`.
    """

    routers: ClassVar[Sequence[ApiRouter[Any]]]
    body: ClassVar[BodyLimit]
    slash_parameter: ClassVar[tuple[str, str] | None] = None

    def __init__(
        self,
        services: Services,
        *,
        allowed_origins: tuple[str, ...] = (),
        deadlines: RequestDeadlines | None = None,
    ) -> None:
        self._services = services
        self._deadlines = deadlines or RequestDeadlines()
        self._included: list[ApiRouter[Any]] = []
        self._requirements: list[_Requirement] = []
        self._is_complete = False
        self._cors = _cors(allowed_origins)
        self._resolver = APIGatewayRestResolver(enable_validation=True, serializer=dumps, cors=self._cors)
        self._resolver.exception_handler(NotFoundError)(self._on_not_found)
        self._resolver.exception_handler(RequestValidationError)(self._on_wrong_shape)
        self._resolver.exception_handler(Exception)(self._error_response)
        self._include(self.routers)

    def later_routers(self) -> Sequence[ApiRouter[Any]]:
        """Return the routers to include on demand."""
        return ()

    def include_all(self) -> None:
        """Include the later routers."""
        if not self._is_complete:
            self._include(self.later_routers())
            self._is_complete = True

    def normalized(self, event: dict[str, Any]) -> dict[str, Any]:
        """Return the event with the path of its route, where an API accepts others."""
        return event

    def rights(self, caller: Caller) -> "Collection[Right]":  # noqa: ARG002
        """Return the rights of operators that the configuration gives a caller without the role `operator`.

        Raises FlexchatError while they cannot be read.
        """
        return ()

    def _rights(self, caller: Caller) -> "Collection[Right]":
        """Return the rights of a caller; none of one with built-in roles alone while they cannot be read."""
        try:
            return self.rights(caller)
        except FlexchatError:
            if caller.own_roles:
                raise
            return ()

    def to_http_error(self, error: Exception, request_id: str) -> HttpError:
        """Return the envelope of an error."""
        return to_http_error(error, request_id)

    def error_text(self, error: Exception, found: HttpError, path: str) -> ErrorText:  # noqa: ARG002
        """Return the body and the headers of the response to a request for `path`, by the envelope of its error."""
        return ErrorText(found.body.model_dump_json(), found.headers)

    @overload
    def resolve(self, event: dict[str, Any], context: Any) -> dict[str, Any]: ...

    @overload
    def resolve(self, event: dict[str, Any], context: Any, stream: ResponseStream | None) -> dict[str, Any] | None: ...

    def resolve(
        self, event: dict[str, Any], context: Any, stream: ResponseStream | None = None
    ) -> dict[str, Any] | None:
        """Return the API Gateway response to one event; its log lines have the ids of the request and its trace.

        The result is None when the route has sent its response by `stream`. Raises the error of a route whose response
        was started before it failed, unless its connection is closed.
        """
        event = self._with_whole_segment(self.normalized(event))
        request = request_id(event, context)
        trace = request_trace(event, request)
        with logger.append_context_keys(request_id=request), tracing(trace):
            return self._resolved(event, context, stream, {TRACERESPONSE: trace.traceparent()})

    def _resolved(
        self, event: dict[str, Any], context: Any, stream: ResponseStream | None, headers: Mapping[str, str]
    ) -> dict[str, Any] | None:
        """Return the response to one event, with `headers`; None when the route has sent it."""
        try:
            requirement = self._requirement(event)
            caller = requirement.check(event, self._rights)
        except FlexchatError as error:
            return _with_headers(_not_stored(self._early_response(error, event, context)), headers)
        body = StreamedBody(stream, {"Cache-Control": "no-store", **headers, **self._cors_headers(event)})
        try:
            response = self._route(with_plain_content_type(event), context, caller, body)
        except StreamClosedError:
            logger.info("response closed before its end", path=event["path"])
            return None
        if body.is_open:
            if body.is_live:
                return None
            response = body.response()
        if _is_too_large(response):
            error = RequestError(
                "the answer is too large to be returned",
                status=HTTPStatus.INTERNAL_SERVER_ERROR,
                code="response_too_large",
            )
            logger.error("response rejected: too large", path=event["path"])
            response = self._early_response(error, event, context)
        return _with_headers(response if requirement.role is None else _not_stored(response), headers)

    def _with_whole_segment(self, event: dict[str, Any]) -> dict[str, Any]:
        """Return the event with a parameter that may contain slashes as one path segment."""
        if self.slash_parameter is None or event.get("resource") != self.slash_parameter[0]:
            return event
        resource, name = self.slash_parameter
        parameters = defaultdict[str, str](str, event.get("pathParameters") or {})
        parameters[name] = quote(unquote(parameters[name]), safe="")
        return {**event, "path": resource.replace("+}", "}").format_map(parameters)}

    def _route(self, event: dict[str, Any], context: Any, caller: Caller | None, body: StreamedBody) -> dict[str, Any]:
        for router in self._included:  # which another API of this process may have included since
            router.api_resolver = self._resolver
        resolver: Any = self._resolver
        resolver.append_context(services=self._services, deadlines=self._deadlines, caller=caller, body=body)
        return resolver.resolve(event, context)

    def _requirement(self, event: Mapping[str, Any]) -> _Requirement:
        """Return the requirement of the route of a request, by method and whole path.

        Raises RequestError for a request without a route.
        """
        method, path = str(event.get("httpMethod", "")).upper(), str(event.get("path", ""))
        found = self._find(method, path)
        if found is None:
            self.include_all()
            found = self._find(method, path)
        if found is None:
            raise _not_found(method, path)
        return found

    def _find(self, method: str, path: str) -> _Requirement | None:
        for requirement in self._requirements:
            if requirement.method == method and requirement.path.fullmatch(path):
                return requirement
        return None

    def _include(self, routers: Sequence[ApiRouter[Any]]) -> None:
        for router in routers:
            self._resolver.include_router(router)
            self._requirements += (_Requirement.of(endpoint, self.body) for endpoint in router.endpoints)
            self._included.append(router)

    def _on_not_found(self, _error: NotFoundError) -> Response[str]:
        event = self._resolver.current_event
        return self._error_response(_not_found(event.http_method, event.path))

    def _on_wrong_shape(self, error: RequestValidationError) -> Response[str]:
        untyped: Any = self._resolver
        return self._error_response(shape_error(error.errors(), _body_model(untyped.context["_route"].func)))

    def _error_response(self, error: Exception) -> Response[str]:
        """Return the response to an error. Raises the error itself once a part of the response is sent."""
        resolver: Any = self._resolver
        body: StreamedBody = resolver.context["body"]
        if body.is_open and body.is_live:
            raise error
        body.discard()
        event = resolver.current_event.raw_event
        found = self.to_http_error(error, request_id(event, resolver.lambda_context))
        text = self.error_text(error, found, event["path"])
        return Response(
            text.status or found.status, content_types.APPLICATION_JSON, text.body, headers=dict(text.headers)
        )

    def _early_response(self, error: FlexchatError, event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        """Return the response to a request that is rejected before it is routed."""
        found = self.to_http_error(error, request_id(event, context))
        text = self.error_text(error, found, str(event.get("path", "")))
        headers = {"Content-Type": content_types.APPLICATION_JSON, **text.headers, **self._cors_headers(event)}
        return {
            "statusCode": text.status or found.status,
            "body": text.body,
            "isBase64Encoded": False,
            "multiValueHeaders": {name: [value] for name, value in headers.items()},
        }

    def _cors_headers(self, event: Mapping[str, Any]) -> dict[str, str]:
        return self._cors.to_dict(header(event, "origin")) if self._cors else {}


def streamed() -> Response[str]:
    """Return the result of a route that has opened a stream, by which it has sent its response."""
    return Response(HTTPStatus.OK, content_types.TEXT_PLAIN, body="")


def no_content() -> Response[str]:
    """Return a response without a body. API Gateway gives a response without a content type that of JSON."""
    return Response(HTTPStatus.NO_CONTENT, content_types.TEXT_PLAIN, body="")


def _body_model(handler: Callable[..., Any]) -> type[BaseModel] | None:
    """Return the model of the request body of a route's handler, if it has one."""
    hints = get_type_hints(handler)
    hints.pop("return", None)
    return next((hint for hint in hints.values() if isinstance(hint, type) and issubclass(hint, BaseModel)), None)


def _is_too_large(response: Mapping[str, Any]) -> bool:
    body: str = response.get("body") or ""
    # A character has at most 12 bytes, as the escape of an unpaired surrogate inside a JSON string.
    return len(body) > MAX_RESPONSE_BYTES // 12 and len(dumps(response).encode(errors="replace")) > MAX_RESPONSE_BYTES


def _not_stored(response: dict[str, Any]) -> dict[str, Any]:
    """Return `response` with a header that forbids caches to store it: it is for one caller."""
    return _with_headers(response, {"Cache-Control": "no-store"})


def _with_headers(response: dict[str, Any], headers: Mapping[str, str]) -> dict[str, Any]:
    """Return `response` with the `headers` that it does not have."""
    own: Mapping[str, list[str]] = response.get("multiValueHeaders", {})
    return {**response, "multiValueHeaders": {**{name: [value] for name, value in headers.items()}, **own}}


def request_trace(event: Mapping[str, Any], request: str) -> TraceContext:
    """Return the trace context of a request: that of its client, else a trace that begins with it.

    A second `traceparent` is malformed, as the recommendation says; several `tracestate` headers are one list.
    """
    parents = header_values(event, TRACEPARENT)
    found = TraceContext.parse(parents[0], header_values(event, TRACESTATE)) if len(parents) == 1 else None
    return found or TraceContext.of_request(request, header(event, "x-amzn-trace-id"))


def _not_found(method: str, path: str) -> RequestError:
    message = f"{method} {path} not found; GET /api/openapi.json lists the routes"
    return RequestError(message, status=HTTPStatus.NOT_FOUND, code="not_found")


def _cors(allowed_origins: tuple[str, ...]) -> CORSConfig | None:
    if not allowed_origins:
        return None
    first, *others = allowed_origins
    return CORSConfig(
        allow_origin=first,
        extra_origins=others,
        allow_headers=[
            "Accept",
            "Authorization",
            "Content-Type",
            "Idempotency-Key",
            "Last-Event-ID",
            "Mcp-Method",
            "Mcp-Name",
            "Mcp-Protocol-Version",
            "Prefer",
            "Traceparent",
            "Tracestate",
        ],
        expose_headers=[
            "Idempotent-Replayed",
            "Location",
            "Preference-Applied",
            "Retry-After",
            "Traceresponse",
            *(
                f"X-RateLimit-{name}-{unit}"
                for unit in ("Requests", "Tokens")
                for name in ("Limit", "Remaining", "Reset")
            ),
            "X-Request-Id",
            "X-Should-Retry",
        ],
        max_age=600,
    )
