"""HTTP API of the chat function."""

from typing import Any

from flexchat.config.access import rights_of
from flexchat.config.models.roles import Right
from flexchat.http_api.api import ApiRouter, HttpApi
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.caller import Caller
from flexchat.http_api.errors import ErrorText, HttpError
from functions.chat.api import chat, runs, service
from functions.chat.api.services import ChatServices
from functions.chat.errors import to_http_error

ROUTERS = (chat.router, service.router, runs.router)


def operation_routers() -> tuple[ApiRouter[Any], ...]:
    """Return the routers of `Operations` and of the MCP server. Their import builds a third of the models of the
    API."""
    from functions.chat.api import files, inspection, mcp, openai, sessions, shares

    return tuple(module.router for module in (inspection, sessions, shares, files, mcp, openai))


class ChatApi(HttpApi[ChatServices]):
    """Chats, sessions, runs, listings and the operator's views of the configuration."""

    routers = ROUTERS
    body = BodyLimit('{"message": "Hello"}')
    slash_parameter = ("/v1/models/{model+}", "model")

    def normalized(self, event: dict[str, Any]) -> dict[str, Any]:
        """Return an event below /v1 without double and last slashes: a base URL may end with a slash."""
        path = str(event.get("path", ""))
        plain = "/" + "/".join(filter(None, path.split("/")))
        if plain == path or not path.startswith("/v1/"):
            return event
        model = plain.removeprefix("/v1/models/")
        if model == plain:
            return {**event, "path": plain}
        return {**event, "path": plain, "resource": "/v1/models/{model+}", "pathParameters": {"model": model}}

    def rights(self, caller: Caller) -> frozenset[Right]:
        runtime = self._services.runtimes.current()
        return rights_of(caller, runtime.catalog.configuration.roles).may

    def later_routers(self) -> tuple[ApiRouter[Any], ...]:
        return operation_routers()

    def to_http_error(self, error: Exception, request_id: str) -> HttpError:
        return to_http_error(error, request_id)

    def error_text(self, error: Exception, found: HttpError, path: str) -> ErrorText:
        """Return an error in OpenAI's envelope for its routes, and for unknown ones beside them."""
        if not path.startswith("/v1/"):
            return super().error_text(error, found, path)
        from functions.chat.openai_api.errors import error_text

        return error_text(error, found)
