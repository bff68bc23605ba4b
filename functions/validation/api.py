"""HTTP API of validation."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from flexchat.http_api.api import HttpApi
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.deadline import RequestDeadlines
from functions.validation import routes, suite_routes
from functions.validation.services import ValidationServices

ROUTERS = (routes.router, suite_routes.router)

_MODEL = "/api/tools/validate/{model}"


class ValidationApi(HttpApi[ValidationServices]):
    """Statuses of models, validation runs and suites."""

    def __init__(
        self,
        services: ValidationServices,
        *,
        allowed_origins: tuple[str, ...] = (),
        deadlines: RequestDeadlines | None = None,
    ) -> None:
        super().__init__(
            services,
            ROUTERS,
            body=BodyLimit('{"model": "openai:gpt-5"}'),
            allowed_origins=allowed_origins,
            deadlines=deadlines,
        )

    def resolve(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        return super().resolve(_with_whole_model(event), context)


def _with_whole_model(event: dict[str, Any]) -> dict[str, Any]:
    """Return the event with its model as one path segment: names may contain slashes, which some gateways decode."""
    if event.get("resource") != _MODEL:
        return event
    parameters: Mapping[str, str] = event.get("pathParameters") or {}
    return {**event, "path": f"/api/tools/validate/{quote(unquote(parameters.get('model', '')), safe='')}"}
