"""Chat function with limits, on a clock that tests move."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from mypy_boto3_dynamodb import DynamoDBClient

from tests.functional.chat.harness import CALCULATE, CHATS_TABLE, EVENTS, Chat, configuration, deploy

MORNING = datetime(2026, 11, 22, 10, 29, 40, tzinfo=UTC).timestamp()
MIDNIGHT = datetime(2026, 11, 23, tzinfo=UTC).timestamp()
HELLO = {"message": "Hello"}
PRINCIPAL = json.loads((EVENTS / "chat-http.json").read_text())["requestContext"]["authorizer"]["principal"]


@dataclass
class WallClock:
    """Manual wall clock."""

    at: float = MORNING

    def __call__(self) -> float:
        return self.at


def service(dynamodb: Any, now: WallClock, steps: Sequence[Any], **limits: Any) -> Chat:
    """Return the deployed function with the section `limits` of its configuration."""
    return deploy(steps, {**configuration(tools=[CALCULATE]), "limits": limits}, dynamodb=dynamodb, now=now)


def counters(dynamodb: DynamoDBClient) -> dict[str, dict[str, Any]]:
    """Return the counter items by their keys."""
    found: dict[str, dict[str, Any]] = {}
    for item in dynamodb.scan(TableName=CHATS_TABLE)["Items"]:
        if item["pk"].get("S", "").startswith("L#") and item["sk"].get("S", "").startswith("DAY#"):
            found[f"{item['pk'].get('S')} {item['sk'].get('S')}"] = {
                name: int(value["N"]) if "N" in value else value
                for name, value in item.items()
                if name not in ("pk", "sk")
            }
    return found


def day_tokens(dynamodb: DynamoDBClient) -> int:
    [item] = counters(dynamodb).values()
    return item["tokens"]
