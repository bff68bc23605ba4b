"""Tool calls that wait for the approval of a person."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import Struct

from flexchat.config.models.tools import ToolDefinition
from flexchat.tools import ToolFault

_CANONICAL: Final = msgspec.json.Encoder(order="sorted")


class RequestedCall(Struct, frozen=True):
    """Checked call that waits for an approval; `call_id` is that of the model's message.

    `arguments` are those that the tool receives, with the defaults of its schema. `approvers` are the roles of which a
    person must have one to decide; without them the caller of the chat decides. The conversation of a call that
    `is_tainted` has read private data and untrusted content, whose instructions may be behind the call.
    """

    call_id: str
    tool: str
    arguments: dict[str, Any]
    digest: str
    approvers: tuple[str, ...] = ()
    is_tainted: bool = False


class CallDecision(Struct, frozen=True):
    """Decision of a person, the principal `by`, at `at` seconds since the epoch; the model receives the `reason`."""

    approved: bool
    by: str
    at: float
    reason: str = ""


def digest_of(tool: ToolDefinition, call_id: str, arguments: Mapping[str, Any]) -> str:
    """Return what an approval is bound to: the call, its arguments, and all of the tool that decides what they do."""
    bound = (call_id, tool.name, tool.handler, tool.parameters, tool.implementation, dict(arguments))
    return sha256(_CANONICAL.encode(bound)).hexdigest()


def unapproved(tool: ToolDefinition) -> ToolFault:
    """Return the fault of a call that nobody has approved."""
    message = f"Not run: '{tool.name}' runs only after the approval of a person, and this call has none"
    return ToolFault(type="approval_required", message=message, user_message="This action needs an approval.")


def denied(tool: str, decision: CallDecision) -> ToolFault:
    """Return the fault of a call that a person has denied."""
    reason = f": {decision.reason}" if decision.reason else ""
    message = f"Not run: a person denied this call of '{tool}'{reason}. Do not repeat it; continue without its result."
    return ToolFault(type="approval_denied", message=message, user_message="This action was not approved.")
