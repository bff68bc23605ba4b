"""Services that the routes of the chat function use."""

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from flexchat.http_api.router import ApiRouter
from functions.chat.engine import ChatEngine
from functions.chat.limits.chat_limits import ChatLimits
from functions.chat.runs.responder import ChatResponder
from functions.chat.runs.service import Runs

if TYPE_CHECKING:
    from functions.chat.api.operations import Operations
    from functions.chat.mcp_server.server import McpServer

STORE_SECONDS = 20.0
"""Limit of a request that only uses tables; with the reading of the configuration it is below the API's limit."""


class ChatServices(Protocol):
    """Services of one environment, each created on first use."""

    @cached_property
    def engine(self) -> ChatEngine: ...

    @cached_property
    def limits(self) -> ChatLimits: ...

    @cached_property
    def runs(self) -> Runs: ...

    @cached_property
    def responder(self) -> ChatResponder: ...

    @cached_property
    def operations(self) -> "Operations": ...

    @cached_property
    def mcp(self) -> "McpServer": ...


class ChatRouter(ApiRouter[ChatServices]):
    """Routes of the chat function."""
