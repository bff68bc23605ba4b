"""The MCP server of the local stack: the SDK's client over HTTP, and over stdio through `flexchat mcp serve`."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Literal

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from cli.local_stack import StackState
from tests.e2e.commands import COMMAND

type Transport = Literal["http", "stdio"]

ANSWER_SECONDS = 60.0
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@asynccontextmanager
async def connected(stack: StackState, transport: Transport, mode: str) -> AsyncGenerator[Client]:
    if transport == "stdio":
        parameters = StdioServerParameters(
            command=str(COMMAND),
            args=["mcp", "serve"],
            env={"FLEXCHAT_URL": stack.url, "FLEXCHAT_TOKEN": stack.token},
        )
        async with Client(parameters, mode=mode, read_timeout_seconds=ANSWER_SECONDS) as client:
            yield client
        return
    headers = {"Authorization": f"Bearer {stack.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=ANSWER_SECONDS, trust_env=False) as http,
        Client(streamable_http_client(f"{stack.url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


def run[R](stack: StackState, transport: Transport, mode: str, use: Callable[[Client], Awaitable[R]]) -> R:
    async def connect() -> R:
        async with connected(stack, transport, mode) as client:
            return await use(client)

    return anyio.run(connect)


@pytest.mark.parametrize(("mode", "version"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
@pytest.mark.parametrize("transport", ["http", "stdio"])
def test_a_client_lists_and_calls_tools_in_both_eras(
    stack: StackState, transport: Transport, mode: str, version: str
) -> None:
    async def use(client: Client) -> None:
        assert client.protocol_version == version
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert {"chat", "search_collections", "calculate", "get_weather"} <= set(names)

        product = await client.call_tool("calculate", {"expression": "6*7"})
        assert (product.is_error, "42" in str(product.content)) == (False, True)

        refused = await client.call_tool("calculate", {})
        assert refused.is_error is True
        assert "Missing required parameter: expression" in str(refused.content)

    run(stack, transport, mode, use)


@pytest.mark.parametrize("transport", ["http", "stdio"])
def test_a_client_chats_and_searches(stack: StackState, transport: Transport) -> None:
    async def use(client: Client) -> None:
        await client.list_tools()  # with the schemas, the client validates the results
        answer = await client.call_tool("chat", {"message": "What is 15% of 45?", "session_id": f"mcp-{transport}"})
        assert answer.structured_content is not None
        assert answer.structured_content["tools"] == ["calculate"]
        assert answer.structured_content["session_id"] == f"mcp-{transport}"

        found = await client.call_tool("search_collections", {"query": "How do I add a tool?", "top_k": 2})
        assert found.structured_content is not None
        assert len(found.structured_content["results"]) == 2
        assert found.structured_content["searched"] == ["flexchat-docs"]

    run(stack, transport, "auto", use)


def test_a_request_without_a_token_is_refused(anonymous: httpx2.Client) -> None:
    for method in ("POST", "GET", "DELETE"):
        answer = anonymous.request(method, "/mcp", json=PING if method == "POST" else None)

        assert (answer.status_code, answer.json()["error"]) == (401, "unauthorized")


def test_streams_are_not_allowed_and_pages_of_other_origins_neither(api: httpx2.Client) -> None:
    assert (api.get("/mcp").status_code, api.get("/mcp").headers["allow"]) == (405, "POST")
    assert api.delete("/mcp").status_code == 405
    assert api.post("/mcp", json=PING).json() == {"jsonrpc": "2.0", "id": 1, "result": {}}
    refused = api.post("/mcp", json=PING, headers={"Origin": "https://evil.example.com"})
    assert (refused.status_code, refused.json()["error"]) == (403, "forbidden")


def test_a_notification_has_no_body(api: httpx2.Client) -> None:
    accepted = api.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"})

    assert (accepted.status_code, accepted.content) == (202, b"")
