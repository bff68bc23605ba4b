"""HTTP API of the chat function."""

from flexchat.http_api.api import HttpApi
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.deadline import RequestDeadlines
from functions.chat.api import chat, configuration, listings, phases, runs, service, sessions, tool_tests
from functions.chat.api.services import ChatServices
from functions.chat.errors import to_http_error

ROUTERS = tuple(
    module.router for module in (chat, listings, service, phases, configuration, tool_tests, sessions, runs)
)


class ChatApi(HttpApi[ChatServices]):
    """Chats, sessions, runs, listings and the operator's views of the configuration."""

    def __init__(
        self,
        services: ChatServices,
        *,
        allowed_origins: tuple[str, ...] = (),
        deadlines: RequestDeadlines | None = None,
    ) -> None:
        super().__init__(
            services,
            ROUTERS,
            body=BodyLimit('{"message": "Hello"}'),
            allowed_origins=allowed_origins,
            to_http_error=to_http_error,
            deadlines=deadlines,
        )
