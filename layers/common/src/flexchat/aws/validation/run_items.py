"""The items of a run of validation: how they are named, written and read."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from flexchat.api.validation import Budget
from flexchat.aws.validation.items import named, run_partition
from flexchat.sessions import timestamp
from flexchat.validation.records import ValidationRecord
from flexchat.validation.runs import RunCounters, RunModel, ValidationRun

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from flexchat.aws.validation.table import Item

RUN = "RUN"
MODELS = "MODEL#"
RUNS = "RUNS"
"""The series of all runs in the index."""


def run_model_key(model: str) -> str:
    return f"{MODELS}{named(model)}"


def seconds(value: float) -> "AttributeValueTypeDef":
    return {"N": repr(value)}


def counters_of(record: ValidationRecord) -> RunCounters:
    """What one record adds to its run."""
    return RunCounters(
        done=1,
        passed=int(record.result == "passed"),
        failed=int(record.result == "failed"),
        errors=int(record.result == "error"),
        skipped=int(record.result == "skipped"),
        calls=int(record.result != "skipped"),
        input_tokens=record.input_tokens,
        output_tokens=record.output_tokens,
        cost_micros=record.cost_micros or 0,
        demo=int(record.demo),
    )


def run_item(run: ValidationRun) -> "Item":
    """The item of a new run, with counters at nought so that conditions can compare them."""
    return {
        "pk": {"S": run_partition(run.id)},
        "sk": {"S": RUN},
        "series": {"S": RUNS},
        "at": {"S": f"{timestamp(run.created_at)}#{run.id}"},
        "run": {"S": run.id},
        "status": {"S": run.status},
        "suite": {"S": run.suite},
        "models": {"L": [{"S": model} for model in run.models]},
        "repeats": {"N": str(run.repeats)},
        "total": {"N": str(run.total)},
        "budget": {"S": run.budget.model_dump_json()},
        "stop_early": {"BOOL": run.stop_early},
        "created_at": seconds(run.created_at),
        "expires_at": {"N": str(run.expires_at)},
        **_noughts(),
    }


def run_model_item(run: ValidationRun, model: str) -> "Item":
    """The item of one model of a new run."""
    return {
        "pk": {"S": run_partition(run.id)},
        "sk": {"S": run_model_key(model)},
        "model": {"S": model},
        "expires_at": {"N": str(run.expires_at)},
        **_noughts(),
    }


def read_run(item: Mapping[str, Any]) -> ValidationRun:
    return ValidationRun(
        id=item["run"]["S"],
        suite=item["suite"]["S"],
        models=tuple(model["S"] for model in item["models"]["L"]),
        repeats=int(item["repeats"]["N"]),
        total=int(item["total"]["N"]),
        created_at=float(item["created_at"]["N"]),
        expires_at=int(item["expires_at"]["N"]),
        budget=Budget.model_validate_json(item["budget"]["S"]),
        stop_early=item["stop_early"]["BOOL"],
        status=item["status"]["S"],
        reason=item["reason"]["S"] if "reason" in item else None,
        started_at=_moment(item, "started_at"),
        planned_at=_moment(item, "planned_at"),
        finished_at=_moment(item, "finished_at"),
        counters=_read_counters(item),
    )


def read_run_model(item: Mapping[str, Any]) -> RunModel:
    return RunModel(
        model=item["model"]["S"],
        counters=_read_counters(item),
        decided=item["decided"]["S"] if "decided" in item else None,
    )


def _noughts() -> "Item":
    return {name: {"N": "0"} for name in asdict(RunCounters())}


def _read_counters(item: Mapping[str, Any]) -> RunCounters:
    """The counters of an item; one that an earlier version wrote lacks the later counters."""
    return RunCounters(**{name: int(item[name]["N"]) for name in asdict(RunCounters()) if name in item})


def _moment(item: Mapping[str, Any], name: str) -> float | None:
    return float(item[name]["N"]) if name in item else None
