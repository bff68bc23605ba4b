"""Generated bodies and headers of `/mcp`: every response is a documented one, and no request crashes the server."""

import json
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from functions.chat.api.service import openapi_text
from tests.functional.chat.harness import Chat, configuration, deploy, mock_tool
from tests.functional.mcp_server.mcp_chat import ENVELOPE

DOCUMENTED = json.loads(openapi_text())["paths"]["/mcp"]["post"]["responses"]
VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "2030-01-01", "")
METHODS = ("initialize", "ping", "server/discover", "tools/list", "tools/call", "resources/list", "notifications/x", "")

NOTHING: dict[str, Any] = {}

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
texts = st.text(st.characters(codec="ascii", exclude_categories=("Cc",)), max_size=20)
params = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(("get_weather", "search_collections", "nope")) | values,
        "arguments": st.just({"location": "Paris"}) | values,
        "cursor": texts | values,
        "_meta": st.just(ENVELOPE) | st.dictionaries(st.sampled_from(tuple(ENVELOPE)), values) | values,
        "protocolVersion": st.sampled_from(VERSIONS) | values,
        "capabilities": st.just(NOTHING) | values,
        "clientInfo": st.just({"name": "x", "version": "1"}) | values,
    },
)
messages = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0") | values, "method": st.sampled_from(METHODS) | values},
    optional={"id": st.integers() | st.text(max_size=5) | values, "params": params | values, "result": values},
)
bodies = messages | st.lists(messages | values, max_size=3) | values
headers = st.fixed_dictionaries(
    {},
    optional={
        "MCP-Protocol-Version": st.sampled_from(VERSIONS) | texts,
        "Mcp-Method": st.sampled_from(METHODS) | texts,
        "Mcp-Name": st.sampled_from(("get_weather", "nope", "=?base64?bm9wZQ==?=", "=?base64?x?=")) | texts,
        "Mcp-Session-Id": texts,
        "Accept": st.sampled_from(("application/json", "*/*", "text/html")) | texts,
        "Content-Type": st.sampled_from(("application/json", "text/plain")) | texts,
        "Origin": st.sampled_from(("http://localhost:1", "https://evil.example", "http://[")) | texts,
    },
)


@pytest.fixture(scope="module")
def chat() -> Chat:
    return deploy([], configuration(tools=[mock_tool()]))


def check(chat: Chat, body: str, sent: dict[str, str]) -> None:
    answer = chat.post(body, path="/mcp", headers=sent)

    assert str(int(answer.status)) in DOCUMENTED
    assert answer.status < 500, answer
    if answer.status == 202:
        assert answer.body is None
        return
    received: Any = answer.body
    for each in cast("list[Any]", received) if isinstance(received, list) else [received]:
        assert each["jsonrpc"] == "2.0"
        assert ("result" in each) != ("error" in each)
        assert "id" in each
        if "error" in each:
            assert isinstance(each["error"]["code"], int)
            assert each["error"]["message"]


@pytest.mark.slow
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@example(body={"jsonrpc": "2.0", "id": 10**400, "method": "ping"}, sent={})
@example(body={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_weather"}}, sent={})
@given(body=bodies, sent=headers)
def test_generated_messages_get_documented_responses(chat: Chat, body: Any, sent: dict[str, str]) -> None:
    check(chat, json.dumps(body), sent)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(body=st.text(max_size=60) | st.sampled_from(("[" * 500, '{"a":' * 500, "1" * 5_000, '"\\ud800"', "-", "\ud800")))
def test_generated_texts_get_documented_responses(chat: Chat, body: str) -> None:
    check(chat, body, {})
