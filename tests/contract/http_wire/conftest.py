"""The real handler of http tools, with guarded sockets, and a server that misbehaves."""

import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from flexchat.egress.client import GuardedTransport
from flexchat.egress.policy import EgressPolicy
from flexchat.http_client import BoundedHttpClient
from flexchat.messages import Json
from flexchat.tool_runtime import ToolHandler, tool_handler
from functions.tools.http.implementation import Implementation
from functions.tools.http.sender import HttpSender
from functions.tools.http.tool import HttpTool
from tests.contract.http_wire.hostile_server import HostileServer
from tests.contract.http_wire.misbehaviours import PATHS


class Secrets:
    """Secrets bound to the server of the test."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values

    def __call__(self, names: tuple[str, ...]) -> Mapping[str, str]:
        return {name: self._values[name] for name in names}

    def hosts(self, names: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
        return {name: frozenset({"127.0.0.1"}) for name in names}


class HttpLambda:
    """Function of http tools against a server."""

    def __init__(self, server: HostileServer, secrets: Mapping[str, str]) -> None:
        self.server = server
        self.policy = EgressPolicy(local=True)
        transport = GuardedTransport(self.policy)
        self.tool = HttpTool(HttpSender(BoundedHttpClient(transport=transport, compressed=False), self.policy))
        self.handler: ToolHandler = tool_handler(Implementation, self.tool, secrets=Secrets(secrets))

    def call(
        self,
        path: str,
        arguments: dict[str, Json] | None = None,
        *,
        timeout_ms: int = 20_000,
        idempotent: bool = False,
        inspect: bool = False,
        trace: Mapping[str, str] | None = None,
        **implementation: Any,
    ) -> dict[str, Any]:
        """Return the reply to one call, in the trace context `trace`, of a tool whose URL has `path`."""
        event = {
            "tool": "the_tool",
            "arguments": arguments or {},
            "implementation": {"type": "http", "url": self.server.url(path), **implementation},
            "call_id": "call_1",
            "idempotency_key": "request-1:call_1",
            "request_id": "request-1",
            "timeout_ms": timeout_ms,
            "idempotent": idempotent,
            "inspect": inspect,
            **(trace or {}),
        }
        return self.handler(event, None)

    def error(self, path: str, **values: Any) -> tuple[str, str]:
        """Return the type and the message of a call that fails."""
        error = self.call(path, **values)["error"]
        return error["type"], error["message"]

    @property
    def is_healthy(self) -> bool:
        return self.call("/good")["result"] == {"ok": True}


@pytest.fixture
def server() -> Iterator[HostileServer]:
    server = HostileServer(dict(PATHS))
    yield server
    server.close()


@pytest.fixture
def secrets() -> Mapping[str, str]:
    return {}


@pytest.fixture
def http(server: HostileServer, secrets: Mapping[str, str]) -> Iterator[HttpLambda]:
    before = set(threading.enumerate())
    yield HttpLambda(server, secrets)
    # Before the server ends: every call must end by itself.
    left = [thread for thread in set(threading.enumerate()) - before if thread.name == "call-with-timeout"]
    for thread in left:
        thread.join(30)
    assert not any(thread.is_alive() for thread in left)
