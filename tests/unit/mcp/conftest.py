"""Table of the listings of MCP servers."""

from collections.abc import Iterator

import pytest

from flexchat.aws.mcp_listings import McpListingTable
from tests.aws import aws_client, create_table, emulated_aws

TABLE = "flexchat-test-tool-state"


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[McpListingTable]:
    with emulated_aws(monkeypatch):
        client = aws_client("dynamodb")
        create_table(client, TABLE, "pk")
        yield McpListingTable(client, TABLE)
