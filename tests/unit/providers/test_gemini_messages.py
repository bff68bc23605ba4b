"""Messages that the Gemini adapter sends."""

from collections.abc import Sequence
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
from functions.chat.providers.gemini.messages import UNSIGNED
from tests.contract.gemini_wire import check_gemini_body
from tests.unit.providers.gemini_server import HELLO, TOOL, Server, content, provider_of, send_chat

ORIGIN = "main:gemini-3.8-flash"
"""Origin of the state in these conversations."""


def contents_of(*messages: Message) -> list[dict[str, Any]]:
    """Return the request for `messages`, validated by the provider's types."""
    server = Server()
    send_chat(provider_of(server), messages)
    (body,) = server.bodies
    check_gemini_body(body)
    return body["contents"]


def test_every_signature_is_sent_back_with_its_part() -> None:
    parts: list[Json] = [
        {"text": "Hm.", "thought": True, "thoughtSignature": "c2lnMA=="},
        {"text": "Let me see.", "thoughtSignature": "c2lnMQ=="},
        {"functionCall": {"id": "a", "name": "t", "args": {"q": "1"}}, "thoughtSignature": "c2lnMg=="},
        {"functionCall": {"id": "b", "name": "t", "args": {"q": "2"}}},
        {"text": "", "thoughtSignature": "c2lnMw=="},
    ]
    server = Server(content(*parts, finishReason="STOP"), content({"text": "Done."}))
    provider = provider_of(server)

    turn = send_chat(provider, tools=[TOOL]).message
    results = Message("tool", (ToolOutput("a", "t", "1"), ToolOutput("b", "t", "2")))
    send_chat(provider, [user("Hello"), turn, results], tools=[TOOL])

    assert server.bodies[1]["contents"][1] == {"role": "model", "parts": parts}
    check_gemini_body(server.bodies[1])
    assert turn.parts == (
        Reasoning(_signed("c2lnMA=="), "Hm."),
        Text("Let me see.", _signed("c2lnMQ==")),
        ToolCall("a", "t", {"q": "1"}, '{"q": "1"}', state=_signed("c2lnMg==")),
        ToolCall("b", "t", {"q": "2"}, '{"q": "2"}'),
        Text("", _signed("c2lnMw==")),
    )


def _signed(signature: str) -> ProviderState:
    return ProviderState("gemini", {"thoughtSignature": signature}, ORIGIN)


def test_a_thought_without_a_signature_stays_a_thought() -> None:
    server = Server(content({"text": "Hm.", "thought": True}, {"text": "Hi"}))
    turn = send_chat(provider_of(server)).message

    assert turn.parts == (Reasoning(ProviderState("gemini", {}, ORIGIN), "Hm."), Text("Hi"))
    assert contents_of(user("Hello"), turn)[1]["parts"] == [{"text": "Hm.", "thought": True}, {"text": "Hi"}]


def test_the_first_call_without_a_gemini_signature_has_a_skip_marker() -> None:
    elsewhere = ProviderState("anthropic", {"signature": "theirs"}, ORIGIN)
    turn = Message(
        "assistant",
        (
            Reasoning(elsewhere, "Hm."),
            Text("Let me see.", elsewhere),
            ToolCall("a", "t", {}, "", state=elsewhere),
            ToolCall("b", "t", {}, ""),
        ),
    )

    _, model, _ = contents_of(
        user("Hello"), turn, Message("tool", (ToolOutput("a", "t", "{}"), ToolOutput("b", "t", "{}")))
    )

    assert model["parts"] == [
        {"text": "Let me see."},
        {"functionCall": {"id": "a", "name": "t", "args": {}}, "thoughtSignature": UNSIGNED},
        {"functionCall": {"id": "b", "name": "t", "args": {}}},
    ]


@pytest.mark.parametrize(
    ("output", "response"),
    [
        (ToolOutput("a", "t", '{"success":true,"result":[1]}'), {"success": True, "result": [1]}),
        (ToolOutput("a", "t", "22 degrees"), {"output": "22 degrees"}),
        (ToolOutput("a", "t", ""), {"output": ""}),
        (ToolOutput("a", "t", "[1,2]"), {"output": "[1,2]"}),
        (ToolOutput("a", "t", "no such place", is_error=True), {"error": "no such place"}),
        (ToolOutput("a", "t", '{"a":[{"$ref":"#/x"}]}'), {"output": '{"a":[{"$ref":"#/x"}]}'}),
        (ToolOutput("a", "t", '{"$defs":{}}'), {"output": '{"$defs":{}}'}),
        (ToolOutput("a", "t", '{"id":9007199254740993}'), {"output": '{"id":9007199254740993}'}),
        (ToolOutput("a", "t", '{"id":-9007199254740992,"ok":true}'), {"id": -9007199254740992, "ok": True}),
    ],
)
def test_a_result_is_an_object_without_losses(output: ToolOutput, response: Json) -> None:
    call = Message("assistant", (ToolCall("a", "t", {}, ""),))

    contents = contents_of(user("Hello"), call, Message("tool", (output,)))

    assert contents[2] == {
        "role": "user",
        "parts": [{"functionResponse": {"id": "a", "name": "t", "response": response}}],
    }


def test_results_are_separate_from_the_next_user_message() -> None:
    calls = Message("assistant", (ToolCall("a", "t", {}, ""), ToolCall("b", "u", {}, "")))
    results = [Message("tool", (ToolOutput(call_id, name, "{}"),)) for call_id, name in (("a", "t"), ("b", "u"))]

    contents = contents_of(user("Hello"), calls, *results, user("And?"))

    assert [(item["role"], len(item["parts"])) for item in contents] == [
        ("user", 1),
        ("model", 2),
        ("user", 2),
        ("user", 1),
    ]


def test_invalid_names_and_arguments_are_converted() -> None:
    calls = (
        ToolCall("a", "functions/get weather", {"q": 1}, ""),
        ToolCall("e", "functions.get:weather", {}, ""),
        ToolCall("b", "1st", None, "{oops", problem="not JSON"),
        ToolCall("c", "n" * 70, None, " ", problem="nothing"),
        ToolCall("d", "", {"half": "\ud83d"}, ""),
    )
    outputs = tuple(ToolOutput(call.id, call.name, "{}") for call in calls)

    contents = contents_of(user("Hello"), Message("assistant", calls), Message("tool", outputs))

    written = [part["functionCall"] for part in contents[1]["parts"]]
    assert [(call["name"], call["args"]) for call in written] == [
        ("functions_get_weather", {"q": 1}),
        ("functions.get:weather", {}),
        ("_1st", {"unreadable_arguments": "{oops"}),
        ("n" * 64, {}),
        ("unnamed_tool", {"half": "?"}),
    ]


@pytest.mark.parametrize(
    ("messages", "roles"),
    [
        ((assistant("Welcome!"), user("Hello")), ["user", "model", "user"]),
        ((), ["user"]),
        ((user(" "), assistant(""), user("Hello")), ["user"]),
    ],
)
def test_a_conversation_starts_with_its_user_and_has_no_empty_content(
    messages: Sequence[Message], roles: list[str]
) -> None:
    assert [item["role"] for item in contents_of(*messages)] == roles


def test_system_messages_at_any_position_are_the_system_instruction() -> None:
    server = Server()

    send_chat(provider_of(server), [system("Be short."), user("Hello"), system("Be kind."), system(" ")])

    assert server.bodies[0]["systemInstruction"] == {"parts": [{"text": "Be short."}, {"text": "Be kind."}]}
    assert server.bodies[0]["contents"] == [HELLO]
