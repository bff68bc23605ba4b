"""Validation runs in DynamoDB: one item for a run, one for each of its models, beside its records.

Every change of a run is conditional on the state it starts from, so that only one of two concurrent writers succeeds.
"""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING
from uuid import uuid4

from msgspec.structs import asdict

from flexchat.aws.dynamodb import Values, to_item
from flexchat.aws.validation.items import ITEMS, MODELS, RUN, Item, read_record, run_model_key, run_partition
from flexchat.aws.validation.table import ValidationTable, live
from flexchat.cursors import make_cursor, read_cursor
from flexchat.deadline import Deadline
from flexchat.runs import WallClock
from flexchat.sessions import timestamp
from flexchat.validation.records import RecordPage, RunCounters
from flexchat.validation.statistics import Decision
from flexchat.validation.views import Budget, RunStatus
from functions.validation.runs import RunModel, RunProgress, ValidationRun
from functions.validation.stores import RunPage

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef


RUNS = "RUNS"
"""The series of all runs in the index."""


def run_item(run: ValidationRun) -> Item:
    """Return the item of a new run, with counters of zero for conditions to compare."""
    return {
        "pk": run_partition(run.id),
        "sk": RUN,
        "series": RUNS,
        "at": f"{timestamp(run.created_at)}#{run.id}",
        "run": run.id,
        "status": run.status,
        "suite": run.suite,
        "models": run.models,
        "repeats": run.repeats,
        "total": run.total,
        "budget": run.budget.model_dump_json(),
        "stop_early": run.stop_early,
        "created_at": float(run.created_at),
        "expires_at": run.expires_at,
        **asdict(RunCounters()),
    }


def run_model_item(run: ValidationRun, model: str) -> Item:
    """Return the item of one model of a new run."""
    return {
        "pk": run_partition(run.id),
        "sk": run_model_key(model),
        "model": model,
        "expires_at": run.expires_at,
        **asdict(RunCounters()),
    }


def read_run(item: Values) -> ValidationRun:
    return ValidationRun(
        id=item["run"],
        suite=item["suite"],
        models=tuple(item["models"]),
        repeats=item["repeats"],
        total=item["total"],
        created_at=float(item["created_at"]),
        expires_at=item["expires_at"],
        budget=Budget.model_validate_json(item["budget"]),
        stop_early=item["stop_early"],
        status=item["status"],
        reason=item.get("reason"),
        started_at=_seconds(item, "started_at"),
        planned_at=_seconds(item, "planned_at"),
        finished_at=_seconds(item, "finished_at"),
        counters=_read_counters(item),
    )


def read_run_model(item: Values) -> RunModel:
    return RunModel(model=item["model"], counters=_read_counters(item), decided=item.get("decided"))


def _read_counters(item: Values) -> RunCounters:
    """Return the counters of an item; items of earlier versions lack the later counters."""
    return RunCounters(**{name: item[name] for name in asdict(RunCounters()) if name in item})


def _seconds(item: Values, name: str) -> float | None:
    return float(item[name]) if name in item else None


_RUNS_SCOPE = "validation-runs"
_UNDER_WAY = "#status IN (:queued, :running)"
_RUNNING = "#status = :running"


class ValidationRunStore:
    """Runs in one DynamoDB table.

    `clock` is the time of expiry and of changes. Every method raises UnavailableError when the table does not answer
    before the deadline, and ConfigError for an error only the operator can correct. A change returns the run as it is
    then, or None when it was not in the state that the change begins from.
    """

    def __init__(
        self,
        client: "DynamoDBClient",
        table: str,
        *,
        clock: WallClock = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._table = ValidationTable(client, table, sleep=sleep)
        self._clock = clock

    def create(self, run: ValidationRun, *, deadline: Deadline) -> bool:
        """Store a new run and its models, at most 99, in one transaction. Return False for an existing id."""
        new = "attribute_not_exists(pk)"
        items = [run_item(run), *(run_model_item(run, model) for model in run.models)]
        writes: list[TransactWriteItemTypeDef] = [
            {"Put": {"TableName": self._table.name, "Item": to_item(item), "ConditionExpression": new}}
            for item in items
        ]
        return not self._table.transact(writes, token=uuid4().hex, deadline=deadline)

    def get(self, run: str, *, deadline: Deadline) -> RunProgress | None:
        """Return a run and its models, read consistently; None when there is none or it has expired."""
        values = {":pk": run_partition(run), ":models": MODELS, ":run": RUN}
        items = list(self._table.query("pk = :pk AND sk BETWEEN :models AND :run", values, deadline))
        if not items or items[-1]["expires_at"] <= self._clock():
            return None
        *of_models, of_run = items
        found = read_run(of_run)
        models = {each.model: each for each in map(read_run_model, of_models)}
        return RunProgress(found, tuple(models[model] for model in found.models))

    def list(self, *, limit: int, cursor: str | None = None, deadline: Deadline) -> RunPage:
        """Return at most `limit` runs, the newest first; a change may appear with a delay.

        Raises RequestError for a cursor that is not one of this listing.
        """
        items, more = self._table.newest_first(
            RUNS,
            limit,
            before=read_cursor(_RUNS_SCOPE, cursor, fields=1)[0] if cursor is not None else None,
            now=self._clock(),
            deadline=deadline,
        )
        return RunPage(tuple(map(read_run, items)), make_cursor(_RUNS_SCOPE, items[-1]["at"]) if more else None)

    def results(self, run: str, *, limit: int, cursor: str | None = None, deadline: Deadline) -> RecordPage:
        """Return at most `limit` records of a run, by model, case and repeat.

        New records of an unfinished run may appear on earlier pages. Raises RequestError for a cursor that is not one
        of this listing.
        """
        scope = f"validation-results\0{run}"
        pk = run_partition(run)
        after = None
        if cursor is not None:
            (sk,) = read_cursor(scope, cursor, fields=1, prefix=ITEMS)
            after = {"pk": pk, "sk": sk}
        items = self._table.query(
            "pk = :pk AND begins_with(sk, :items)",
            {":pk": pk, ":items": ITEMS},
            deadline,
            page_items=limit + 1,
            after=after,
        )
        found, more = live(items, limit, now=self._clock())
        return RecordPage(tuple(map(read_record, found)), make_cursor(scope, found[-1]["sk"]) if more else None)

    def start(self, run: str, *, deadline: Deadline) -> ValidationRun | None:
        """Start a queued run; a running one continues."""
        return self._change(
            run,
            when=_UNDER_WAY,
            changes="#status = :running, started_at = if_not_exists(started_at, :now)",
            values={":queued": "queued", ":running": "running", ":now": self._now()},
            deadline=deadline,
        )

    def mark_planned(self, run: str, *, deadline: Deadline) -> ValidationRun | None:
        """Record that every item of a running run is queued."""
        return self._change(
            run,
            when=_RUNNING,
            changes="planned_at = if_not_exists(planned_at, :now)",
            values={":running": "running", ":now": self._now()},
            deadline=deadline,
        )

    def finish(self, run: str, *, deadline: Deadline) -> ValidationRun | None:
        """Finish a running run with a record of every item; None while records are missing."""
        return self._change(
            run,
            when=f"{_RUNNING} AND #done >= #total",
            changes="#status = :finished, finished_at = :now",
            values={":running": "running", ":finished": "finished", ":now": self._now()},
            names={"#done": "done", "#total": "total"},
            deadline=deadline,
        )

    def stop(self, run: str, *, reason: str, deadline: Deadline) -> ValidationRun | None:
        """Stop a run that has not ended, on request or because its budget is spent."""
        return self._end(run, "stopped", reason, deadline)

    def fail(self, run: str, *, reason: str, deadline: Deadline) -> ValidationRun | None:
        """Fail a run that has not ended."""
        return self._end(run, "failed", reason, deadline)

    def fail_finished(self, run: str, *, reason: str, deadline: Deadline) -> ValidationRun | None:
        """Fail a run that has finished without a result."""
        return self._change(
            run,
            when="#status = :finished",
            changes="#status = :failed, reason = :reason",
            values={":finished": "finished", ":failed": "failed", ":reason": reason},
            deadline=deadline,
        )

    def decide(self, run: str, model: str, decision: Decision, *, deadline: Deadline) -> RunModel | None:
        """Record the decision that ends the tests of a model. None when an earlier decision exists."""
        item = self._table.update(
            run_partition(run),
            run_model_key(model),
            "SET decided = :decision",
            {":decision": decision},
            deadline,
            condition="attribute_exists(pk) AND attribute_not_exists(decided)",
        )
        return read_run_model(item) if item is not None else None

    def _end(self, run: str, status: RunStatus, reason: str, deadline: Deadline) -> ValidationRun | None:
        return self._change(
            run,
            when=_UNDER_WAY,
            changes="#status = :ended, reason = :reason, finished_at = :now",
            values={
                ":queued": "queued",
                ":running": "running",
                ":ended": status,
                ":reason": reason,
                ":now": self._now(),
            },
            deadline=deadline,
        )

    def _change(
        self,
        run: str,
        *,
        when: str,
        changes: str,
        values: Item,
        deadline: Deadline,
        names: dict[str, str] | None = None,
    ) -> ValidationRun | None:
        item = self._table.update(
            run_partition(run),
            RUN,
            f"SET {changes}",
            values,
            deadline,
            condition=when,
            names={"#status": "status", **(names or {})},
        )
        return read_run(item) if item is not None else None

    def _now(self) -> float:
        return float(self._clock())
