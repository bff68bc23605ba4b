"""The seam between the executor and wherever tools run."""

from collections.abc import Collection
from typing import Protocol

from flexchat.deadline import Deadline
from flexchat.errors import ToolNotStartedError
from flexchat.retry import UnstartedRetry
from flexchat.timeouts import time_limit
from flexchat.tools import CallTool, ToolReply

ANSWER_SECONDS = 0.5
"""The time that an answer needs to arrive after the tool's end: the tool Lambda ends a call at its timeout."""

MIN_TOOL_MS = 50
"""With less time than this left, a tool is not started."""


class ToolInvoker(Protocol):
    """Carries one call to the Lambda of a tool type, exactly once."""

    @property
    def types(self) -> Collection[str]:
        """The tool types that can be reached."""
        ...

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        """The tool's reply; raises ToolError when the tool cannot be reached or answers nonsense.

        ToolNotStartedError, when the call provably never began, is the one error after which any tool may be called
        again.
        """
        ...


def invoke_until(
    invoker: ToolInvoker, tool_type: str, call: CallTool, *, end: Deadline, retry: UnstartedRetry
) -> ToolReply:
    """Invoke a tool, again as long as it was not started and has time to run before `end`.

    Its timeout is cut to what is left before `end`. Raises ToolError as the invoker does.
    """

    def send() -> ToolReply:
        timeout_ms = max(1, min(call.timeout_ms, end.remaining_ms()))
        with time_limit(end.remaining() + ANSWER_SECONDS):
            return invoker.invoke(tool_type, call.model_copy(update={"timeout_ms": timeout_ms}))

    return retry.run(send, never_ran=ToolNotStartedError, end=end, needed=MIN_TOOL_MS / 1000)
