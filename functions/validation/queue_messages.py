"""What the queue carries: the order to plan a run, and one message for each of its cases."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from flexchat.messages import Json
from flexchat.validation.records import ItemKey

MAX_RECEIVES = 3
"""How often a message is delivered before it is put aside; `template.yaml` says the same of the queue."""


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PlanMessage(_Message):
    """Send a message for every item of the run that is not recorded yet."""

    run: str


class CaseMessage(_Message):
    """Ask one case of one model, for the `repeat`-th time."""

    run: str
    model: str
    case: str
    repeat: Annotated[int, Field(ge=1)]

    @property
    def key(self) -> ItemKey:
        return ItemKey(self.run, self.model, self.case, self.repeat)


class QueueMessage(_Message):
    """The body of a message: one of both."""

    plan: PlanMessage | None = None
    item: CaseMessage | None = None


class SqsAttributes(BaseModel):
    """What SQS says of a delivery: the how-manieth it is, counted from 1."""

    receives: Annotated[int, Field(alias="ApproximateReceiveCount")] = 1


class SqsRecord(BaseModel):
    """One record of an SQS event, as Lambda writes it."""

    message_id: Annotated[str, Field(alias="messageId")]
    receipt: Annotated[str, Field(alias="receiptHandle")]
    body: str
    attributes: SqsAttributes = SqsAttributes()

    @property
    def is_last(self) -> bool:
        return self.attributes.receives >= MAX_RECEIVES


def deliveries(event: dict[str, Any]) -> list[SqsRecord]:
    return [SqsRecord.model_validate(record) for record in event["Records"]]


def plan_message(run: str) -> dict[str, Json]:
    return {"plan": {"run": run}}


def item_message(key: ItemKey) -> dict[str, Json]:
    return {"item": {"run": key.run, "model": key.model, "case": key.case, "repeat": key.repeat}}
