"""Services that the routes of the chat function use."""

from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol

from flexchat.http_api.api import ApiRouter
from functions.chat.chat_limits import ChatLimits
from functions.chat.engine import ChatEngine
from functions.chat.files.services import FileServices
from functions.chat.runs.responder import ChatResponder
from functions.chat.runs.service import Runs
from functions.chat.runtime import RuntimeCache
from functions.chat.tracing.sender import TraceSender

if TYPE_CHECKING:
    from functions.chat.api.operations import Operations
    from functions.chat.mcp_server.server import McpServer
    from functions.chat.openai_api.background import BackgroundResponses
    from functions.chat.openai_api.embeddings import Embeddings
    from functions.chat.openai_api.responses import Responses
    from functions.chat.runs.approvals import Approvals
    from functions.chat.streaming.chats import ChatStreams

STORE_SECONDS = 20.0
"""Limit of a request that only uses tables; with the reading of the configuration it is below the API's limit."""


EVENT_CONTENT: Final = {"text/event-stream": {"schema": {"$ref": "#/components/schemas/ChatEvents"}}}
"""Documented content of a response of server-sent events."""


class ChatServices(Protocol):
    """Services of one environment, each created on first use."""

    @cached_property
    def engine(self) -> ChatEngine: ...

    @cached_property
    def traces(self) -> TraceSender: ...

    @cached_property
    def runtimes(self) -> RuntimeCache: ...

    @cached_property
    def limits(self) -> ChatLimits: ...

    @cached_property
    def runs(self) -> Runs: ...

    @property
    def runs_function(self) -> str: ...

    @cached_property
    def approvals(self) -> "Approvals": ...

    @cached_property
    def responder(self) -> ChatResponder: ...

    @cached_property
    def streams(self) -> "ChatStreams": ...

    @cached_property
    def responses(self) -> "Responses": ...

    @cached_property
    def background_responses(self) -> "BackgroundResponses": ...

    @cached_property
    def embeddings(self) -> "Embeddings": ...

    @cached_property
    def files(self) -> FileServices: ...

    @cached_property
    def operations(self) -> "Operations": ...

    @cached_property
    def mcp(self) -> "McpServer": ...


class ChatRouter(ApiRouter[ChatServices]):
    """Routes of the chat function."""
