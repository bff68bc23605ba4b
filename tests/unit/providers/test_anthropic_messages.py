"""Messages that the Anthropic adapter sends."""

import json
from collections.abc import Sequence
from typing import Any

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
from tests.contract.anthropic_wire import check_anthropic_body
from tests.unit.providers.anthropic_api import HELLO, TOOL, answered, provider_of, send_chat, texts
from tests.unit.providers.http_server import Server

ORIGIN = "claude:claude-3-5-haiku-latest"
"""Origin of the state in these conversations."""

THINKING: dict[str, Json] = {"type": "thinking", "thinking": "Weather, then.", "signature": "EqQBCgIYAhIM"}
REDACTED: dict[str, Json] = {"type": "redacted_thinking", "data": "EmwKAhgBEgy3va3pzix"}


def sent(messages: Sequence[Message]) -> Any:
    """The messages as the adapter writes them, passed by the server's own types and rules."""
    server = Server(HELLO)
    send_chat(provider_of(server), messages, tools=[TOOL])
    check_anthropic_body(json.loads(server.requests[0].content))
    return server.bodies[0]["messages"]


def test_every_system_message_is_a_separate_block() -> None:
    server = Server(HELLO)

    send_chat(provider_of(server), [system("Be short."), user("Hello"), system(" "), system("Be kind.")])

    (body,) = server.bodies
    assert body["system"] == "Be short.\n\nBe kind."
    assert body["messages"] == [{"role": "user", "content": texts("Hello")}]


def test_the_results_of_a_turn_are_first_in_the_next_user_message() -> None:
    calls = tuple(ToolCall(id=call_id, name="t", arguments={}, raw="{}") for call_id in ("a", "b"))

    assert sent(
        [
            user("Hello"),
            user("Anyone?"),
            Message("assistant", (Text("Let me see."), *calls)),
            Message("tool", (ToolOutput("a", "t", "1"),)),
            user("Quickly!"),
            Message("tool", (ToolOutput("b", "t", " ", is_error=True),)),
            assistant("One."),
            assistant("Two."),
            user("Thanks"),
        ]
    ) == [
        {"role": "user", "content": texts("Hello", "Anyone?")},
        {
            "role": "assistant",
            "content": [
                *texts("Let me see."),
                {"type": "tool_use", "id": "a", "name": "t", "input": {}},
                {"type": "tool_use", "id": "b", "name": "t", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "1"},
                {"type": "tool_result", "tool_use_id": "b", "is_error": True},
                *texts("Quickly!"),
            ],
        },
        {"role": "assistant", "content": texts("One.", "Two.")},
        {"role": "user", "content": texts("Thanks")},
    ]


def test_empty_content_is_not_sent() -> None:
    assert sent(
        [
            user("Hello"),
            Message("assistant", ()),
            Message("assistant", (Text(""), Text(" \n"))),
            user(""),
            user("half \ud83d"),
        ]
    ) == [{"role": "user", "content": texts("Hello", "half ?")}]


def test_a_conversation_starting_with_the_assistant_gets_a_first_user_message() -> None:
    assert sent([assistant("Welcome!"), user("Hello")]) == [
        {"role": "user", "content": texts("(no user message)")},
        {"role": "assistant", "content": texts("Welcome!")},
        {"role": "user", "content": texts("Hello")},
    ]


def test_content_of_another_provider_is_converted() -> None:
    foreign = ProviderState("gemini", {"thoughtSignature": "abc"}, ORIGIN)
    history = [
        user("Hello"),
        Message(
            "assistant",
            (
                Reasoning(ProviderState("openai", {"id": "rs_1"}, ORIGIN), "Hm."),
                Text("Let me see.", state=foreign),
                ToolCall(id="call:1/ü", name="functions.get weather", arguments={"a": 1}, raw="", state=foreign),
                ToolCall(id="call:2/ü", name="n" * 70, arguments=None, raw="{oops", problem="not JSON"),
                ToolCall(id="c", name="t", arguments=None, raw="", problem="nothing"),
            ),
        ),
        Message("tool", tuple(ToolOutput(call_id, "t", "x") for call_id in ("call:1/ü", "call:2/ü", "c"))),
    ]

    _, request_options, results = sent(history)

    first, second = request_options["content"][1]["id"], request_options["content"][2]["id"]
    assert first != second
    assert request_options["content"] == [
        *texts("Let me see."),
        {"type": "tool_use", "id": first, "name": "functions_get_weather", "input": {"a": 1}},
        {"type": "tool_use", "id": second, "name": "n" * 64, "input": {"unreadable_arguments": "{oops"}},
        {"type": "tool_use", "id": "c", "name": "t", "input": {}},
    ]
    assert [block["tool_use_id"] for block in results["content"]] == [first, second, "c"]


def test_thinking_is_sent_back_unchanged_in_its_position() -> None:
    call: dict[str, Json] = {"type": "tool_use", "id": "toolu_1", "name": "t", "input": {"a": 1}}
    server = Server(answered(THINKING, REDACTED, *texts("Let me see."), THINKING, call, stop_reason="tool_use"), HELLO)
    provider = provider_of(server)

    request_options = send_chat(provider, tools=[TOOL])
    result = Message("tool", (ToolOutput("toolu_1", "t", "1"),))
    send_chat(provider, [user("Hello"), request_options.message, result], tools=[TOOL])

    assert request_options.message == Message(
        "assistant",
        (
            Reasoning(ProviderState("anthropic", THINKING, ORIGIN), "Weather, then."),
            Reasoning(ProviderState("anthropic", REDACTED, ORIGIN)),
            Text("Let me see."),
            Reasoning(ProviderState("anthropic", THINKING, ORIGIN), "Weather, then."),
            ToolCall(id="toolu_1", name="t", arguments={"a": 1}, raw='{"a": 1}'),
        ),
    )
    assert server.bodies[1]["messages"][1]["content"] == [THINKING, REDACTED, *texts("Let me see."), THINKING, call]
    check_anthropic_body(server.bodies[1])


def test_thinking_without_a_result_is_not_sent_back() -> None:
    thought = Reasoning(ProviderState("anthropic", THINKING, ORIGIN), "Hm.")

    assert sent(
        [
            user("Hello"),
            Message("assistant", (Text("Once"), thought, thought)),
            user("Go on"),
            Message("assistant", (thought,)),
            user("?"),
        ]
    ) == [
        {"role": "user", "content": texts("Hello")},
        {"role": "assistant", "content": texts("Once")},
        {"role": "user", "content": texts("Go on", "?")},
    ]


def test_calls_in_the_history_are_described_as_text_without_tools() -> None:
    server = Server(HELLO)
    thought = Reasoning(ProviderState("anthropic", THINKING, ORIGIN), "Hm.")
    calls = (ToolCall("a", "get weather", {"q": 1}, '{"q": 1}'), ToolCall("b", "t", {}, ""))
    outputs = (ToolOutput("a", "get weather", "22"), ToolOutput("b", "t", "no such place", is_error=True))

    send_chat(
        provider_of(server),
        [user("Hello"), Message("assistant", (thought, Text("Let me see."), *calls)), Message("tool", outputs)],
    )

    (body,) = server.bodies
    assert body["messages"] == [
        {"role": "user", "content": texts("Hello")},
        {
            "role": "assistant",
            "content": texts("Let me see.", '(called get weather with {"q": 1})', "(called t with {})"),
        },
        {"role": "user", "content": texts("(get weather answered: 22)", "(t failed: no such place)")},
    ]
    check_anthropic_body(body)
