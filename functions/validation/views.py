"""API representation of runs and records."""

from collections.abc import Collection
from datetime import UTC, datetime

from flexchat.api.rates import RateView
from flexchat.validation.records import MICROS, RecordPage, ValidationRecord
from flexchat.validation.statistics import wilson
from flexchat.validation.views import RecordView, RunModelView, ValidationRunView
from functions.validation.runs import RunModel, ValidationRun


def run_view(
    run: ValidationRun,
    models: tuple[RunModel, ...] = (),
    verdicts: RecordPage | None = None,
    *,
    demo: Collection[str] = (),
) -> ValidationRunView:
    """Return the view of a run; without `models`, each model has its name alone.

    `demo` are the llms that the demo model serves now; models with recorded answers of it are marked anyway.
    """
    counters = run.counters
    return ValidationRunView(
        id=run.id,
        status=run.status,
        suite=run.suite,
        models=tuple(_model_view(model, demo) for model in models or map(RunModel, run.models)),
        repeats=run.repeats,
        total=run.total,
        done=counters.done,
        passed=counters.passed,
        failed=counters.failed,
        errors=counters.errors,
        skipped=counters.skipped,
        calls=counters.calls,
        tokens=counters.tokens,
        cost_usd=counters.cost_micros / MICROS,
        budget=run.budget,
        reason=run.reason,
        created_at=_iso(run.created_at),
        finished_at=None if run.finished_at is None else _iso(run.finished_at),
        verdicts=() if verdicts is None else tuple(map(record_view, verdicts.records)),
        cursor=None if verdicts is None else verdicts.cursor,
    )


def llm_of(model: str) -> str:
    """Return the llm of a model's name, `llm:model`."""
    return model.partition(":")[0]


def record_view(record: ValidationRecord) -> RecordView:
    key = record.key
    return RecordView(
        run=key.run,
        model=key.model,
        case=key.case,
        repeat=key.repeat,
        suite=record.suite,
        category=record.category,
        result=record.result,
        reasons=record.reasons,
        at=_iso(record.at),
        latency_ms=record.latency_ms,
        tokens=record.input_tokens + record.output_tokens,
        cost_usd=None if record.cost_micros is None else record.cost_micros / MICROS,
        request_id=record.request_id,
        counted=record.counted,
        demo=record.demo or None,
    )


def _model_view(model: RunModel, demo: Collection[str]) -> RunModelView:
    counters = model.counters
    rate = wilson(counters.passed, counters.tests)
    return RunModelView(
        model=model.model,
        rate=RateView(tests=rate.tests, successes=rate.successes, rate=rate.rate, low=rate.low, high=rate.high)
        if counters.tests
        else None,
        done=counters.done,
        errors=counters.errors,
        skipped=counters.skipped,
        decided=model.decided,
        demo=(llm_of(model.model) in demo or counters.demo > 0) or None,
    )


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
