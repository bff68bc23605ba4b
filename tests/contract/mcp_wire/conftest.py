"""The real handlers of mcp tools with servers at addresses."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import pytest

from flexchat.config.models.mcp_connections import HttpConnection
from flexchat.egress.addresses import Resolve, resolve_host
from flexchat.egress.client import AsyncGuardedTransport
from flexchat.egress.policy import EgressPolicy
from flexchat.messages import Json
from flexchat.tool_runtime import ToolHandler, tool_handler
from functions.tools.mcp.connections import Connections, EventLoopThread, Target
from functions.tools.mcp.errors import ConnectionRetry
from functions.tools.mcp.implementation import Implementation
from functions.tools.mcp.list_tools import list_tools
from functions.tools.mcp.tool import McpCaller
from functions.tools.mcp.transports.base import McpTransport
from functions.tools.mcp.transports.exchange import AccessTokens
from functions.tools.mcp.transports.http import LIMITS, HttpTransport
from tests.contract.http_wire.conftest import Secrets
from tests.contract.http_wire.hostile_server import HostileServer
from tests.contract.mcp_wire.misbehaviours import mcp_endpoint

LOCAL = EgressPolicy(local=True)


class McpLambda:
    """Function of mcp tools; pauses between attempts take no time."""

    def __init__(
        self, secrets: Mapping[str, str], *, policy: EgressPolicy = LOCAL, resolve: Resolve = resolve_host
    ) -> None:
        self._policy = policy
        self._resolve = resolve
        self._tokens = AccessTokens()
        self._secrets = Secrets(secrets)
        self._loop = EventLoopThread()
        self._connections = Connections(self._transport, retry=ConnectionRetry(base_ms=0, pause_ms=0))
        self.tool = McpCaller(self._connections, self._loop)
        self.handler: ToolHandler = tool_handler(Implementation, self.tool, secrets=self._secrets)

    def _transport(self, target: Target) -> McpTransport:
        assert isinstance(target.connection, HttpConnection)
        network = AsyncGuardedTransport(self._policy, limits=LIMITS, resolve=self._resolve)
        return HttpTransport(
            target.connection, server=target.server, egress=self._policy, tokens=self._tokens, network=network
        )

    def call(
        self,
        url: str,
        tool: str,
        arguments: dict[str, Json] | None = None,
        *,
        timeout_ms: int = 20_000,
        idempotent: bool = False,
        trace: Mapping[str, str] | None = None,
        **connection: Any,
    ) -> dict[str, Any]:
        """Return the reply to one call, in the trace context `trace`, of a tool of the server at `url`."""
        event = {
            "tool": f"server/{tool}",
            "arguments": arguments or {},
            "implementation": {
                "type": "mcp",
                "server": "server",
                "tool": tool,
                "connection": {"url": url, **connection},
            },
            "call_id": "call_1",
            "idempotency_key": "request-1:call_1",
            "request_id": "request-1",
            "timeout_ms": timeout_ms,
            "idempotent": idempotent,
            **(trace or {}),
        }
        return self.handler(event, None)

    def error(self, url: str, tool: str, **values: Any) -> tuple[str, str]:
        """Return the type and the message of a call that fails."""
        error = self.call(url, tool, **values)["error"]
        return error["type"], error["message"]

    def list(self, url: str, **connection: Any) -> dict[str, Any]:
        """Return the reply to a request for the tools of the server at `url`."""
        event = {
            "action": "list_tools",
            "server": "server",
            "connection": {"url": url, **connection},
            "request_id": "request-1",
            "timeout_ms": 20_000,
        }
        return list_tools(event, secrets=self._secrets, listed=self.tool.listing)

    def close(self) -> None:
        with suppress(TimeoutError):
            self._loop.run(self._connections.close(), seconds=30)
        self._loop.stop()


@pytest.fixture
def secrets() -> Mapping[str, str]:
    return {}


type NewLambda = Callable[..., McpLambda]


@pytest.fixture
def new_lambda(secrets: Mapping[str, str]) -> Iterator[NewLambda]:
    made: list[McpLambda] = []

    def new(**values: Any) -> McpLambda:
        made.append(McpLambda(secrets, **values))
        return made[-1]

    yield new
    for one in made:
        one.close()


@pytest.fixture
def mcp(new_lambda: NewLambda) -> McpLambda:
    return new_lambda()


@pytest.fixture
def server() -> Iterator[HostileServer]:
    server = HostileServer({"/mcp": mcp_endpoint})
    yield server
    server.close()
