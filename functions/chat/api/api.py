"""HTTP API of the chat function."""

from typing import Any

from flexchat.http_api.api import HttpApi
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.errors import HttpError
from flexchat.http_api.router import ApiRouter
from functions.chat.api import chat, runs, service
from functions.chat.api.services import ChatServices
from functions.chat.errors import to_http_error

ROUTERS = (chat.router, service.router, runs.router)


def operation_routers() -> tuple[ApiRouter[Any], ...]:
    """Return the routers of `Operations` and of the MCP server. Their import builds a third of the models of the
    API."""
    from functions.chat.api import configuration, listings, mcp, phases, sessions, tool_tests

    return tuple(module.router for module in (listings, phases, configuration, tool_tests, sessions, mcp))


class ChatApi(HttpApi[ChatServices]):
    """Chats, sessions, runs, listings and the operator's views of the configuration."""

    routers = ROUTERS
    body = BodyLimit('{"message": "Hello"}')

    def later_routers(self) -> tuple[ApiRouter[Any], ...]:
        return operation_routers()

    def to_http_error(self, error: Exception, request_id: str) -> HttpError:
        return to_http_error(error, request_id)
