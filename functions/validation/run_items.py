"""The items of a run: every case of its suite by every model, so many times."""

import hashlib
from collections.abc import Iterator

from flexchat.api.trials import TrialRequest
from flexchat.validation.cases import Suite, ValidationCase
from flexchat.validation.records import ItemKey
from flexchat.validation.runs import ValidationRun


def items_of(run: ValidationRun, suite: Suite) -> Iterator[ItemKey]:
    """Every item in the order to be asked: the same for each model and each time, and as good as random.

    A suite tells its easy categories first. Stopping as soon as a model is decided must not mean that it was decided
    by these.
    """
    turns = sorted(
        ((case.id, repeat) for case in suite.cases for repeat in range(1, run.repeats + 1)),
        key=lambda turn: hashlib.sha256(f"{run.id}\0{turn[0]}\0{turn[1]}".encode()).digest(),
    )
    return (ItemKey(run.id, model, case, repeat) for case, repeat in turns for model in run.models)


def case_of(suite: Suite, id: str) -> ValidationCase | None:
    return next((case for case in suite.cases if case.id == id), None)


def trial_of(case: ValidationCase, suite: Suite, *, model: str, deadline_ms: int) -> TrialRequest:
    """The chat that tries `model` on a case, with the suite's tools in the order that the case names them."""
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
