"""The chat function: chooses the adapters, and which door an event came through."""

import os
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import Json as JsonText
from pydantic import ValidationError

from flexchat.api import ChatRequest
from flexchat.aws.catalog import CatalogSource
from flexchat.aws.clients import lambdas, ssm
from flexchat.aws.lambdas import LambdaInvoker
from flexchat.aws.parameters import ParameterStore
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.http_api.errors import shape_error
from flexchat.observability import logger
from flexchat.settings import Settings, read_environment
from functions.chat.errors import http_error
from functions.chat.pipeline import ChatEngine, CreateProvider
from functions.chat.providers.factory import create_provider
from functions.chat.routes import HttpDoor

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_ssm import SSMClient

LAMBDA_MARGIN_SECONDS = 1.0
"""Kept back from the invocation's own end."""


class ChatSettings(Settings):
    """`FLEXCHAT_TOOL_FUNCTIONS` maps tool types to function names as JSON; `FLEXCHAT_ALLOWED_ORIGINS` is a list
    separated by commas; `FLEXCHAT_CATALOG_TTL_SECONDS` is how long a configuration is served before it is read again.
    """

    stage: str
    tool_functions: JsonText[dict[str, str]]
    allowed_origins: str = ""
    catalog_ttl_seconds: float = 60.0


def create_engine(
    settings: ChatSettings,
    *,
    parameters: "SSMClient",
    functions: "LambdaClient",
    provider: CreateProvider = create_provider,
) -> ChatEngine:
    """The engine on the stage's configuration and tool functions."""
    catalog = CatalogSource(
        store=ParameterStore(parameters),
        stage=settings.stage,
        ttl_seconds=settings.catalog_ttl_seconds,
    )
    invoker = LambdaInvoker(client=functions, functions=settings.tool_functions)
    return ChatEngine(catalog=catalog.current, invoker=invoker, create_provider=provider)


class ChatFunction:
    """The doors of one environment. `engine` is made when the first chat needs it, and kept."""

    def __init__(self, *, engine: Callable[[], ChatEngine], allowed_origins: tuple[str, ...] = ()) -> None:
        self._engine = cache(engine)
        self._context: Any = None
        self._http = HttpDoor(engine=self._engine, limit=self._limit, allowed_origins=allowed_origins)

    def handle(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        self._context = context
        return self._http.resolve(event, context) if "httpMethod" in event else self._direct(event, context)

    def _direct(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """A bare ChatRequest as the event: the answer, or the error envelope, as a plain object."""
        request_id: str = context.aws_request_id
        try:
            request = _parsed(event)
            deadline = self._limit(request.deadline_ms, float("inf"))
            response = self._engine().run_chat(request, deadline=deadline, request_id=request_id)
        except FlexchatError as error:
            return http_error(error, request_id).body.model_dump(mode="json")
        return response.model_dump(mode="json")

    def _limit(self, deadline_ms: int | None, door_seconds: float) -> Deadline:
        """The earliest of the caller's deadline, the door's limit and the end of this invocation."""
        left = self._context.get_remaining_time_in_millis() / 1000 - LAMBDA_MARGIN_SECONDS
        wanted = door_seconds if deadline_ms is None else deadline_ms / 1000
        return Deadline.after(max(0.0, min(wanted, door_seconds, left)))


def _parsed(event: dict[str, Any]) -> ChatRequest:
    try:
        return ChatRequest.model_validate(event)
    except ValidationError as exc:
        raise shape_error(exc.errors(include_url=False)) from exc


@cache
def chat_function() -> ChatFunction:
    settings = read_environment(ChatSettings, os.environ)
    return ChatFunction(
        engine=lambda: create_engine(settings, parameters=ssm(), functions=lambdas()),
        allowed_origins=tuple(filter(None, settings.allowed_origins.split(","))),
    )


@logger.inject_lambda_context(clear_state=True)
def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """Answer a REST API proxy event, or a bare `ChatRequest` sent straight to the function."""
    return chat_function().handle(event, context)
