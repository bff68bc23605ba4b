"""Records of approvals in the chats table: one item for the calls of a chat, and one for each list that shows it."""

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from flexchat.aws.dynamodb import Table, Value, Values, decimals
from flexchat.deadline import Deadline
from functions.chat.resumption.approvals import RETAINED_SECONDS, Approval
from functions.chat.tools.approvals import CallDecision, RequestedCall

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_HEAD: Final = "APPROVAL"
MAX_LISTED: Final = 50


class ApprovalStore:
    """Approvals in one DynamoDB table.

    Every method raises UnavailableError when the table does not answer before the deadline, and ConfigError for an
    error that only the operator can correct. A change is conditional, so that of two concurrent ones one succeeds.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = Table(client, table, subject="an approval")

    def add(self, approval: Approval, *, deadline: Deadline) -> None:
        """Store a new record in the lists of those who may decide; an existing id is an UnavailableError."""
        head: dict[str, Value] = {
            "pk": _partition(approval.id),
            "sk": _HEAD,
            "owner": approval.owner,
            "roles": list(approval.roles),
            "created_at": _moment(approval.created_at),
            "due": _moment(approval.expires_at),
            "calls": msgspec.json.encode(approval.calls).decode(),
            "session_id": approval.session_id,
            "expires_at": _expiry(approval),
        }
        self._table.put(head, deadline, if_absent=True)
        for each in _lists(approval):
            listed: dict[str, Value] = {
                "pk": each,
                "sk": _listed(approval),
                "id": approval.id,
                "expires_at": int(approval.expires_at),
            }
            self._table.put(listed, deadline)

    def read(self, id: str, *, deadline: Deadline) -> Approval | None:
        """Return a record; None when there is none."""
        item = self._table.get(_partition(id), _HEAD, deadline)
        return None if item is None else _from_item(id, item)

    def listed(self, principal: str, roles: Iterable[str], *, now: float, deadline: Deadline) -> list[Approval]:
        """Return the pending records of the chats of `principal` and of those that `roles` decide, the oldest first."""
        found: dict[str, str] = {}
        for each in (_of_principal(principal), *map(_of_role, sorted(roles))):
            for item in self._table.query("pk = :pk", {":pk": each}, deadline, page_items=MAX_LISTED):
                found[item["id"]] = item["sk"]
                if len(found) >= 2 * MAX_LISTED:
                    break
        oldest_first = sorted((sort_key, name) for name, sort_key in found.items())
        records = (self.read(name, deadline=deadline) for _, name in oldest_first)
        pending = (record for record in records if record is not None and record.status(now) == "pending")
        return [record for record, _ in zip(pending, range(MAX_LISTED), strict=False)]

    def decide(
        self, approval: Approval, call_id: str, decision: CallDecision, *, now: float, deadline: Deadline
    ) -> Approval | None:
        """Store the decision on a call; None, without effect, when it has one or it is too late."""
        name = f"decision_{_place(approval, call_id)}"
        item = self._table.update(
            _partition(approval.id),
            _HEAD,
            f"SET {name} = :decision",
            {":decision": _decision_json(decision), ":now": _moment(now)},
            deadline,
            condition=f"due > :now AND attribute_not_exists({name})",
        )
        return None if item is None else _from_item(approval.id, item)

    def begin(self, approval: Approval, run: str, *, deadline: Deadline) -> Approval | None:
        """Store the run that continues the chat, in place of that of `approval`; None when another one was stored."""
        earlier: dict[str, Value] = {} if approval.run is None else {":earlier": approval.run}
        item = self._table.update(
            _partition(approval.id),
            _HEAD,
            "SET run = :run",
            {":run": run, **earlier},
            deadline,
            condition="attribute_exists(pk) AND "
            + ("attribute_not_exists(run)" if approval.run is None else "run = :earlier"),
        )
        return None if item is None else _from_item(approval.id, item)

    def unlist(self, approval: Approval, *, deadline: Deadline) -> None:
        """Remove a record from the lists of those that wait."""
        for each in _lists(approval):
            self._table.delete(each, _listed(approval), deadline)


def _lists(approval: Approval) -> list[str]:
    """Return the partitions of the lists with a record; operators decide what any role decides."""
    roles = approval.approver_roles
    return [_of_principal(approval.owner), *map(_of_role, sorted({*roles, "operator"} if roles else ()))]


def _listed(approval: Approval) -> str:
    return f"{approval.created_at:017.6f}#{approval.id}"


def _place(approval: Approval, call_id: str) -> int:
    return [call.call_id for call in approval.calls].index(call_id)


def _partition(id: str) -> str:
    return f"A#{id}"


def _of_principal(principal: str) -> str:
    return f"APPROVALS#P#{principal}"


def _of_role(role: str) -> str:
    return f"APPROVALS#R#{role}"


def _expiry(approval: Approval) -> int:
    return int(approval.expires_at) + RETAINED_SECONDS


def _decision_json(decision: CallDecision) -> Mapping[str, Value]:
    return {
        "approved": decision.approved,
        "by": decision.by,
        "at": _moment(decision.at),
        "reason": decision.reason or None,
    }


def _moment(seconds: float) -> Value:
    return decimals(seconds, 6)


def _from_item(id: str, item: Values) -> Approval:
    calls = msgspec.convert(json.loads(item["calls"]), tuple[RequestedCall, ...])
    stored = {call.call_id: item.get(f"decision_{place}") for place, call in enumerate(calls)}
    return Approval(
        id=id,
        owner=item["owner"],
        roles=tuple(item["roles"]),
        created_at=float(item["created_at"]),
        expires_at=float(item["due"]),
        calls=calls,
        session_id=item.get("session_id"),
        decisions={
            call_id: CallDecision(value["approved"], value["by"], float(value["at"]), value.get("reason", ""))
            for call_id, value in stored.items()
            if value is not None
        },
        run=item.get("run"),
    )
