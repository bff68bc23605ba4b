"""Lists of tools over connections, with every failure as a result."""

from collections.abc import Mapping

import pytest

from flexchat.config.models.mcp_connections import McpConnection, StdioConnection
from flexchat.config.models.mcp_servers import McpServerConfig
from flexchat.errors import ToolError
from flexchat.mcp import ServerListing
from flexchat.mcp_listings import McpFailure
from functions.tools.mcp.discovery.refresher import ConnectedServers
from functions.tools.mcp.errors import ConnectionFailedError

CONFIG = McpServerConfig(command="node", env={"TOKEN": "${FILES_TOKEN}"}, hints=("node is installed",))
LISTING = ServerListing(tools=({"name": "read"},), protocol_version="2025-11-25")


class Secrets:
    def __call__(self, names: tuple[str, ...]) -> Mapping[str, str]:
        return dict.fromkeys(names, "s3cret")

    def hosts(self, names: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
        return {}


def test_a_server_is_listed_at_its_connection_with_the_secrets_resolved() -> None:
    seen: list[tuple[str, McpConnection, int]] = []

    def listed(server: str, connection: McpConnection, timeout_ms: int) -> ServerListing:
        seen.append((server, connection, timeout_ms))
        return LISTING

    assert ConnectedServers(listed, Secrets())("files", CONFIG, 9_000) == LISTING
    assert seen == [
        ("files", StdioConnection(command="node", env={"TOKEN": "s3cret"}, hints=("node is installed",)), 9_000)
    ]


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (
            ConnectionFailedError(
                "files", kind="stdio", attempts=3, reason="no answer in time", stderr="no broker", hints=(), pause=0.0
            ),
            McpFailure(
                message="MCP connection failed after 3 attempts: no answer in time", attempts=3, stderr="no broker"
            ),
        ),
        (ToolError("the command 'node' is not allowed"), McpFailure(message="the command 'node' is not allowed")),
        (TimeoutError(), McpFailure(message="no list of tools within 9000 ms")),
    ],
)
def test_every_failure_is_a_result_with_its_reason(error: Exception, failure: McpFailure) -> None:
    def listed(server: str, connection: McpConnection, timeout_ms: int) -> ServerListing:
        raise error

    assert ConnectedServers(listed, Secrets())("files", CONFIG, 9_000) == failure
