"""Powertools router whose routes require a role, limit the request body and document their responses."""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Literal

from aws_lambda_powertools.event_handler.openapi.types import OpenAPIResponse
from aws_lambda_powertools.event_handler.router import APIGatewayRouter
from msgspec import Struct

from flexchat.deadline import Deadline
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.caller import Caller, caller_of
from flexchat.http_api.deadline import API_SECONDS, RequestDeadlines
from flexchat.http_api.streams import StreamedBody
from flexchat.tokens import Role

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]


class Endpoint(Struct, frozen=True, kw_only=True):
    """One route with its documentation.

    `role` is required of the caller before the body is read: `user` admits every token, None also requests without one.
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

        Raises StreamClosedError when the client has disconnected. An error of the route after the start ends the
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
