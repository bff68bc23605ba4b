"""Tool calls that wait for the approval of a person, and the decisions on them."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, SkipValidation

from flexchat.api.base import ApiModel, Optional
from flexchat.messages import Json

MAX_REASON_CHARACTERS = 500


class ApprovalCallView(ApiModel):
    """A tool call that waits, or that a person has decided on.

    `arguments` are those that the tool receives. `digest` stands for the call, its arguments and the tool's definition:
    a decision names it, and an approved call whose tool changed meanwhile does not run. `approvers` are the roles of
    which a person must have one to decide; without them the caller of the chat decides. `is_tainted` warns of a
    conversation that has read private data and untrusted content, whose instructions may be behind the call.
    `decided_by` is a principal.
    """

    call_id: str
    tool: str
    arguments: SkipValidation[dict[str, Json]]
    digest: str
    approvers: tuple[str, ...] = ()
    is_tainted: Optional[bool] = None
    decision: Optional[Literal["approved", "denied"]] = None
    decided_by: Optional[str] = None
    reason: Optional[str] = None


class ApprovalView(ApiModel):
    """Calls of one chat that wait for approvals; `id` is that of its run, or of its request where it has none.

    `status` is `decided` once every call has a decision: the run `run_id` then goes on with the chat, and has its
    answer. A call without a decision at `expires_at` never runs. `session_id` is that of the chat, for its caller.
    """

    id: str
    status: Literal["pending", "decided", "expired"]
    created_at: datetime
    expires_at: datetime
    calls: tuple[ApprovalCallView, ...]
    session_id: Optional[str] = None
    run_id: Optional[str] = None


class CallDecisionRequest(ApiModel):
    """Decision on one call: `digest` is that of the call as the person saw it. The model receives the `reason`."""

    call_id: Annotated[str, Field(min_length=1, max_length=512)]
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    approve: bool
    reason: Annotated[str, Field(max_length=MAX_REASON_CHARACTERS)] = ""


class ApprovalDecisionsRequest(ApiModel):
    """Decisions on calls of one chat."""

    decisions: Annotated[tuple[CallDecisionRequest, ...], Field(min_length=1, max_length=100)]


class ApprovalListView(ApiModel):
    """Approvals that wait for the caller, the oldest first, at most 50: of their own chats, and for their roles."""

    approvals: tuple[ApprovalView, ...]
