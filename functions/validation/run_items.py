"""Items of a run: each case of its suite, for each model and repetition."""

import hashlib
from collections.abc import Iterator

from flexchat.api.trials import TrialRequest
from flexchat.validation.cases import Suite, ValidationCase
from flexchat.validation.records import ItemKey
from functions.validation.runs import ValidationRun


def items_of(run: ValidationRun, suite: Suite) -> Iterator[ItemKey]:
    """Return all items in pseudo-random order, the same for each model and each call.

    Suites list easy categories first: a run that stops early must not decide a model by these alone.
    """
    turns = sorted(
        ((case.id, repeat) for case in suite.cases for repeat in range(1, run.repeats + 1)),
        key=lambda turn: hashlib.sha256(f"{run.id}\0{turn[0]}\0{turn[1]}".encode()).digest(),
    )
    return (ItemKey(run.id, model, case, repeat) for case, repeat in turns for model in run.models)


def case_of(suite: Suite, id: str) -> ValidationCase | None:
    return next((case for case in suite.cases if case.id == id), None)


def trial_of(case: ValidationCase, suite: Suite, *, model: str, deadline_ms: int) -> TrialRequest:
    """Return the trial of `model` on a case, with the tools in the order of the case."""
    tools = {tool.name: tool for tool in suite.tools}
    offered = suite.tools if case.tools is None else tuple(tools[name] for name in case.tools)
    return TrialRequest(
        model=model,
        message=case.message,
        history=case.history,
        prompt=suite.prompt,
        tools=offered,
        max_iterations=case.max_iterations,
        deadline_ms=deadline_ms,
    )
