"""Trials and tests of models."""

from collections.abc import Mapping, Sequence
from typing import Any

from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.validation.records import Tally, ValidationRecord
from tests.functional.chat.harness import (
    CALCULATE,
    Answer,
    Chat,
    configuration,
    deploy,
    mock_tool,
)
from tests.functional.chat.scripted_provider import ScriptedProvider, Step
from tests.unit.validation.harness import TABLE

MODEL = "openai:gpt-4o"
SUM = ("calculate", {"expression": "2 + 3"})


def failed(kind: Any = "overloaded") -> ModelError:
    return ModelError("because", type=kind, provider="openai")


def offered(model: ScriptedProvider, turn: int = 0) -> list[Any]:
    entries: Any = model.options[turn].tools
    return [entry["function"]["name"] for entry in entries]


def error(outcome: Mapping[str, Any]) -> tuple[str, str]:
    (error_body,) = outcome.values()
    return error_body["error"], error_body["message"]


TOOLS = (CALCULATE, mock_tool(), mock_tool("breaks", error="no such place"))


def service(script: Sequence[Step], dynamodb: Any, *, table: str = TABLE, **config: Any) -> Chat:
    priced = configuration(tools=TOOLS, **config)
    priced["llms"]["openai"]["profiles"] = {"*": {"input_price": 2.5, "output_price": 10}}
    return deploy(script, priced, dynamodb=dynamodb, validation_table=table)


def send_chat(chat: Chat, *, roles: str = "user", **changes: Any) -> Answer:
    body = {"query": "What is 2 + 3?", "model": MODEL, **changes}
    sent = {name: value for name, value in body.items() if value is not ...}
    return chat.post(sent, path="/api/tools/test", roles=roles)


def counted_test(chat: Chat, **changes: Any) -> Answer:
    return send_chat(chat, roles="operator", count=True, **changes)


def recorded(client: DynamoDBClient) -> tuple[Tally, list[ValidationRecord]]:
    tracker, soon = ModelValidationTracker(client, TABLE), Deadline.after(20)
    return tracker.tallies(MODEL, deadline=soon).all_counts().total, list(
        tracker.history(MODEL, limit=10, deadline=soon).records
    )
