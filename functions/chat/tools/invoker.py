"""Protocols of the functions that run tools and searches, and the retry of invocations."""

from collections.abc import Callable, Collection
from typing import Protocol

from flexchat.deadline import Deadline
from flexchat.errors import ToolNotStartedError
from flexchat.retry import Retry
from flexchat.search import SearchRequest, SearchResponse
from flexchat.timeouts import time_limit
from flexchat.tools import CallTool, ToolReply

ANSWER_SECONDS = 0.5
"""Time for a response to arrive after the end of the tool, whose function ends a call at its timeout."""

MIN_TOOL_MS = 50
"""Minimum time to start a tool."""


class ToolInvoker(Protocol):
    """Sends one call to the function of a tool type, exactly once."""

    @property
    def types(self) -> Collection[str]:
        """Tool types with a function in this deployment."""
        ...

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        """Return the tool's reply. Raises ToolError for an unreachable tool or an invalid response.

        ToolNotStartedError means that the call provably never began, so that any tool may be called again.
        """
        ...


class SearchInvoker(Protocol):
    """Sends one search to the retrieval function, exactly once."""

    @property
    def can_search(self) -> bool:
        """Return whether this deployment has a retrieval function."""
        ...

    def search(self, request: SearchRequest) -> SearchResponse:
        """Return the response; raises the errors of `ToolInvoker.invoke`."""
        ...


class FunctionInvoker(ToolInvoker, SearchInvoker, Protocol):
    """Sends tool calls and searches to their functions."""


def invoke_until[R](send: Callable[[int], R], timeout_ms: int, *, end: Deadline, retry: Retry) -> R:
    """Return `send(timeout_ms)`, with the timeout cut to the time before `end`.

    An invocation that did not start is sent again while it has time to run. Raises ToolError as `send` does.
    """

    def attempt() -> R:
        left = end.remaining()
        with time_limit(left + ANSWER_SECONDS):
            return send(max(1, min(timeout_ms, int(left * 1000))))

    return retry.run(attempt, transient=ToolNotStartedError, deadline=end, needed=MIN_TOOL_MS / 1000)
