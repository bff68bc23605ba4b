"""Calls of servers of the SDK over streamable HTTP, in both eras of the protocol."""

from collections.abc import Iterator
from typing import get_args

import pytest

from tests.contract.mcp_wire.conftest import McpLambda
from tests.contract.mcp_wire.sdk_servers import SdkServer, ServerKind, sdk_server

pytestmark = pytest.mark.slow

KINDS = get_args(ServerKind.__value__)


@pytest.fixture(params=KINDS)
def sdk(request: pytest.FixtureRequest) -> Iterator[SdkServer]:
    with sdk_server(request.param) as server:
        yield server


def test_tools_of_a_server_are_listed_and_called(mcp: McpLambda, sdk: SdkServer) -> None:
    listing = mcp.list(sdk.url)

    assert [tool["name"] for tool in listing["result"]["tools"]] == ["add", "fail", "count"]
    assert listing["result"]["server"] == {"name": "sample", "version": "1.0"}
    assert mcp.call(sdk.url, "add", {"a": 2, "b": 3})["result"] == {"result": 5}
    assert mcp.call(sdk.url, "count", {"to": 3})["result"] == {"result": "counted to 3"}
    assert mcp.error(sdk.url, "fail") == ("execution_failed", "Error executing tool fail: the sensor is offline")


def test_the_connection_survives_calls_and_a_restart_of_the_server(mcp: McpLambda, sdk: SdkServer) -> None:
    first = mcp.call(sdk.url, "add", {"a": 1, "b": 1})
    sdk.stop()
    sdk.start()

    assert first["ok"]
    assert mcp.call(sdk.url, "add", {"a": 2, "b": 2})["result"] == {"result": 4}
