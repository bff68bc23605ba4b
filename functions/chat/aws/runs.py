"""The runs in the chats table: one item for a run, one for each of its steps that has ended.

Every change of a run names the state it begins from, so that of two writers one finds the run no longer as it was.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from flexchat.aws.dynamodb import with_deadline
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.runs import LEASE_SECONDS, QUEUED_SECONDS, Run, RunKey, RunStatus

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, WriteRequestUnionTypeDef

    type Values = dict[str, AttributeValueTypeDef]

_BATCH = 25
"""The most that DynamoDB writes at once."""

_BATCH_ATTEMPTS = 8

_RUN = "RUN"
_STEP = "STEP#"
_HELD = "#status = :running AND #worker = :holder"


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run with its steps in the order they ended, each the JSON text that it was written as."""

    run: Run
    steps: tuple[str, ...]


class RunStore:
    """Runs in one DynamoDB table.

    Every method raises UnavailableError when the table does not answer before the deadline, and ConfigError when the
    operator must do something first. A change returns the run as it is then, or None when it was not in the state that
    the change begins from.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def add(self, run: Run, *, deadline: Deadline) -> None:
        """Keep a new run. An id that is taken is refused, never overwritten: that too is UnavailableError."""
        self._write(
            deadline,
            lambda: self._client.put_item(
                TableName=self._table, Item=_to_item(run), ConditionExpression="attribute_not_exists(pk)"
            ),
        )

    def read(self, key: RunKey, *, now: float, deadline: Deadline) -> StoredRun | None:
        """A run with its steps; None when there is none, or it expired before `now`."""
        items = with_deadline(deadline, "read a run from", self._table, lambda: self._items(key))
        head = next((item for item in items if item["sk"]["S"] == _RUN), None)
        if head is None or int(head["expires_at"]["N"]) <= now:
            return None
        steps = (item["step"]["S"] for item in items if item["sk"]["S"].startswith(_STEP))
        return StoredRun(_from_item(key, head), tuple(steps))

    def claim(self, key: RunKey, *, worker: str, now: float, seconds: float, deadline: Deadline) -> Run | None:
        """Take a queued run for `worker`, who has `seconds` for it; an earlier deadline of the caller's stays.

        Whoever has it already takes it again: the answer to the first attempt may have been lost on its way.
        """
        return self._change(
            key,
            when=f"#status = :queued OR ({_HELD})",
            values={":queued": {"S": "queued"}, ":due": _number(now + seconds), **_holder(worker)},
            changes={
                "status": {"S": "running"},
                "worker": {"S": worker},
                "started_at": _number(now),
                "lease_until": _number(now + LEASE_SECONDS),
            },
            also="deadline_at = if_not_exists(deadline_at, :due)",
            deadline=deadline,
        )

    def renew(self, key: RunKey, *, worker: str, now: float, deadline: Deadline) -> Run | None:
        """Say that `worker` is still at it."""
        return self._change_of(worker, key, {"lease_until": _number(now + LEASE_SECONDS)}, deadline)

    def add_steps(self, run: Run, steps: Sequence[str], *, first: int, deadline: Deadline) -> None:
        """Keep steps of a run as JSON texts; `first` is the number of the first one, from 0, in the order of their end.
        Written again, each stays one step."""
        items = [self._step_item(run, number, step) for number, step in enumerate(steps, first)]
        for start in range(0, len(items), _BATCH):
            self._put(items[start : start + _BATCH], deadline)

    def _step_item(self, run: Run, number: int, step: str) -> "Values":
        return {
            **_key(run.key, f"{_STEP}{number:04}"),
            "step": {"S": step},
            "expires_at": {"N": str(run.expires_at)},
        }

    def _put(self, items: "Sequence[Values]", deadline: Deadline) -> None:
        if len(items) == 1:
            self._write(deadline, lambda: self._client.put_item(TableName=self._table, Item=items[0]))
            return
        left: list[WriteRequestUnionTypeDef] = [{"PutRequest": {"Item": item}} for item in items]
        for _ in range(_BATCH_ATTEMPTS):
            requests = {self._table: left}
            answer = self._write(
                deadline, lambda requests=requests: self._client.batch_write_item(RequestItems=requests)
            )
            left = [*answer.get("UnprocessedItems", {}).get(self._table, [])]
            if not left:
                return
        raise UnavailableError(f"could not write a run to table {self._table!r}: DynamoDB takes no steps")

    def succeed(self, key: RunKey, *, worker: str, answer: str, now: float, deadline: Deadline) -> Run | None:
        """End a run that `worker` has the answer of, the blob `answer`."""
        changes: Values = {"answer": {"S": answer}, **_ended("succeeded", now)}
        return self._change_of(worker, key, changes, deadline)

    def fail(self, key: RunKey, *, worker: str, failure: str, now: float, deadline: Deadline) -> Run | None:
        """End a run that failed while `worker` was at it."""
        return self._change_of(worker, key, _failed(failure, now), deadline)

    def fail_queued(self, key: RunKey, *, failure: str, now: float, deadline: Deadline) -> Run | None:
        """End a run that nobody has begun."""
        return self._change(
            key,
            when="#status = :queued",
            values={":queued": {"S": "queued"}},
            changes=_failed(failure, now),
            deadline=deadline,
        )

    def fail_lost(self, key: RunKey, *, failure: str, now: float, deadline: Deadline) -> Run | None:
        """End a run that nobody is at work on any more."""
        return self._change(
            key,
            when="(#status = :running AND lease_until <= :now) OR (#status = :queued AND created_at <= :too_old)",
            values={
                ":running": {"S": "running"},
                ":queued": {"S": "queued"},
                ":now": _number(now),
                ":too_old": _number(now - QUEUED_SECONDS),
            },
            changes=_failed(failure, now),
            deadline=deadline,
        )

    def cancel(self, key: RunKey, *, now: float, deadline: Deadline) -> Run | None:
        """End a run that has not ended, at its caller's wish."""
        return self._change(
            key,
            when="#status IN (:queued, :running)",
            values={":queued": {"S": "queued"}, ":running": {"S": "running"}},
            changes=_ended("cancelled", now),
            deadline=deadline,
        )

    def _change_of(self, worker: str, key: RunKey, changes: "Values", deadline: Deadline) -> Run | None:
        """A change that only whoever holds the run may make."""
        return self._change(
            key,
            when=_HELD,
            values=_holder(worker),
            changes=changes,
            deadline=deadline,
        )

    def _change(
        self, key: RunKey, *, when: str, values: "Values", changes: "Values", deadline: Deadline, also: str = ""
    ) -> Run | None:
        settings = [f"#{name} = :new_{name}" for name in changes] + ([also] if also else [])
        names = {f"#{name}": name for name in (*changes, "status")} | (
            {"#worker": "worker"} if "#worker" in when else {}
        )

        def update() -> Run | None:
            try:
                answer = self._client.update_item(
                    TableName=self._table,
                    Key=_key(key, _RUN),
                    UpdateExpression="SET " + ", ".join(settings),
                    ConditionExpression=when,
                    ExpressionAttributeNames=names,
                    ExpressionAttributeValues=values | {f":new_{name}": value for name, value in changes.items()},
                    ReturnValues="ALL_NEW",
                )
            except ClientError as exc:
                if exc.response.get("Error", {}).get("Code") == "ConditionalCheckFailedException":
                    return None
                raise
            return _from_item(key, answer["Attributes"])

        return self._write(deadline, update)

    def _write[T](self, deadline: Deadline, call: Callable[[], T]) -> T:
        return with_deadline(deadline, "write a run to", self._table, call)

    def _items(self, key: RunKey) -> list[Mapping[str, Any]]:
        pages = self._client.get_paginator("query").paginate(
            TableName=self._table,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": _key(key, _RUN)["pk"]},
            ConsistentRead=True,
        )
        return [item for page in pages for item in page["Items"]]


def _holder(worker: str) -> "Values":
    return {":running": {"S": "running"}, ":holder": {"S": worker}}


def _ended(status: RunStatus, now: float) -> "Values":
    return {"status": {"S": status}, "finished_at": _number(now)}


def _failed(failure: str, now: float) -> "Values":
    return {"failure": {"S": failure}, **_ended("failed", now)}


def _key(key: RunKey, sort_key: str) -> "Values":
    return {"pk": {"S": f"R#{key.principal}#{key.id}"}, "sk": {"S": sort_key}}


def _number(seconds: float) -> "AttributeValueTypeDef":
    return {"N": f"{seconds:.6f}"}


def _to_item(run: Run) -> "Values":
    """The item of a new run."""
    item: Values = {
        **_key(run.key, _RUN),
        "status": {"S": run.status},
        "request": {"S": run.request},
        "request_id": {"S": run.request_id},
        "created_at": _number(run.created_at),
        "expires_at": {"N": str(run.expires_at)},
    }
    return item if run.deadline_at is None else item | {"deadline_at": _number(run.deadline_at)}


def _from_item(key: RunKey, item: Mapping[str, Any]) -> Run:
    return Run(
        key=key,
        status=item["status"]["S"],
        request=item["request"]["S"],
        request_id=item["request_id"]["S"],
        created_at=float(item["created_at"]["N"]),
        expires_at=int(item["expires_at"]["N"]),
        deadline_at=_seconds(item, "deadline_at"),
        started_at=_seconds(item, "started_at"),
        finished_at=_seconds(item, "finished_at"),
        worker=_text(item, "worker"),
        lease_until=_seconds(item, "lease_until"),
        answer=_text(item, "answer"),
        failure=_text(item, "failure"),
    )


def _text(item: Mapping[str, Any], name: str) -> str | None:
    return item[name]["S"] if name in item else None


def _seconds(item: Mapping[str, Any], name: str) -> float | None:
    return float(item[name]["N"]) if name in item else None
