"""Lambda handler of tools of type builtin."""

from flexchat.startup import modules_imported  # first: it turns garbage collection off

# isort: split
from flexchat.messages import Json
from flexchat.snapstart import before_snapshot
from flexchat.tool_runtime import tool_handler
from flexchat.tools import CallTool
from functions.tools.builtin.handlers import HANDLERS, handler_named
from functions.tools.builtin.implementation import Implementation


def run(call: CallTool, implementation: Implementation) -> Json:
    """Run the handler of a tool with the call's arguments."""
    return handler_named(implementation.handler)(call.arguments)


def load(implementation: Implementation) -> None:
    """Import the handler of a tool."""
    handler_named(implementation.handler)


lambda_handler = tool_handler(Implementation, run, preload=load)


def prepare() -> None:
    """Import every handler before a snapshot."""
    for name in HANDLERS:
        handler_named(name)


before_snapshot(prepare)
modules_imported()
