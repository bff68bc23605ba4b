"""Every way to run a tool with every kind of role: only tools of the caller's roles run.

The ways are the routes that call models or tools: a new one needs an entry here.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.errors import ModelError
from functions.chat.runs.background import RunFailedError
from tests.aws import aws_client
from tests.functional.chat.background import BackgroundChat, deploy_with_background
from tests.functional.chat.harness import CALCULATE, SIGNING_SECRET, configuration, mock_tool
from tests.functional.chat.scripted_provider import text_completion
from tests.functional.chat.streams import streamed
from tests.functional.chat.test_access import call
from tests.functional.test_counted_routes import WITHOUT_CALLS
from tests.functional.test_roles import LOWEST

TOOLS = ("get_weather", "calculate")
ARGUMENTS: dict[str, dict[str, Any]] = {"get_weather": {"location": "Paris"}, "calculate": {"expression": "1+1"}}
PROMPT = {"llm": "openai", "model": "gpt-4o", "prompt": "You help.", "tools": {"enabled": True}}

ROLES: dict[str, Any] = {
    "weather": {"tools": ["get_*"]},
    "toolless": {"tools": []},
    "ruleless": {"rules": []},
    "modelless": {"models": ["openai:other"]},
    "editor": {"may": ["configure", "validate"], "tools": ["get_*"]},
}

RUNS: dict[str, tuple[str, ...]] = {
    "operator": TOOLS,
    "user": TOOLS,
    "weather": TOOLS[:1],
    "editor": TOOLS[:1],
    "weather,toolless": TOOLS[:1],
    "user,toolless": TOOLS,
    "toolless": (),
    "ruleless": (),
    "modelless": (),
    "not_configured": (),
    "service": (),
    "": (),
}
"""Tools that run in a chat for each combination of roles."""


def chat_route(chat: BackgroundChat, _tool: str, roles: str) -> None:
    chat.post({"message": "hi"}, roles=roles)


def stream_route(chat: BackgroundChat, _tool: str, roles: str) -> None:
    streamed(chat, {"message": "hi"}, roles=roles)


def run_route(chat: BackgroundChat, _tool: str, roles: str) -> None:
    if chat.post({"message": "hi"}, roles=roles, headers={"Prefer": "respond-async"}).status == 202:
        _deliver(chat)


def _deliver(chat: BackgroundChat) -> None:
    with suppress(RunFailedError):  # of a role that no rule answers
        chat.deliver()


def resumed_route(chat: BackgroundChat, tool: str, roles: str) -> None:
    """A partial answer of a user, which is continued when the token has other roles."""
    failed = ModelError("gone", type="overloaded", provider="openai", status=529)
    chat.model.script[:] = [call("get_weather"), failed]
    partial = chat.post({"message": "hi"}, roles="user")
    assert [event["tool"] for event in chat.lambdas.executed[-1:]] == ["get_weather"]
    chat.lambdas.executed.pop()
    chat.model.script[:] = [call(tool), text_completion("done")]
    chat.post({"resume_token": partial.body["resume_token"]}, roles=roles)


def completion_route(chat: BackgroundChat, _tool: str, roles: str) -> None:
    body = {"model": "flexchat", "messages": [{"role": "user", "content": "hi"}]}
    chat.post(body, path="/v1/chat/completions", roles=roles)


def response_route(chat: BackgroundChat, _tool: str, roles: str) -> None:
    chat.post({"model": "flexchat", "input": "hi", "store": False}, path="/v1/responses", roles=roles)


def background_response_route(chat: BackgroundChat, _tool: str, roles: str) -> None:
    body = {"model": "flexchat", "input": "hi", "background": True}
    if chat.post(body, path="/v1/responses", roles=roles).status == 200:
        _deliver(chat)


def model_test_route(chat: BackgroundChat, _tool: str, roles: str) -> None:
    chat.post({"query": "hi", "model": "openai:gpt-4o"}, path="/api/tools/test", roles=roles)


def call_route(chat: BackgroundChat, tool: str, roles: str) -> None:
    chat.post({"tool": tool, "arguments": ARGUMENTS[tool]}, path="/api/tools/call", roles=roles)


def mcp_route(chat: BackgroundChat, tool: str, roles: str) -> None:
    params = {"name": tool, "arguments": ARGUMENTS[tool]}
    chat.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, path="/mcp", roles=roles)


type Way = Callable[[BackgroundChat, str, str], None]

WAYS: dict[str, tuple[str, Way]] = {
    "chat": ("POST /api/chat", chat_route),
    "streamed chat": ("POST /api/chat", stream_route),
    "background run": ("POST /api/chat", run_route),
    "resumed chat": ("POST /api/chat", resumed_route),
    "completion": ("POST /v1/chat/completions", completion_route),
    "response": ("POST /v1/responses", response_route),
    "background response": ("POST /v1/responses", background_response_route),
    "test of a model": ("POST /api/tools/test", model_test_route),
    "call of a tool": ("POST /api/tools/call", call_route),
    "mcp": ("POST /mcp", mcp_route),
}
"""Ways to run a tool, with the route of each."""

WITHOUT_TOOLS = {
    "GET /api/models/list": "lists of providers",
    "POST /api/connections/llm/discovery/models": "lists of a provider",
    "POST /api/topic/test": "a model without tools",
    "POST /api/intent/test": "a model without tools",
    "POST /api/collections/{name}/query": "an embedding",
    "POST /api/collections/{name}/calibrate": "embeddings",
    "POST /api/collections/{name}/documents": "embeddings",
    "POST /api/collections/{name}/reindex": "embeddings",
    "POST /v1/embeddings": "embeddings",
    "POST /api/tools/validate": "mock tools of cases, for who may validate: the matrix of roles",
    "POST /api/validation/runs/{id}/resume": "mock tools of cases, for who may validate: the matrix of roles",
    "POST /api/mcp/servers/{name}/refresh": "lists of tools, for operators",
    "POST /api/mcp/trials": "lists of tools, for operators",
}
"""Routes that call models or servers and run no configured tool."""


def test_every_route_that_calls_something_is_a_way_or_runs_no_tool() -> None:
    calling = LOWEST.keys() - WITHOUT_CALLS

    assert calling == {route for route, _ in WAYS.values()} | WITHOUT_TOOLS.keys()


@pytest.fixture
def chat(dynamodb: DynamoDBClient) -> BackgroundChat:
    secrets = aws_client("secretsmanager")
    secrets.create_secret(Name=SIGNING_SECRET, SecretBinary=b"k" * 32)
    config = configuration(tools=[CALCULATE, mock_tool()]) | {"roles": ROLES, "responses": [PROMPT]}
    return deploy_with_background([], config, dynamodb, secretsmanager=secrets)


@pytest.mark.parametrize("way", WAYS)
def test_only_tools_of_the_roles_run_by_any_way(chat: BackgroundChat, way: str) -> None:
    _, use = WAYS[way]
    found: dict[str, tuple[str, ...]] = {}
    for roles in RUNS:
        for tool in TOOLS:
            chat.model.script[:] = [call(tool), text_completion("done")]
            use(chat, tool, roles)
        found[roles] = tuple(event["tool"] for event in chat.lambdas.executed if "tool" in event)
        chat.lambdas.executed.clear()

    assert found == _expected(way)


def _expected(way: str) -> dict[str, tuple[str, ...]]:
    if way == "call of a tool":
        return {roles: TOOLS if roles == "operator" else () for roles in RUNS}
    return RUNS
