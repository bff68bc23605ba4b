"""Decisions on tool calls that wait for an approval, and the start of the run that continues their chat."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Protocol
from uuid import uuid4

from flexchat.api import ChatRequest
from flexchat.api.approvals import ApprovalDecisionsRequest, ApprovalListView, ApprovalView, CallDecisionRequest
from flexchat.aws.blobs import Blobs
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, Problem, RequestError, UnavailableError
from flexchat.http_api.caller import Caller
from flexchat.observability import logger
from flexchat.runs import WallClock
from flexchat.tokens import ROLES
from functions.chat.generation.model_calls import ChatOverrides
from functions.chat.resumption.approvals import Approval, ApprovedChat, may_decide, state_key
from functions.chat.resumption.tokens import ChatState
from functions.chat.runs.service import Runs
from functions.chat.tools.approvals import CallDecision, RequestedCall

NOT_STARTED = ("unavailable", "not_started")
"""Errors of runs that have done nothing."""


class DecidedRecords(Protocol):
    """Storage of records, such as an `ApprovalStore`."""

    def read(self, id: str, *, deadline: Deadline) -> Approval | None: ...

    def listed(self, principal: str, roles: Iterable[str], *, now: float, deadline: Deadline) -> list[Approval]: ...

    def decide(
        self, approval: Approval, call_id: str, decision: CallDecision, *, now: float, deadline: Deadline
    ) -> Approval | None: ...

    def begin(self, approval: Approval, run: str, *, deadline: Deadline) -> Approval | None: ...

    def unlist(self, approval: Approval, *, deadline: Deadline) -> None: ...


class AuditDecision(Protocol):
    """Receiver of decisions, such as `TraceSender.decided`."""

    def __call__(
        self, approval: str, call: RequestedCall, /, *, approved: bool, caller: Caller, request_id: str
    ) -> None: ...


class Approvals:
    """Approvals of the calls of tools, by the caller of a chat and by people with the roles of the tools.

    `audit` receives each decision that is stored. Every method raises UnavailableError when the table does not answer
    before the deadline.
    """

    def __init__(
        self, *, records: DecidedRecords, states: Blobs, runs: Runs, audit: AuditDecision, now: WallClock
    ) -> None:
        self._audit = audit
        self._records = records
        self._states = states
        self._runs = runs
        self._now = now

    def list(self, *, caller: Caller, deadline: Deadline) -> ApprovalListView:
        """Return the approvals that wait for the caller."""
        roles = {*caller.roles, *(role for role in ROLES if caller.has(role))}
        found = self._records.listed(caller.principal, roles, now=self._now(), deadline=deadline)
        return ApprovalListView(
            approvals=tuple(each.view(caller, self._now()) for each in found if each.is_visible_to(caller))
        )

    def get(self, id: str, *, caller: Caller, deadline: Deadline) -> ApprovalView:
        """Return the approval of a chat. Raises RequestError (404) for one that is not the caller's to see."""
        return self._read(id, caller, deadline).view(caller, self._now())

    def decide(
        self,
        id: str,
        request: ApprovalDecisionsRequest,
        *,
        caller: Caller,
        request_id: str,
        function: str,
        deadline: Deadline,
    ) -> ApprovalView:
        """Store decisions, each once, and start the run that continues the chat after the last one.

        `function` is the ARN that runs are invoked by. All decisions are checked before the first is stored; the same
        request may be sent again. Raises RequestError: 404 for an approval that is not the caller's to see, 400 for a
        call that does not wait, 403 for one that needs another role, 409 for another digest and for a call with another
        decision, 410 after the time of decisions; UnavailableError when Lambda does not accept the run: the decisions
        are stored then, and the same request starts it.
        """
        approval = self._read(id, caller, deadline)
        for place, each in enumerate(request.decisions):
            _check(approval, each, caller, place)
        for each in request.decisions:
            approval = self._store(approval, each, caller, request_id, deadline)
        if approval.is_decided:
            approval = self._continue(approval, request_id, function, deadline)
        return approval.view(caller, self._now())

    def approved(self, id: str, *, deadline: Deadline) -> tuple[ChatRequest, ChatState, ChatOverrides]:
        """Return the request, the state and the settings of a chat whose calls are decided.

        Raises UnavailableError for one whose state has expired, or is of another version.
        """
        approval = self._records.read(id, deadline=deadline)
        content = (
            None if approval is None else self._states.get(state_key(approval), now=self._now(), deadline=deadline)
        )
        if approval is None or content is None:
            raise UnavailableError(f"the state of the chat {id!r} has expired")
        try:
            chat = ApprovedChat.from_bytes(content)
        except ValueError as error:
            raise UnavailableError(f"the state of the chat {id!r} cannot be read: {error}") from error
        request = ChatRequest(message=chat.state.message, session_id=chat.state.session_id)
        return request, chat.decided(approval.decisions), chat.settings

    def _read(self, id: str, caller: Caller, deadline: Deadline) -> Approval:
        approval = self._records.read(id, deadline=deadline)
        if approval is None or not approval.is_visible_to(caller):
            message = f"no approval {id!r} waits for you; `GET /api/approvals` lists those that do"
            raise RequestError(message, status=HTTPStatus.NOT_FOUND, code="not_found")
        return approval

    def _store(
        self, approval: Approval, wanted: CallDecisionRequest, caller: Caller, request_id: str, deadline: Deadline
    ) -> Approval:
        if _is_repeated(approval, wanted, caller):
            return approval
        now = self._now()
        decision = CallDecision(wanted.approve, caller.principal, now, wanted.reason)
        decided = self._records.decide(approval, wanted.call_id, decision, now=now, deadline=deadline)
        if decided is None:  # another request came first, or the time is over
            approval = self._records.read(approval.id, deadline=deadline) or approval
            if not _is_repeated(approval, wanted, caller):
                raise _decided(wanted.call_id) if wanted.call_id in approval.decisions else _expired(approval)
            return approval
        call = next(each for each in approval.calls if each.call_id == wanted.call_id)
        self._audit(approval.id, call, approved=wanted.approve, caller=caller, request_id=request_id)
        logger.info(
            "tool call decided",
            approval=approval.id,
            call_id=wanted.call_id,
            approved=wanted.approve,
            principal=caller.principal,
        )
        return decided

    def _continue(self, approval: Approval, request_id: str, function: str, deadline: Deadline) -> Approval:
        """Start the run that continues a decided chat, unless it was started."""
        owner = approval.caller
        if approval.run is not None and not self._can_start_again(approval.run, owner, deadline):
            return approval
        begun = self._records.begin(approval, uuid4().hex, deadline=deadline)
        if begun is None or begun.run is None:  # another request starts it
            return self._records.read(approval.id, deadline=deadline) or approval
        self._runs.start_approved(
            begun.run, approval.id, caller=owner, request_id=request_id, function=function, deadline=deadline
        )
        try:
            self._records.unlist(approval, deadline=deadline)
        except FlexchatError as error:
            logger.warning("approval stays listed", approval=approval.id, reason=str(error))
        return begun

    def _can_start_again(self, run_id: str, owner: Caller, deadline: Deadline) -> bool:
        """Return whether the run that was to continue the chat has done nothing and will do nothing."""
        run = self._runs.find(run_id, caller=owner, deadline=deadline)
        return run is None or (run.status == "failed" and self._runs.error_code(run) in NOT_STARTED)


def _check(approval: Approval, wanted: CallDecisionRequest, caller: Caller, place: int) -> None:
    """Raise RequestError for a decision that cannot be taken."""
    call = next((each for each in approval.calls if each.call_id == wanted.call_id), None)
    if call is None:
        names = ", ".join(repr(each.call_id) for each in approval.calls)
        message = f"no call {wanted.call_id!r} waits for an approval; those that do are {names}"
        path = f"decisions[{place}].call_id"
        raise RequestError(message, status=HTTPStatus.BAD_REQUEST, details=(Problem(path, message),))
    if not may_decide(caller, call, approval.owner):
        raise RequestError(_not_yours(call), status=HTTPStatus.FORBIDDEN, code="forbidden")
    if wanted.digest != call.digest:
        message = f"the call {call.call_id!r} is not the one with this digest; look at it again, then decide"
        raise RequestError(message, status=HTTPStatus.CONFLICT, code="approval_mismatch")


def _not_yours(call: RequestedCall) -> str:
    if not call.approvers:
        return f"the call {call.call_id!r} is decided by the person whose chat it is"
    roles = " or ".join(map(repr, call.approvers))
    return f"the call {call.call_id!r} is decided by people with the role {roles}"


def _is_repeated(approval: Approval, wanted: CallDecisionRequest, caller: Caller) -> bool:
    """Return whether the caller has taken the same decision before."""
    decision = approval.decisions.get(wanted.call_id)
    return decision is not None and decision.approved == wanted.approve and decision.by == caller.principal


def _decided(call_id: str) -> RequestError:
    message = f"the call {call_id!r} has a decision; each call is decided once"
    return RequestError(message, status=HTTPStatus.CONFLICT, code="approval_decided")


def _expired(approval: Approval) -> RequestError:
    message = f"the time for decisions on the calls of {approval.id!r} is over; send the message again"
    return RequestError(message, status=HTTPStatus.GONE, code="approval_expired")
