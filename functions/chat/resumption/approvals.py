"""Chats that wait for the approval of tool calls: their records, and their stored state until a run continues them."""

import json
from collections.abc import Callable, Mapping
from copy import replace
from datetime import UTC, datetime
from typing import Any, Literal, Protocol, Self

from msgspec import Struct, field

from flexchat.api.approvals import ApprovalCallView, ApprovalView
from flexchat.config.model_names import ModelName
from flexchat.deadline import Clock, Deadline
from flexchat.http_api.caller import Caller
from flexchat.messages import Json
from functions.chat.generation.checkpoint import PendingIteration
from functions.chat.generation.model_calls import NO_OVERRIDES, ChatOverrides
from functions.chat.providers.base import ResponseFormat
from functions.chat.resumption.tokens import ChatState, StateStore
from functions.chat.tools.approvals import CallDecision, RequestedCall

RETAINED_SECONDS = 86_400
"""Lifetime of a record and a state after the last moment of a decision: a run that starts then reads them."""

type ApprovalStatus = Literal["pending", "decided", "expired"]


class Approval(Struct, frozen=True):
    """Record of the calls of one chat that wait, with the decisions on them by the ids of the calls.

    `owner` is the principal of the chat, `roles` are its roles. A decision is possible before `expires_at`; `run` is
    the run that continues the chat. Times are seconds since the epoch.
    """

    id: str
    owner: str
    roles: tuple[str, ...]
    created_at: float
    expires_at: float
    calls: tuple[RequestedCall, ...]
    session_id: str | None = None
    decisions: Mapping[str, CallDecision] = field(default_factory=dict[str, CallDecision])
    run: str | None = None

    @property
    def is_decided(self) -> bool:
        return all(call.call_id in self.decisions for call in self.calls)

    @property
    def caller(self) -> Caller:
        """Caller of the chat, with the roles that it had then."""
        return Caller(self.owner, frozenset(self.roles))

    @property
    def approver_roles(self) -> frozenset[str]:
        return frozenset(role for call in self.calls for role in call.approvers)

    def status(self, now: float) -> ApprovalStatus:
        if self.is_decided:
            return "decided"
        return "pending" if now < self.expires_at else "expired"

    def is_visible_to(self, caller: Caller) -> bool:
        """Return whether this is the caller's chat, or one with a call that the caller's roles decide."""
        return caller.principal == self.owner or any(may_decide(caller, call, self.owner) for call in self.calls)

    def view(self, caller: Caller, now: float) -> ApprovalView:
        """Return the record as `caller` sees it: to another person, only the calls that their roles decide."""
        owns = caller.principal == self.owner
        shown = [call for call in self.calls if owns or may_decide(caller, call, self.owner)]
        return ApprovalView(
            id=self.id,
            status=self.status(now),
            created_at=_moment(self.created_at),
            expires_at=_moment(self.expires_at),
            calls=tuple(_call_view(call, self.decisions.get(call.call_id)) for call in shown),
            session_id=self.session_id if owns else None,
            run_id=self.run,
        )


def may_decide(caller: Caller, call: RequestedCall, owner: str) -> bool:
    """Return whether `caller` may decide a call of a chat of `owner`."""
    return caller.has_one_of(call.approvers) if call.approvers else caller.principal == owner


def _call_view(call: RequestedCall, decision: CallDecision | None) -> ApprovalCallView:
    return ApprovalCallView(
        call_id=call.call_id,
        tool=call.tool,
        arguments=call.arguments,
        digest=call.digest,
        approvers=call.approvers,
        is_tainted=call.is_tainted or None,
        decision=None if decision is None else "approved" if decision.approved else "denied",
        decided_by=None if decision is None else decision.by,
        reason=(decision.reason or None) if decision is not None else None,
    )


class ApprovalRecords(Protocol):
    """Storage of records, such as an `ApprovalStore`."""

    def add(self, approval: Approval, *, deadline: Deadline) -> None: ...


class ApprovedChat(Struct, frozen=True):
    """State of a chat before its `pending` iteration, with the settings of its front end."""

    state: ChatState
    pending: PendingIteration
    settings: ChatOverrides = NO_OVERRIDES

    def decided(self, decisions: Mapping[str, CallDecision]) -> ChatState:
        """Return the state with the decisions on the calls of its pending iteration."""
        return replace(self.state, pending=replace(self.pending, decisions=decisions))

    def as_bytes(self) -> bytes:
        content = {
            "state": self.state.as_json(),
            "pending": self.pending.as_json(),
            "settings": _settings_json(self.settings),
        }
        return json.dumps(content, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """Parse the output of `as_bytes`. Raises ValueError for another version."""
        stored = json.loads(content)
        return cls(
            ChatState.from_json(stored["state"]),
            PendingIteration.from_json(stored["pending"]),
            _settings_of(stored["settings"]),
        )


_PLAIN = ("rule", "instructions", "temperature", "max_tokens", "top_p", "reasoning_effort")


def _settings_json(settings: ChatOverrides) -> dict[str, Json]:
    """Return the settings that the rest of the chat needs: not the client's tools, which nobody would run."""
    kept: dict[str, Json] = {name: getattr(settings, name) for name in _PLAIN}
    kept["stop"] = list(settings.stop)
    if settings.model is not None:
        kept["model"] = {"llm": settings.model.llm, "model": settings.model.model}
    if (form := settings.response_format) is not None:
        schema = None if form.schema is None else dict(form.schema)
        kept["response_format"] = {
            "schema": schema,
            "name": form.name,
            "description": form.description,
            "strict": form.strict,
        }
    return kept


def _settings_of(kept: Mapping[str, Any]) -> ChatOverrides:
    return ChatOverrides(
        **{name: kept[name] for name in _PLAIN},
        stop=tuple(kept["stop"]),
        model=ModelName(**kept["model"]) if "model" in kept else None,
        response_format=ResponseFormat(**kept["response_format"]) if "response_format" in kept else None,
    )


class ApprovalRequests:
    """Stores chats that wait for approvals. `clock` returns seconds since the epoch.

    `records` and `states` are called for the first one.
    """

    def __init__(
        self, *, records: Callable[[], ApprovalRecords], states: Callable[[], StateStore], clock: Clock
    ) -> None:
        self._records = records
        self._states = states
        self._clock = clock

    def open(self, id: str, chat: ApprovedChat, *, caller: Caller, seconds: int, deadline: Deadline) -> ApprovalView:
        """Store a chat and the record of its calls, which can be decided for `seconds`; return what the caller sees.

        Raises UnavailableError.
        """
        now = self._clock()
        approval = Approval(
            id=id,
            owner=caller.principal,
            roles=tuple(sorted(caller.roles)),
            created_at=now,
            expires_at=now + seconds,
            calls=chat.pending.approvals,
            session_id=chat.state.session_id,
        )
        expires_at = int(approval.expires_at) + RETAINED_SECONDS
        self._states().put(state_key(approval), chat.as_bytes(), expires_at=expires_at, deadline=deadline)
        self._records().add(approval, deadline=deadline)
        return approval.view(caller, now)


def state_key(approval: Approval) -> str:
    """Return the key of the stored state of a chat."""
    return f"approval/{approval.owner}/{approval.id}"


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, tz=UTC)
