"""Tables and texts of validation runs and statuses."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from rich.console import Group, RenderableType

from cli.console import Folded, Table, Text
from cli.invocation import flexchat
from flexchat.api.rates import ModelState, RateView
from flexchat.text import counted
from flexchat.validation.records import Tally
from flexchat.validation.statistics import THRESHOLD, Rate, difference, state, wilson
from flexchat.validation.verdicts import CATEGORIES
from flexchat.validation.views import ModelStatusView, RecordView, RunModelView, RunStatus, ValidationRunView

STYLES: dict[ModelState | RunStatus, str] = {
    "proven": "green",
    "failing": "red",
    "undecided": "yellow",
    "untested": "dim",
    "finished": "green",
    "stopped": "yellow",
    "failed": "red",
}

RESULT_MARKS = {"passed": ("✓", "green"), "failed": ("✗", "red"), "error": ("!", "yellow")}

OF_THE_RUN = "all"


def table(*headings: str, right: Sequence[str] = (), whole: int = 0) -> Table:
    """Return a table without borders; columns in `right` are right-aligned.

    The first column is at least `whole` characters wide in any terminal, so that its content can be copied.
    """
    made = Table(box=None, pad_edge=False)
    for place, heading in enumerate(headings):
        justify: Literal["right", "left"] = "right" if heading in right else "left"
        made.add_column(heading, justify=justify, min_width=None if place else whole)
    return made


def _longest(texts: Iterable[str]) -> int:
    return max(map(len, texts), default=0)


def run_summary(run: ValidationRunView) -> RenderableType:
    """Return the summary of an ended run: each model's rate by category and in total, the interval, and its meaning."""
    return Group(_categories_by_model(run), Text(""), Text(_cost(run), style="dim"), *_ending(run))


def _categories_by_model(run: ValidationRunView) -> Table:
    passed, tested = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for verdict in run.verdicts:
        if verdict.result in ("passed", "failed"):
            for part in (verdict.category, OF_THE_RUN):
                tested[verdict.model, str(part)] += 1
                passed[verdict.model, str(part)] += verdict.result == "passed"
    models = [model.model for model in run.models]
    made = table("CATEGORY", *(_named(model.model, demo=model.demo) for model in run.models))
    for part in (*CATEGORIES, OF_THE_RUN):
        if any(tested[model, part] for model in models):
            cells = (_share(passed[model, part], tested[model, part]) for model in models)
            made.add_row(part, *cells, style="bold" if part == OF_THE_RUN else "")
    rates = [wilson(passed[model, OF_THE_RUN], tested[model, OF_THE_RUN]) for model in models]
    made.add_row("interval", *(interval(rate) if rate.tests else "-" for rate in rates))
    tallies = (Tally(tests=rate.tests, successes=rate.successes) for rate in rates)
    made.add_row("state", *(_state(state(tally), model.demo) for tally, model in zip(tallies, run.models, strict=True)))
    if any(model.errors for model in run.models):
        made.add_row("errors", *(str(model.errors) for model in run.models))
    if any(model.decided for model in run.models):
        made.add_row("stopped early", *map(_early_stop, run.models))
    return made


def _early_stop(model: RunModelView) -> str:
    if model.decided is None:
        return "no"
    side = "above" if model.decided == "passes" else "below"
    return f"{side} {THRESHOLD:.0%}, {model.skipped} skipped"


def _ending(run: ValidationRunView) -> Iterator[Text]:
    if run.status != "finished":
        yield Text(f"The run {run.status}: {run.reason or 'no reason was recorded'}", style=STYLES.get(run.status, ""))


def _cost(run: ValidationRunView) -> str:
    cost = f", ${run.cost_usd:.4f}" if run.cost_usd else ""
    return f"{run.suite} x {run.repeats}: {counted(run.calls, 'chat')}, {run.tokens} tokens{cost}"


def runs_table(runs: Sequence[ValidationRunView]) -> Table:
    """Return the table of runs."""
    whole = _longest(run.id for run in runs)
    made = table("ID", "STATUS", "SUITE", "MODELS", "DONE", "PASSED", "BEGUN", right=("DONE", "PASSED"), whole=whole)
    for run in runs:
        made.add_row(
            Text(run.id),
            Text(run.status, style=STYLES.get(run.status, "")),
            Text(run.suite),
            Text(", ".join(_named(model.model, demo=model.demo) for model in run.models)),
            f"{run.done}/{run.total}",
            _share(run.passed, run.passed + run.failed),
            moment(run.created_at),
        )
    return made


def statuses_table(statuses: Sequence[ModelStatusView]) -> Table:
    """Return the table of the statuses of models."""
    whole = _longest(status.model_id for status in statuses)
    made = table("MODEL", "VALIDATED", "PASSED", "INTERVAL", "STATE", "LAST TESTED", whole=whole)
    for status in statuses:
        made.add_row(
            Text(status.model_id),
            _validated(status),
            _share(status.success_count, status.test_count),
            interval(status.rate) if status.rate else "-",
            _state(status.state, status.demo),
            moment(status.last_tested) if status.last_tested else "never",
        )
    return made


def status_details(status: ModelStatusView) -> RenderableType:
    """Return the details of one model: its status, then its categories, its days and the cost of a case."""
    categories = table("CATEGORY", "PASSED", "INTERVAL")
    for category, rate in status.categories.items():
        categories.add_row(category, _share(rate.successes, rate.tests), interval(rate))
    days = table("DAY", "PASSED")
    for day in status.trend:
        days.add_row(day.day, _share(day.successes, day.tests))
    parts = [statuses_table([status])]
    parts += [part for part in (categories, days) if part.row_count]
    spaced = [piece for part in parts for piece in (part, Text(""))]
    return Group(*spaced, Text(" · ".join(_means(status)), style="dim"))


def _means(status: ModelStatusView) -> Iterator[str]:
    if status.latency_ms is not None:
        yield f"{status.latency_ms / 1000:.1f} s a case"
    if status.tokens is not None:
        yield f"{status.tokens:.0f} tokens a case"
    if status.cost_usd is not None:
        yield f"${status.cost_usd:.5f} a case"
    if status.errors:
        yield counted(status.errors, "error")
    if status.no_tool_calls:
        yield f"{status.no_tool_calls} answered without a tool"
    if (tests := status.tests_by_provenance) is not None:
        origins = {"of a real model": tests.real, "of the demo model": tests.demo, "of unknown origin": tests.unknown}
        yield "tests: " + ", ".join(f"{number} {origin}" for origin, number in origins.items() if number)
        if others := tests.real + tests.demo + tests.unknown - status.test_count:
            yield f"{others} of another kind of model, not counted"
    if (by_hand := status.by_hand) is not None:
        tried = by_hand.tests + by_hand.errors + by_hand.no_tool_calls
        yield f"{tried} by hand, not counted: {_share(by_hand.successes, by_hand.tests)} passed"


def records_table(records: Sequence[RecordView]) -> RenderableType:
    """Return the table of graded cases with the reasons of those that did not pass, and the commands of their
    traces."""
    made = table("TESTED", "", "CASE", "CATEGORY", "ORIGIN", "REASONS")
    for record in records:
        mark, style = RESULT_MARKS.get(record.result, ("-", "dim"))
        reasons = "; ".join(record.reasons) or (record.result if record.result != "passed" else "")
        case = Text(record.case if record.counted else f"{record.case} (by hand, not counted)")
        made.add_row(
            moment(record.at),
            Text(mark, style=style),
            case,
            Text(record.category or "-"),
            Text(record.provenance),
            Text(reasons),
        )
    missed = [record for record in records if record.result in ("failed", "error") and record.request_id]
    traces = (Folded(f"{record.case}: {flexchat('trace', record.request_id)}", indent=2) for record in missed)
    return Group(made, Text("\ntraces", style="bold"), *traces) if missed else made


def verdict_details(record: RecordView) -> RenderableType:
    """Return one verdict: its result and reasons, what answered, and the cost of the case."""
    mark, style = RESULT_MARKS.get(record.result, ("-", "dim"))
    origins = {"demo": "the demo model", "real": "a real model", "unknown": "unknown, recorded by an earlier version"}
    facts = {
        "model": record.model,
        "origin": origins[record.provenance],
        "server": record.server or "-",
        "category": record.category or "-",
        "tested": moment(record.at),
        "run": f"{record.run}, repetition {record.repeat}",
        "duration": f"{record.latency_ms / 1000:.1f} s, {record.tokens} tokens",
    }
    counts = "" if record.counted else " (by hand, not counted)"
    lines = [Text(f"{mark} {record.case} {record.result}{counts}", style=f"bold {style}")]
    lines += [Text(f"  {reason}") for reason in record.reasons]
    lines += [Text(f"{name:<9} {value}") for name, value in facts.items()]
    return Group(*lines, Text(""))


def comparison(a: ModelStatusView, b: ModelStatusView) -> RenderableType:
    """Return the comparison of two models: the difference of their rates, and its significance."""
    made = table("CATEGORY", *(_named(status.model_id, demo=status.demo) for status in (a, b)), "DIFFERENCE", "")
    rates = {
        category: (a.categories[category], b.categories[category])
        for category in CATEGORIES
        if category in a.categories and category in b.categories
    }
    for category, (first, second) in rates.items():
        made.add_row(category, *_compared(first, second, a.model_id, b.model_id))
    if a.rate and b.rate:
        made.add_row(OF_THE_RUN, *_compared(a.rate, b.rate, a.model_id, b.model_id), style="bold")
    return made


def _compared(first: RateView, second: RateView, a: str, b: str) -> tuple[str, str, str, str]:
    apart = difference(_rate(first), _rate(second))
    words = "cannot tell" if apart.low <= 0 <= apart.high else f"{a if apart.value > 0 else b} is better"
    between = f"{apart.value * 100:+.0f} points ({apart.low * 100:+.0f} to {apart.high * 100:+.0f})"
    return _share(first.successes, first.tests), _share(second.successes, second.tests), between, words


def _rate(view: RateView) -> Rate:
    return Rate(view.tests, view.successes, view.rate, view.low, view.high)


def interval(rate: Rate | RateView) -> str:
    return f"{rate.low:.0%} to {rate.high:.0%}"


def moment(at: str) -> str:
    """Return a time in UTC to the minute."""
    return at[:16].replace("T", " ")


def _share(successes: int, tests: int) -> str:
    return f"{successes}/{tests} {successes / tests:.0%}" if tests else "-"


def _state(of: ModelState, demo: bool | None) -> Text:
    """Return the style of a state; that of the demo model is no evidence and has no colour."""
    return Text(of, style="dim" if demo else STYLES[of])


def _named(model: str, *, demo: bool | None) -> str:
    return f"{model} (demo)" if demo else model


def _validated(status: ModelStatusView) -> Text:
    if not status.tested:
        return Text("by hand only" if status.by_hand else "not tested", style="dim")
    if status.demo:
        return Text("demo model", style="dim")
    return Text("yes", style="green") if status.validated else Text("no", style="red")
