"""The seam between the executor and wherever tools run."""

from collections.abc import Collection
from typing import Protocol

from flexchat.tools import CallTool, ToolReply


class ToolInvoker(Protocol):
    """Carries one call to the Lambda of a tool type, exactly once."""

    @property
    def types(self) -> Collection[str]:
        """The tool types that can be reached."""
        ...

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        """The tool's reply; raises ToolError when the tool cannot be reached or answers nonsense."""
        ...
