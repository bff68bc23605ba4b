"""Messages that the Bedrock adapter sends."""

from typing import Any

import pytest

from flexchat.messages import (
    Json,
    Message,
    ProviderState,
    Reasoning,
    Text,
    ToolCall,
    ToolOutput,
    assistant,
    system,
    user,
)
from tests.contract.bedrock_wire import check_bedrock_body
from tests.unit.providers.bedrock_service import HELLO, TOOL, Service, provider_of, send_chat, turn

ORIGIN = "main:amazon.nova-pro-v1:0"
"""Origin of the state in these conversations."""


def body_of(*messages: Message, **options: Any) -> dict[str, Any]:
    """Return the request for `messages`, validated by the provider's types."""
    service = Service()
    send_chat(provider_of(service), messages, **options)
    (body,) = service.bodies
    check_bedrock_body(body)
    return body


@pytest.mark.parametrize("options", [{}, {"tools": [TOOL], "tool_choice": "none"}], ids=["none", "forbidden"])
def test_calls_in_the_history_are_described_as_text_without_tools(options: dict[str, Any]) -> None:
    state = ProviderState("bedrock", {"reasoningText": {"text": "Hm.", "signature": "s"}}, ORIGIN)
    calls = (ToolCall("a", "get weather", {"q": 1}, '{"q": 1}'), ToolCall("b", "t", {}, ""))
    outputs = (ToolOutput("a", "get weather", "22"), ToolOutput("b", "t", "no such place", is_error=True))

    body = body_of(
        user("Hello"),
        Message("assistant", (Reasoning(state, "Hm."), Text("Let me see."), *calls)),
        Message("tool", outputs),
        **options,
    )

    assert "toolConfig" not in body
    assert body["messages"] == [
        HELLO,
        {
            "role": "assistant",
            "content": [
                {"text": "Let me see."},
                {"text": '(called get weather with {"q": 1})'},
                {"text": "(called t with {})"},
            ],
        },
        {"role": "user", "content": [{"text": "(get weather answered: 22)"}, {"text": "(t failed: no such place)"}]},
    ]


def test_consecutive_messages_of_one_role_are_one_turn_and_empty_ones_are_omitted() -> None:
    calls = Message("assistant", (ToolCall("a", "t", {}, ""), ToolCall("b", "t", {}, "")))
    results = [Message("tool", (ToolOutput(call_id, "t", "22"),)) for call_id in ("a", "b")]

    body = body_of(
        system("Be short."),
        assistant("Welcome!"),
        user("Hello"),
        Message("assistant", ()),
        user(" "),
        user("Still there?"),
        calls,
        *results,
        user("And?"),
        system("Be kind."),
        system(" "),
        tools=[TOOL],
    )

    assert body["system"] == [{"text": "Be short."}, {"text": "Be kind."}]
    assert [(message["role"], len(message["content"])) for message in body["messages"]] == [
        ("user", 1),
        ("assistant", 1),
        ("user", 2),
        ("assistant", 2),
        ("user", 3),
    ]


def test_a_conversation_without_user_text_gets_a_first_user_message() -> None:
    assert body_of()["messages"] == [{"role": "user", "content": [{"text": "(no user message)"}]}]


@pytest.mark.parametrize(
    ("output", "content"),
    [
        (ToolOutput("a", "t", '{"success":true,"result":[1]}'), {"json": {"success": True, "result": [1]}}),
        (ToolOutput("a", "t", "22 degrees"), {"text": "22 degrees"}),
        (ToolOutput("a", "t", " "), {"text": "(nothing)"}),
        (ToolOutput("a", "t", "[1,2]"), {"text": "[1,2]"}),
        (ToolOutput("a", "t", '{"a":[{"id":9007199254740993}]}'), {"text": '{"a":[{"id":9007199254740993}]}'}),
    ],
)
@pytest.mark.parametrize(("is_error", "status"), [(False, "success"), (True, "error")])
def test_a_result_is_an_object_or_text_without_losses(
    output: ToolOutput, content: Json, is_error: bool, status: str
) -> None:
    call = Message("assistant", (ToolCall("a", "t", {}, ""),))
    result = Message("tool", (ToolOutput(output.call_id, output.name, output.content, is_error),))

    body = body_of(user("Hello"), call, result, tools=[TOOL])

    assert body["messages"][2]["content"] == [
        {"toolResult": {"toolUseId": "a", "content": [content], "status": status}}
    ]


def test_invalid_ids_names_and_arguments_are_converted() -> None:
    calls = (
        ToolCall("call:1/ü", "functions.get weather", {"q": 1}, ""),
        ToolCall("x" * 65, "n" * 70, None, "{oops", problem="not JSON"),
        ToolCall("c", "", {"half": "\ud83d"}, ""),
    )
    outputs = tuple(ToolOutput(call.id, call.name, "{}") for call in calls)

    body = body_of(user("Hello"), Message("assistant", calls), Message("tool", outputs), tools=[TOOL])

    written = [block["toolUse"] for block in body["messages"][1]["content"]]
    answered = [block["toolResult"]["toolUseId"] for block in body["messages"][2]["content"]]
    assert [(use["name"], use["input"]) for use in written] == [
        ("functions_get_weather", {"q": 1}),
        ("n" * 64, {"unreadable_arguments": "{oops"}),
        ("unnamed_tool", {"half": "?"}),
    ]
    assert [use["toolUseId"] for use in written] == answered
    assert answered[2] == "c"


def test_signed_reasoning_is_sent_back_in_its_position() -> None:
    blocks: list[Json] = [
        {"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "c2ln"}}},
        {"reasoningContent": {"redactedContent": "cmVkYWN0ZWQ="}},
        {"text": "Let me see."},
        {"toolUse": {"toolUseId": "a", "name": "t", "input": {"q": 1}}},
    ]
    service = Service(turn(*blocks, stop="tool_use"), turn({"text": "Done."}))
    provider = provider_of(service)

    reply = send_chat(provider, tools=[TOOL]).message
    send_chat(provider, [user("Hello"), reply, Message("tool", (ToolOutput("a", "t", "1"),))], tools=[TOOL])

    assert service.bodies[1]["messages"][1] == {"role": "assistant", "content": blocks}
    check_bedrock_body(service.bodies[1])
    assert reply.parts == (
        Reasoning(ProviderState("bedrock", {"reasoningText": {"text": "Hm.", "signature": "c2ln"}}, ORIGIN), "Hm."),
        Reasoning(ProviderState("bedrock", {"redactedContent": "cmVkYWN0ZWQ="}, ORIGIN)),
        Text("Let me see."),
        ToolCall("a", "t", {"q": 1}, '{"q": 1}'),
    )


@pytest.mark.parametrize(
    "state",
    [
        ProviderState("bedrock", {"reasoningText": {"text": "Hm."}}, ORIGIN),
        ProviderState("bedrock", None, ORIGIN),
        ProviderState("anthropic", {"reasoningText": {"text": "Hm.", "signature": "s"}}, ORIGIN),
    ],
    ids=["unsigned", "unknown", "another provider"],
)
def test_reasoning_that_is_not_required_is_omitted(state: ProviderState) -> None:
    body = body_of(
        user("Hello"), Message("assistant", (Reasoning(state, "Hm."), Text("Hi"))), user("And?"), tools=[TOOL]
    )

    assert body["messages"][1]["content"] == [{"text": "Hi"}]


def test_reasoning_without_a_result_is_omitted() -> None:
    state = ProviderState("bedrock", {"reasoningText": {"text": "Hm.", "signature": "s"}}, ORIGIN)

    body = body_of(user("Hello"), Message("assistant", (Reasoning(state, "Hm."),)), user("And?"), tools=[TOOL])

    assert body["messages"] == [{"role": "user", "content": [{"text": "Hello"}, {"text": "And?"}]}]
