"""The chat's HTTP door: its routes and their documentation."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response, content_types
from aws_lambda_powertools.event_handler.openapi.params import Body
from aws_lambda_powertools.event_handler.openapi.types import OpenAPIResponse

from flexchat.api import ApiModel, ChatRequest, ChatResponse, ModelList, ToolList
from flexchat.deadline import Deadline
from flexchat.http_api.api import Door, responses
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.caller import Caller, caller_of
from flexchat.http_api.deadline import RequestDeadlines
from flexchat.json import dumps
from flexchat.runs import QUEUED_SECONDS, RUN_SECONDS
from flexchat.tokens import Role
from functions.chat.api.configuration import add_config_routes
from functions.chat.api.errors import http_error
from functions.chat.api.openapi import whole_document
from functions.chat.api.phases import add_phase_routes
from functions.chat.api.runs import ACCEPTED, add_run_routes
from functions.chat.api.sessions import add_session_routes
from functions.chat.api.tool_tests import add_trial_routes
from functions.chat.engine import ChatEngine
from functions.chat.runs.events import own_alias
from functions.chat.runs.headers import idempotency_key, wants_async
from functions.chat.runs.responder import ChatPost, Delivery
from functions.chat.runs.service import Runs
from functions.chat.runs.view import answer_text
from functions.chat.sessions.api import SessionsApi
from functions.chat.trials.quick_tests import QuickTests

STORE_SECONDS = 20.0
"""Time enough for every table, and with the reading of the configuration before it still below the API's limit."""


class Health(ApiModel):
    """The service can run code. It says nothing about the models behind it."""

    status: str = "ok"


class CallerView(ApiModel):
    """Whose token sent the request, and what it may do; `operator` includes all that `user` may."""

    principal: str
    roles: tuple[Role, ...]


DOCUMENT: OpenAPIResponse = {
    "description": "The OpenAPI 3.1 document",
    "content": {"application/json": {"schema": {"type": "object"}}},
}

CHAT_ERRORS = (400, 401, 403, 409, 410, 413, 415, 422, 429, 500, 502, 503, 504)


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What the routes of a stage open to; each is made when it is first asked for."""

    stage: str
    engine: Callable[[], ChatEngine]
    sessions: Callable[[], SessionsApi]
    runs: Callable[[], Runs]
    delivery: Callable[[], Delivery]
    tests: Callable[[], QuickTests]


class HttpDoor:
    """Answers REST API events."""

    def __init__(
        self,
        services: Services,
        *,
        allowed_origins: tuple[str, ...] = (),
        deadlines: RequestDeadlines | None = None,
    ) -> None:
        self._services = services
        body = BodyLimit('{"message": "Hello"}')
        self._door = Door(body=body, allowed_origins=allowed_origins, tell=http_error, deadlines=deadlines)
        self._add_routes()
        add_phase_routes(self._door, trials=lambda: services.engine().trials())
        add_config_routes(
            self._door,
            runtime=lambda: services.engine().runtime(),
            stage=services.stage,
            deadline=self._soon,
        )
        add_trial_routes(self._door, tests=services.tests, caller=self._caller, deadline=self._door.deadline)
        add_session_routes(self._door, services.sessions, caller=self._caller, deadline=self._soon)
        add_run_routes(self._door, runs=services.runs, caller=self._caller, deadline=self._soon)

    def resolve(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """The API Gateway response to one REST API proxy event."""
        return self._door.resolve(event, context)

    def _soon(self) -> Deadline:
        """When a request that only asks the tables must be answered, the configuration's time aside."""
        return self._door.deadline(at_most=STORE_SECONDS)

    def _caller(self) -> Caller:
        """Who sent the request that is being answered."""
        return caller_of(self._door.routes.current_event.raw_event)

    def _add_routes(self) -> None:
        door = self._door

        @door.route(
            "POST",
            "/api/chat",
            role="user",
            summary="Answer a message",
            description=(
                "With `Prefer: respond-async` the answer is made in the background: 202, and `Location` says where. "
                "With an `Idempotency-Key` a repeated request gets the first one's answer."
            ),
            tags=["chat"],
            responses={**responses(ChatResponse, errors=CHAT_ERRORS), **ACCEPTED},
        )
        def chat(request: Annotated[ChatRequest, Body()]) -> Response[Any]:  # pyright: ignore[reportUnusedFunction]
            return self._chat(request)

        @door.route(
            "GET",
            "/api/tools/list",
            role="user",
            summary="List the tools",
            tags=["tools"],
            responses=responses(ToolList),
        )
        def list_tools() -> ToolList:  # pyright: ignore[reportUnusedFunction]
            return self._services.engine().list_tools(door.deadline())

        @door.route(
            "GET",
            "/api/models/list",
            role="user",
            summary="List the models",
            tags=["models"],
            responses=responses(ModelList),
        )
        def list_models() -> ModelList:  # pyright: ignore[reportUnusedFunction]
            return self._services.engine().list_models(door.deadline())

        @door.route(
            "POST",
            "/api/connections/llm/discovery/models",
            role="user",
            summary="List the models, under an older name",
            tags=["models"],
            responses=responses(ModelList),
        )
        def discover_models() -> ModelList:  # pyright: ignore[reportUnusedFunction]
            return self._services.engine().list_models(door.deadline())

        @door.route(
            "GET",
            "/api/me",
            role="user",
            summary="Show whose token this is",
            description="The token's id and its roles. A client offers nothing that they do not allow.",
            tags=["service"],
            responses=responses(CallerView, errors=(401, 403, 429, 500)),
        )
        def show_caller() -> CallerView:  # pyright: ignore[reportUnusedFunction]
            caller = self._caller()
            return CallerView(principal=caller.principal, roles=tuple(sorted(caller.roles)))

        @door.route(
            "GET",
            "/api/openapi.json",
            role="user",
            summary="This document",
            tags=["service"],
            responses={**responses(Health, errors=(401, 403, 429, 500)), 200: DOCUMENT},
        )
        def openapi() -> Response[str]:  # pyright: ignore[reportUnusedFunction]
            return Response(HTTPStatus.OK, content_types.APPLICATION_JSON, self.openapi)

        @door.route(
            "GET",
            "/health",
            role=None,
            summary="Is the service up?",
            tags=["service"],
            responses=responses(Health, errors=(429, 500)),
        )
        def health() -> Health:  # pyright: ignore[reportUnusedFunction]
            return Health()

    def _chat(self, request: ChatRequest) -> Response[Any]:
        event, context = self._door.routes.current_event.raw_event, self._door.routes.lambda_context
        caller, request_id = self._caller(), self._door.request_id()

        def answer(deadline: Deadline) -> ChatResponse:
            engine = self._services.engine()
            return engine.run_chat(request, caller=caller, deadline=deadline, request_id=request_id)

        deadline = self._door.deadline()
        if request.deadline_ms is not None:
            deadline = deadline.within(request.deadline_ms / 1000)
        if not (wants_async(event) or idempotency_key(event)):
            return Response(HTTPStatus.OK, content_types.APPLICATION_JSON, answer_text(answer(deadline)))
        post = ChatPost(
            event=event,
            request=request,
            caller=caller,
            request_id=request_id,
            function=own_alias(context.invoked_function_arn),
            deadline=deadline,
            admit=lambda due: self._services.engine().admit(
                request, caller=caller, seconds=QUEUED_SECONDS + RUN_SECONDS, deadline=due
            ),
        )
        delivered = self._services.delivery().deliver(post, answer)
        headers = dict(delivered.headers)
        return Response(delivered.status, content_types.APPLICATION_JSON, delivered.body, headers=headers)

    @cached_property
    def openapi(self) -> str:
        """The OpenAPI 3.1 document of the whole service, true to what is served."""
        document = whole_document(self._door.document())
        document["paths"]["/health"]["get"]["security"] = []
        return dumps(document)
