"""DynamoDB table of the state of tools in this process, with counted requests."""

import json
from dataclasses import dataclass, field
from typing import Any, cast

from mypy_boto3_dynamodb import DynamoDBClient

from functions.tools.http.aws.tool_state import ToolStateTable

TABLE = "flexchat-test-tool-state"


@dataclass
class StateTable:
    """Client that records the operations of all stores on the table."""

    client: DynamoDBClient
    requests: list[str] = field(default_factory=list[str])

    def __getattr__(self, name: str) -> Any:
        operation = getattr(self.client, name)

        def recorded(**arguments: Any) -> Any:
            self.requests.append(name)
            return operation(**arguments)

        return recorded

    @property
    def store(self) -> ToolStateTable:
        return ToolStateTable(cast("DynamoDBClient", self), TABLE)

    @property
    def items(self) -> list[Any]:
        return self.client.scan(TableName=TABLE)["Items"]

    def delete(self) -> None:
        """Delete the table, so that every request fails."""
        self.client.delete_table(TableName=TABLE)


def metrics(output: str, name: str) -> list[float]:
    """Return the values of a metric, in the order of the lines of a function's output."""
    lines = [json.loads(line) for line in output.splitlines()]
    return [value for line in lines if "_aws" in line for value in line.get(name, ())]
