"""The client of the MCP SDK against `/mcp`, in both eras of the protocol."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent

from tests.functional.chat.harness import CALCULATE, Chat, configuration, deploy, mock_tool
from tests.functional.chat.scripted_provider import call_completion, text_completion

URL = "https://chat.example.com/mcp"
MODES = ("auto", "legacy", "2026-07-28")
PIXEL = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}


def service(*steps: Any, more: int = 0) -> Chat:
    tools = [
        CALCULATE,
        mock_tool("github/search:code"),
        mock_tool("breaks", error="no such place"),
        mock_tool("draws", mock_response={"content": [PIXEL]}),
        *(mock_tool(f"tool_{number}") for number in range(more)),
    ]
    return deploy(steps, configuration(tools=tools))


@asynccontextmanager
async def connected(chat: Chat, mode: str, **options: Any) -> AsyncGenerator[Client]:
    """Connect a client, with `options` of its own, whose requests the function of `chat` handles."""

    def handle(request: httpx2.Request) -> httpx2.Response:
        answer = chat.request(
            request.method, request.url.path, request.content.decode() or None, headers=dict(request.headers)
        )
        content = b"" if answer.status == 202 else json.dumps(answer.body).encode()
        return httpx2.Response(answer.status, headers=answer.headers, content=content)

    async with (
        httpx2.AsyncClient(transport=httpx2.MockTransport(handle)) as http,
        Client(streamable_http_client(URL, http_client=http), mode=mode, **options) as client,
    ):
        yield client


def run[R](chat: Chat, mode: str, use: Callable[[Client], Awaitable[R]]) -> R:
    async def connect() -> R:
        async with connected(chat, mode) as client:
            return await use(client)

    return anyio.run(connect)


def texts(result: CallToolResult) -> list[str]:
    return [block.text for block in result.content if isinstance(block, TextContent)]


@pytest.mark.parametrize(("mode", "version"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
def test_a_client_agrees_on_a_version(mode: str, version: str) -> None:
    async def use(client: Client) -> tuple[str, str | None]:
        return client.protocol_version, client.server_info and client.server_info.name

    assert run(service(), mode, use) == (version, "flexchat")


@pytest.mark.parametrize("mode", MODES)
def test_a_client_lists_every_tool(mode: str) -> None:
    async def use(client: Client) -> list[str]:
        names, cursor = list[str](), None
        while True:
            page = await client.list_tools(cursor=cursor)
            names += [tool.name for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                return names

    names = run(service(more=120), mode, use)

    assert names[:5] == ["chat", "calculate", "github_search_code", "breaks", "draws"]
    assert (len(names), len(set(names))) == (125, 125)


@pytest.mark.parametrize("mode", MODES)
def test_a_client_calls_tools(mode: str) -> None:
    async def use(client: Client) -> list[CallToolResult]:
        return [
            await client.call_tool("github_search_code", {"location": "Paris"}),
            await client.call_tool("breaks", {"location": "Paris"}),
            await client.call_tool("breaks", {}),
            await client.call_tool("draws", {"location": "Paris"}),
        ]

    found, failed, refused, drawn = run(service(), mode, use)

    assert (found.is_error, found.structured_content) == (False, {"temperature": 22})
    assert texts(found) == ['{"temperature":22}']
    assert (failed.is_error, texts(failed)) == (True, ["no such place"])
    assert (refused.is_error, texts(refused)) == (True, ["Invalid parameters: Missing required parameter: location"])
    assert drawn.content[0].model_dump(by_alias=True, exclude_none=True) == PIXEL


@pytest.mark.parametrize("mode", MODES)
def test_a_client_gets_an_answer_that_conforms_to_its_schema(mode: str) -> None:
    async def use(client: Client) -> CallToolResult:
        await client.list_tools()  # with the schema, the client validates the result
        return await client.call_tool("chat", {"message": "What is 6*7?"})

    result = run(
        service(call_completion(("calculate", {"expression": "6*7"})), text_completion("It is 42.")), mode, use
    )

    assert texts(result) == ["It is 42."]
    assert result.structured_content is not None
    assert result.structured_content["tools"] == ["calculate"]


@pytest.mark.parametrize("mode", MODES)
def test_a_client_gets_the_code_of_an_unknown_tool(mode: str) -> None:
    async def use(client: Client) -> int:
        with pytest.raises(MCPError, match="Unknown tool: nope") as raised:
            await client.call_tool("nope", {})
        return raised.value.code

    assert run(service(), mode, use) == -32602
