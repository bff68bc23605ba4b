"""Items of a validation run and its models: keys, attributes, and the conversion from and to runs."""

from msgspec.structs import asdict

from flexchat.aws.dynamodb import Values
from flexchat.aws.validation.items import RUN, Item, run_model_key, run_partition
from flexchat.sessions import timestamp
from flexchat.validation.records import RunCounters
from flexchat.validation.views import Budget
from functions.validation.runs import RunModel, ValidationRun

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
