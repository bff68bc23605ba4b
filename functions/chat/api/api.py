"""HTTP API of the chat function."""

from flexchat.http_api.api import HttpApi
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.errors import HttpError
from functions.chat.api import chat, configuration, listings, phases, runs, service, sessions, tool_tests
from functions.chat.api.services import ChatServices
from functions.chat.errors import to_http_error

ROUTERS = tuple(
    module.router for module in (chat, listings, service, phases, configuration, tool_tests, sessions, runs)
)


class ChatApi(HttpApi[ChatServices]):
    """Chats, sessions, runs, listings and the operator's views of the configuration."""

    routers = ROUTERS
    body = BodyLimit('{"message": "Hello"}')

    def to_http_error(self, error: Exception, request_id: str) -> HttpError:
        return to_http_error(error, request_id)
