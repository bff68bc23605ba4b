"""Table of the state of tools."""

from collections.abc import Iterator

import pytest

from tests.aws import aws_client, create_table, emulated_aws
from tests.unit.http_tool.tool_state import TABLE, StateTable


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[StateTable]:
    with emulated_aws(monkeypatch):
        client = aws_client("dynamodb")
        create_table(client, TABLE, "pk")
        yield StateTable(client)
