"""Audit records."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from flexchat.api.base import ApiModel, Optional
from flexchat.messages import Json


class AuditEntry(ApiModel):
    """One event. `outcome` is `intended` before a change, whose result is an entry of its own, and `refused` for a tool
    call that did not run; `reason` is the type of its error.

    `principal` is that of the caller, or the ARN of an AWS identity. `target` is what was changed, approved or
    exported. `details` of a tool call: `call_id`, `duration_ms`, `arguments` (redacted and shortened) and
    `arguments_sha256`.
    """

    id: str
    at: datetime
    kind: Literal["tool_call", "configuration", "token", "approval", "sign_in", "export"]
    action: str
    principal: str
    request_id: str
    outcome: Literal["intended", "succeeded", "failed", "refused"]
    reason: Optional[str] = None
    name: Optional[str] = None
    tool: Optional[str] = None
    target: Optional[str] = None
    front_end: Optional[str] = None
    details: dict[str, Json] = Field(default_factory=dict[str, Json])


class AuditList(ApiModel):
    """Audit records, the newest first; `cursor` continues the list."""

    records: tuple[AuditEntry, ...]
    cursor: Optional[str] = None
