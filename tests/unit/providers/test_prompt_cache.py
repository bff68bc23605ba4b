"""Prompt caches: marks of requests to Anthropic and Bedrock, keys of requests to OpenAI, and refusals of both."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import httpx2
import pytest

from flexchat.deadline import Deadline
from flexchat.messages import Json, Message, ToolCall, ToolOutput, assistant, system, user
from functions.chat.providers.base import ChatOptions, PromptCache
from functions.chat.providers.bedrock.aws.converse import ConverseError
from tests.contract.anthropic_wire import check_anthropic_body
from tests.contract.bedrock_wire import check_bedrock_body
from tests.unit.providers import anthropic_api, bedrock_service, openai_server
from tests.unit.providers.http_server import Server

CLAUDE: Final = "claude-sonnet-5"
NOVA: Final = "eu.amazon.nova-pro-v1:0"
BEDROCK_CLAUDE: Final = "eu.anthropic.claude-sonnet-5-v1:0"
LONG: Final = "Answer with the tools. " * 200
CACHE: Final = PromptCache("conversation", continues=True)
ONCE: Final = PromptCache("conversation", continues=False)
MARK: Final[Json] = {"type": "ephemeral"}
POINT: Final[dict[str, Json]] = {"cachePoint": {"type": "default"}}

CALL: Final = ToolCall(id="c1", name="t", arguments={}, raw="{}")
LOOP: Final = (
    system(LONG),
    user("First"),
    assistant("Yes."),
    user("Second"),
    Message("assistant", (CALL,)),
    Message("tool", (ToolOutput("c1", "t", "done"),)),
)


def claude(
    server: Server,
    messages: Sequence[Message] = LOOP,
    *,
    model: str = CLAUDE,
    cache: PromptCache | None = CACHE,
    times: int = 1,
    tools: Sequence[Mapping[str, Json]] = (anthropic_api.TOOL, {**anthropic_api.TOOL, "name": "u"}),
    **config: Any,
) -> dict[str, Any]:
    """Return the last request of `times` chats."""
    provider = anthropic_api.provider_of(server, **config)
    for _ in range(times):
        anthropic_api.send_chat(provider, messages, model=model, tools=tools, cache=cache)
    check_anthropic_body(server.bodies[-1])
    return server.bodies[-1]


def converse(
    service: bedrock_service.Service,
    messages: Sequence[Message] = LOOP,
    *,
    model: str = BEDROCK_CLAUDE,
    times: int = 1,
    **config: Any,
) -> dict[str, Any]:
    """Return the last request of `times` chats."""
    provider = bedrock_service.provider_of(service, **config)
    for _ in range(times):
        options = ChatOptions(Deadline.after(30), tools=(bedrock_service.TOOL,), cache=CACHE)
        provider.generate_chat(messages, model, options)
    check_bedrock_body(service.bodies[-1])
    return service.bodies[-1]


def marks(body: dict[str, Any]) -> list[str]:
    """Return the places of the marks in a request to Anthropic."""
    tools = [f"tools.{i}" for i, tool in enumerate(body.get("tools", [])) if "cache_control" in tool]
    system = body.get("system", "")
    blocks = (
        [] if isinstance(system, str) else [f"system.{i}" for i, block in enumerate(system) if "cache_control" in block]
    )
    return [*tools, *blocks, *_ends(body, "cache_control", MARK)]


def points(body: dict[str, Any]) -> list[str]:
    """Return the places of the marks in a request to Bedrock."""
    tools = [f"tools.{i}" for i, tool in enumerate(body["toolConfig"]["tools"]) if tool == POINT]
    system = [f"system.{i}" for i, block in enumerate(body["system"]) if block == POINT]
    return [*tools, *system, *_ends(body, "cachePoint", POINT["cachePoint"])]


def _ends(body: dict[str, Any], name: str, mark: Json) -> list[str]:
    return [
        f"messages.{place}.{index}"
        for place, message in enumerate(body["messages"])
        for index, block in enumerate(message["content"])
        if block.get(name) == mark
    ]


def test_anthropic_gets_marks_at_the_ends_of_tools_system_and_the_last_two_messages_of_the_user() -> None:
    body = claude(Server(anthropic_api.HELLO))

    assert marks(body) == ["tools.1", "system.0", "messages.2.0", "messages.4.0"]
    assert body["system"] == [{"type": "text", "text": LONG, "cache_control": MARK}]
    assert body["messages"][4]["content"] == [
        {"type": "tool_result", "tool_use_id": "c1", "content": "done", "cache_control": MARK}
    ]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"prompt_cache": False}, []),
        ({"profiles": {"claude-*": {"prompt_cache": False}}}, []),
        ({"cache": None}, []),
        ({"cache": ONCE}, ["tools.1", "system.0"]),
        ({"tools": ()}, ["system.0", "messages.2.0", "messages.4.0"]),
        ({"messages": [user("Short")]}, []),
        ({"messages": [user(LONG)]}, ["tools.1", "messages.0.0"]),
        ({"model": "claude-opus-4-6"}, []),
        ({"model": "claude-haiku-4-5"}, []),
        ({"model": "claude-haiku-4-5", "messages": [user(LONG * 3)]}, ["tools.1", "messages.0.0"]),
        ({"model": "claude-opus-5", "messages": [user(LONG[:2_000])]}, ["tools.1", "messages.0.0"]),
    ],
)
def test_anthropic_gets_marks_only_for_a_prompt_that_is_cached(changes: dict[str, Any], expected: list[str]) -> None:
    body = claude(Server(anthropic_api.HELLO), **changes)

    assert marks(body) == expected
    assert isinstance(body.get("system", ""), list) == ("system.0" in expected)


def refused(message: str) -> httpx2.Response:
    return httpx2.Response(400, json={"type": "error", "error": {"type": "invalid_request_error", "message": message}})


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("tools.1.cache_control: Extra inputs are not permitted", ["system.0", "messages.2.0", "messages.4.0"]),
        ("messages.2.content.0.text.cache_control: Extra inputs are not permitted", []),
        ("system.0.cache_control: unknown field", []),
        ("Prompt caching is not supported for this model", []),
    ],
)
def test_marks_that_a_server_of_anthropics_api_refuses_are_left_out_from_then_on(
    message: str, expected: list[str]
) -> None:
    server = Server(refused(message), anthropic_api.HELLO)

    body = claude(server, times=2)

    assert [marks(body) for body in server.bodies[1:]] == [expected, expected]
    assert marks(body) == expected


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (BEDROCK_CLAUDE, ["tools.1", "system.1", "messages.2.1", "messages.4.1"]),
        ("anthropic.claude-3-5-sonnet-20241022-v2:0", ["tools.1", "system.1", "messages.2.1", "messages.4.1"]),
        ("eu.anthropic.claude-3-7-sonnet-20250219-v1:0", ["tools.1", "system.1", "messages.2.1", "messages.4.1"]),
        (NOVA, ["system.1", "messages.0.1", "messages.2.1"]),
        ("anthropic.claude-3-5-sonnet-20240620-v1:0", []),
        ("anthropic.claude-3-haiku-20240307-v1:0", []),
        ("meta.llama3-3-70b-instruct-v1:0", []),
        ("arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/abc", []),
    ],
)
def test_bedrock_gets_marks_where_the_model_has_them(model: str, expected: list[str]) -> None:
    body = converse(bedrock_service.Service(), model=model)

    assert points(body) == expected


def test_a_profile_of_a_bedrock_model_adds_and_removes_marks() -> None:
    profiles = {"*/abc": {"prompt_cache": True}, "*claude*": {"prompt_cache": False}}
    arn = "arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/abc"

    assert len(points(converse(bedrock_service.Service(), model=arn, profiles=profiles))) == 4
    assert points(converse(bedrock_service.Service(), profiles=profiles)) == []
    assert points(converse(bedrock_service.Service(), prompt_cache=False)) == []


MALFORMED: Final = (
    "The model returned the following errors: Malformed input request: #/{}: extraneous key [cachePoint] "
)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (
            ConverseError(
                "AccessDeniedException",
                "You invoked an unsupported model or your request did not allow prompt caching.",
                status=403,
            ),
            [],
        ),
        (
            bedrock_service.refused(MALFORMED.format("toolConfig/tools/1")),
            ["system.1", "messages.2.1", "messages.4.1"],
        ),
        (
            bedrock_service.refused(MALFORMED.format("messages/4/content/0")),
            ["tools.1", "system.1"],
        ),
        (
            bedrock_service.refused(MALFORMED.format("system/1")),
            ["tools.1", "messages.2.1", "messages.4.1"],
        ),
    ],
    ids=["all", "tools", "messages", "system"],
)
def test_marks_that_a_bedrock_model_refuses_are_left_out_from_then_on(
    error: ConverseError, expected: list[str]
) -> None:
    service = bedrock_service.Service(error, bedrock_service.turn({"text": "Hello."}))

    converse(service, times=2)

    assert [points(body) for body in service.bodies[1:]] == [expected, expected]


def openai_key(server: openai_server.Server | None = None, *, times: int = 1, **config: Any) -> list[str | None]:
    """Return the `prompt_cache_key` of each request of `times` chats."""
    server = server or openai_server.Server()
    provider = openai_server.provider_of(server, **config)
    for _ in range(times):
        provider.generate_chat([user("Hello")], "gpt-5.1", ChatOptions(Deadline.after(30), cache=CACHE))
    return [body.get("prompt_cache_key") for body in server.bodies]


@pytest.mark.parametrize(
    ("config", "key"),
    [
        ({}, "conversation"),
        ({"base_url": "https://api.openai.com/v1"}, "conversation"),
        ({"base_url": "https://eu.api.openai.com/v1"}, "conversation"),
        ({"base_url": "https://name.openai.azure.com/openai/v1"}, "conversation"),
        ({"base_url": "https://name.openai.azure.com?api-version=2025-04-01-preview"}, "conversation"),
        ({"base_url": "https://gateway.test/azure?api-version=2025-04-01-preview"}, "conversation"),
        ({"base_url": "https://api.openai.com.evil.test/v1"}, None),
        ({"base_url": "https://notapi.openai.com/v1"}, None),
        ({"base_url": "https://openrouter.test/api/v1"}, None),
        ({"base_url": "https://mistral.test/v1", "profiles": {"*": {"prompt_cache": True}}}, "conversation"),
        ({"profiles": {"*": {"prompt_cache": False}}}, None),
        ({"prompt_cache": False}, None),
    ],
)
def test_openai_and_azure_get_the_key_of_the_conversation(config: dict[str, Any], key: str | None) -> None:
    assert openai_key(**config) == [key]


def test_a_refused_key_of_the_prompt_cache_is_left_out_from_then_on() -> None:
    refusal = openai_server.refused(
        "Unrecognized request argument supplied: prompt_cache_key", code="unrecognized_request_argument"
    )
    server = openai_server.Server(refusal, openai_server.completion({"content": "Hello."}))

    assert openai_key(server, times=2) == ["conversation", None, None]


def test_openai_gets_no_key_without_a_conversation() -> None:
    server = openai_server.Server()

    openai_server.send_chat(openai_server.provider_of(server))

    assert "prompt_cache_key" not in server.bodies[0]
