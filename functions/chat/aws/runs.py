"""Runs in the chats table: one item for a run, one for each of its finished steps.

Every change of a run is conditional on the state it starts from, so that only one of two concurrent writers succeeds.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from flexchat.aws.dynamodb import Table, Value, Values, decimals
from flexchat.deadline import Deadline
from flexchat.runs import LEASE_SECONDS, QUEUED_SECONDS, Run, RunKey, RunStatus
from functions.chat.runs.service import StoredRun

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_RUN = "RUN"
_STEP = "STEP#"
_CANCEL = "CANCEL"
_HELD = "#status = :running AND #worker = :holder"

_QUEUED = {":queued": "queued"}
_RUNNING = {":running": "running"}


class ChatRunStore:
    """Runs in one DynamoDB table.

    Every method raises UnavailableError when the table does not answer before the deadline, and ConfigError for an
    error that only the operator can correct. A change returns the run as it is then, or None when the run was not in
    the state that the change starts from.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = Table(client, table, subject="a run")

    def add(self, run: Run, *, deadline: Deadline) -> None:
        """Store a new run; an existing id is an UnavailableError."""
        item = {
            **_key(run.key, _RUN),
            "status": run.status,
            "request": run.request,
            "request_id": run.request_id,
            "created_at": _moment(run.created_at),
            "expires_at": run.expires_at,
            "deadline_at": _optional(run.deadline_at),
            "started_at": _optional(run.started_at),
            "lease_until": _optional(run.lease_until),
            "worker": run.worker,
            "client_seconds": run.client_seconds,
            "client_until": _optional(run.client_until),
        }
        self._table.put(item, deadline, if_absent=True)

    def read(self, key: RunKey, *, now: float, deadline: Deadline) -> StoredRun | None:
        """Return a run with its steps; None when there is none, or it expired before `now`."""
        items = list(self._table.query("pk = :pk", {":pk": _partition(key)}, deadline))
        head = next((item for item in items if item["sk"] == _RUN), None)
        if head is None or head["expires_at"] <= now:
            return None
        steps = (item["step"] for item in items if item["sk"].startswith(_STEP))
        return StoredRun(_from_item(key, head), tuple(steps))

    def claim(self, key: RunKey, *, worker: str, now: float, seconds: float, deadline: Deadline) -> Run | None:
        """Assign a queued run to `worker` for `seconds`; an earlier deadline of the caller remains.

        The worker that holds the run may claim it again, as the response to its first attempt may have been lost.
        """
        return self._change(
            key,
            {
                "status": "running",
                "worker": worker,
                "started_at": _moment(now),
                "lease_until": _moment(now + LEASE_SECONDS),
            },
            deadline,
            condition=f"#status = :queued OR ({_HELD})",
            values={**_QUEUED, ":due": _moment(now + seconds), **_holder(worker)},
            also=", deadline_at = if_not_exists(deadline_at, :due)",
        )

    def renew(self, key: RunKey, *, worker: str, now: float, deadline: Deadline) -> Run | None:
        """Extend the lease of `worker`."""
        return self._change_held(key, worker, {"lease_until": _moment(now + LEASE_SECONDS)}, deadline)

    def add_steps(self, run: Run, steps: Sequence[str], *, first: int, deadline: Deadline) -> None:
        """Store steps of a run as JSON texts; `first` is the number of the first one, from 0. Idempotent."""
        items = [
            {**_key(run.key, f"{_STEP}{number:04}"), "step": step, "expires_at": run.expires_at}
            for number, step in enumerate(steps, first)
        ]
        if len(items) == 1:
            self._table.put(items[0], deadline)
        else:
            self._table.put_all(items, deadline)

    def head(self, key: RunKey, *, now: float, deadline: Deadline) -> Run | None:
        """Return a run without its steps; None when there is none, or it expired before `now`."""
        item = self._table.get(_partition(key), _RUN, deadline)
        return None if item is None or item["expires_at"] <= now else _from_item(key, item)

    def add_events(self, run: Run, sort_key: str, events: str, *, deadline: Deadline) -> None:
        """Store events of a run in one item. Idempotent."""
        item = {"pk": _events(run.key), "sk": sort_key, "events": events, "expires_at": run.expires_at}
        self._table.put(item, deadline)

    def events(self, key: RunKey, *, first: str, deadline: Deadline) -> Iterator[str]:
        """Return the stored events of a run in order, from the sort key `first` on."""
        items = self._table.query("pk = :pk AND sk >= :first", {":pk": _events(key), ":first": first}, deadline)
        return (item["events"] for item in items)

    def succeed(
        self, key: RunKey, *, worker: str, answer: str, now: float, deadline: Deadline, waits: bool = False
    ) -> Run | None:
        """Finish a run of `worker` with an answer; `answer` is the key of its blob.

        With `waits`, the answer is that of a chat that waits for approvals.
        """
        status: RunStatus = "waiting" if waits else "succeeded"
        return self._change_held(key, worker, {"answer": answer, **_finished(status, now)}, deadline)

    def fail(self, key: RunKey, *, worker: str, failure: str, now: float, deadline: Deadline) -> Run | None:
        """Finish a run of `worker` with an error."""
        return self._change_held(key, worker, {"failure": failure, **_finished("failed", now)}, deadline)

    def fail_queued(self, key: RunKey, *, failure: str, now: float, deadline: Deadline) -> Run | None:
        """Finish a run that no worker has claimed."""
        changes = {"failure": failure, **_finished("failed", now)}
        return self._change(key, changes, deadline, condition="#status = :queued", values=_QUEUED)

    def fail_lost(self, key: RunKey, *, failure: str, now: float, deadline: Deadline) -> Run | None:
        """Finish a run whose lease has passed, or whose event was dropped."""
        return self._change(
            key,
            {"failure": failure, **_finished("failed", now)},
            deadline,
            condition="(#status = :running AND lease_until <= :now) OR (#status = :queued AND created_at <= :too_old)",
            values={**_RUNNING, **_QUEUED, ":now": _moment(now), ":too_old": _moment(now - QUEUED_SECONDS)},
        )

    def cancel(self, key: RunKey, *, now: float, deadline: Deadline) -> Run | None:
        """Finish a run that is queued or running, on request of its caller."""
        changes = _finished("cancelled", now)
        condition = "#status IN (:queued, :running)"
        return self._change(key, changes, deadline, condition=condition, values={**_QUEUED, **_RUNNING})

    def renew_client(self, key: RunKey, *, now: float, deadline: Deadline) -> Run | None:
        """Extend the lease of the client of a run that has one and has not ended."""
        return self._change(
            key,
            {},
            deadline,
            condition="#status IN (:queued, :running) AND attribute_exists(client_seconds)",
            values={**_QUEUED, **_RUNNING, ":now": _moment(now)},
            also="client_until = :now + client_seconds",
        )

    def request_cancel(self, key: RunKey, *, expires_at: int, deadline: Deadline) -> None:
        """Store that the chat of a request without a run is to be cancelled."""
        self._table.put({**_key(key, _CANCEL), "expires_at": expires_at}, deadline)

    def is_cancel_requested(self, key: RunKey, *, deadline: Deadline) -> bool:
        return self._table.get(_partition(key), _CANCEL, deadline) is not None

    def _change_held(self, key: RunKey, worker: str, changes: Mapping[str, Value], deadline: Deadline) -> Run | None:
        """Change a run that `worker` holds."""
        return self._change(key, changes, deadline, condition=_HELD, values=_holder(worker))

    def _change(
        self,
        key: RunKey,
        changes: Mapping[str, Value],
        deadline: Deadline,
        *,
        condition: str,
        values: Mapping[str, Value],
        also: str = "",
    ) -> Run | None:
        worker = {"#worker": "worker"} if "#worker" in condition else {}
        item = self._table.update(
            _partition(key),
            _RUN,
            "SET " + ", ".join(f"#{name} = :new_{name}" for name in changes) + also,
            {**values, **{f":new_{name}": value for name, value in changes.items()}},
            deadline,
            condition=condition,
            names={**{f"#{name}": name for name in (*changes, "status")}, **worker},
        )
        return None if item is None else _from_item(key, item)


def _holder(worker: str) -> dict[str, Value]:
    """Return the values of `_HELD`."""
    return {**_RUNNING, ":holder": worker}


def _finished(status: RunStatus, now: float) -> dict[str, Value]:
    return {"status": status, "finished_at": _moment(now)}


def _partition(key: RunKey) -> str:
    return f"R#{key.principal}#{key.id}"


def _events(key: RunKey) -> str:
    """Return the partition of a run's events, which the run is read without."""
    return f"{_partition(key)}#EVENTS"


def _optional(seconds: float | None) -> Value:
    return None if seconds is None else _moment(seconds)


def _key(key: RunKey, sort_key: str) -> dict[str, Value]:
    return {"pk": _partition(key), "sk": sort_key}


def _moment(seconds: float) -> Value:
    return decimals(seconds, 6)


def _from_item(key: RunKey, item: Values) -> Run:
    return Run(
        key=key,
        status=item["status"],
        request=item["request"],
        request_id=item["request_id"],
        created_at=float(item["created_at"]),
        expires_at=item["expires_at"],
        deadline_at=_seconds(item, "deadline_at"),
        started_at=_seconds(item, "started_at"),
        finished_at=_seconds(item, "finished_at"),
        worker=item.get("worker"),
        lease_until=_seconds(item, "lease_until"),
        answer=item.get("answer"),
        failure=item.get("failure"),
        client_seconds=item.get("client_seconds"),
        client_until=_seconds(item, "client_until"),
    )


def _seconds(item: Values, name: str) -> float | None:
    return float(item[name]) if name in item else None
