"""Messages of the queue: one to plan a run, and one for each of its cases."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from flexchat.deferred_model import DeferredModel
from flexchat.messages import Json
from flexchat.validation.records import ItemKey

MAX_RECEIVES = 3
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
