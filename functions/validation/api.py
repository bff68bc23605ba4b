"""HTTP API of validation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

from flexchat.http_api.api import Door
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.deadline import RequestDeadlines
from functions.validation.queries import Progress
from functions.validation.routes import add_routes
from functions.validation.run_starter import Starter
from functions.validation.suite_routes import add_suite_routes
from functions.validation.suites import Suites

_MODEL = "/api/tools/validate/{model}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What the routes open to, each made on the first request that needs it."""

    progress: Callable[[], Progress]
    starter: Callable[[], Starter]
    suites: Callable[[], Suites]


class ValidationDoor:
    """Answers REST API events."""

    def __init__(
        self,
        services: Services,
        *,
        allowed_origins: tuple[str, ...] = (),
        deadlines: RequestDeadlines | None = None,
    ) -> None:
        body = BodyLimit('{"model": "openai:gpt-5"}')
        self._door = Door(body=body, allowed_origins=allowed_origins, deadlines=deadlines)
        add_routes(self._door, progress=services.progress, starter=services.starter, deadline=self._door.deadline)
        add_suite_routes(self._door, suites=services.suites, deadline=self._door.deadline)

    def resolve(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """The API Gateway response to one REST API proxy event."""
        return self._door.resolve(_with_whole_model(event), context)

    def document(self) -> dict[str, Any]:
        """The OpenAPI document of these routes."""
        return self._door.document()


def _with_whole_model(event: dict[str, Any]) -> dict[str, Any]:
    """The event with its model as one step of the path: names may have slashes, which some gateways decode."""
    if event.get("resource") != _MODEL:
        return event
    parameters: Mapping[str, str] = event.get("pathParameters") or {}
    return {**event, "path": f"/api/tools/validate/{quote(unquote(parameters.get('model', '')), safe='')}"}
