"""Items of a run, and the messages of the queue: one to plan a run, and one for each of its cases."""

import hashlib
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from flexchat.api.trials import TrialRequest
from flexchat.deferred_model import DeferredModel
from flexchat.messages import Json
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


MAX_RECEIVES = 5
"""Deliveries of a message before it moves to the dead-letter queue, as in `template.yaml`."""


class _Message(DeferredModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PlanMessage(_Message):
    """Request to send a message for every unrecorded item of a run."""

    run: str


class CaseMessage(_Message):
    """Request to run one case with one model; `repeat` counts from 1."""

    run: str
    model: str
    case: str
    repeat: Annotated[int, Field(ge=1)]

    @property
    def key(self) -> ItemKey:
        return ItemKey(self.run, self.model, self.case, self.repeat)


class QueueMessage(_Message):
    """Body of a message: one of both."""

    plan: PlanMessage | None = None
    item: CaseMessage | None = None


class SqsAttributes(DeferredModel):
    """SQS delivery attributes; `receives` is the attempt, from 1."""

    receives: Annotated[int, Field(alias="ApproximateReceiveCount")] = 1


class SqsRecord(DeferredModel):
    """Record of an SQS event."""

    message_id: Annotated[str, Field(alias="messageId")]
    receipt: Annotated[str, Field(alias="receiptHandle")]
    body: str
    attributes: SqsAttributes = SqsAttributes()

    @property
    def is_last(self) -> bool:
        return self.attributes.receives >= MAX_RECEIVES


def sqs_records(event: dict[str, Any]) -> list[SqsRecord]:
    return [SqsRecord.model_validate(record) for record in event["Records"]]


def plan_message(run: str) -> dict[str, Json]:
    return {"plan": {"run": run}}


def item_message(key: ItemKey) -> dict[str, Json]:
    return {"item": {"run": key.run, "model": key.model, "case": key.case, "repeat": key.repeat}}
