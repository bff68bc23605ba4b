"""State of the models of OpenAI-compatible servers, plain and streamed."""

from collections.abc import Callable, Sequence
from typing import Any

import httpx2
import pytest

from flexchat.messages import Completion, Json, Message, ProviderState, Reasoning, Text, ToolOutput, user
from functions.chat.providers.openai.adapter import OpenAIProvider
from tests.unit.providers.openai_server import Server, completion, provider_of, send_chat
from tests.unit.providers.test_openai_stream import DONE, calls, chunk, piece, stream, streamed

CALL = {"id": "a", "type": "function", "function": {"name": "lookup", "arguments": '{"key": "x"}'}}
RESULT = Message("tool", (ToolOutput("a", "lookup", "1"),))

SIGNED = {
    "type": "reasoning.text",
    "text": "Let me see.",
    "signature": "c2ln",
    "format": "anthropic-claude-v1",
    "index": 0,
}
ENCRYPTED = {"type": "reasoning.encrypted", "data": "ZW5j", "id": "a", "format": "google-gemini-v1", "index": 1}
EXTRA: dict[str, Json] = {"google": {"thought_signature": "c2ln"}}

type Ask = Callable[[OpenAIProvider], Completion]


def sent_back(answer: httpx2.Response, ask: Ask) -> dict[str, Any]:
    """Return the message of the assistant in the request after `answer`."""
    server = Server(answer, completion({"content": "Done."}))
    provider = provider_of(server)
    turn = ask(provider).message
    send_chat(provider, [user("Hello"), turn, RESULT])
    return server.bodies[1]["messages"][1]


def plain(provider: OpenAIProvider) -> Completion:
    return send_chat(provider)


def in_a_stream(provider: OpenAIProvider) -> Completion:
    return streamed(provider)[0]


@pytest.mark.parametrize(
    "fields",
    [
        {"reasoning_content": "Hm."},
        {"reasoning_content": ""},
        {"reasoning": "Let me see.", "reasoning_details": [SIGNED, ENCRYPTED]},
    ],
    ids=["DeepSeek, Kimi, Qwen", "DeepSeek without a thought", "OpenRouter"],
)
def test_reasoning_of_a_response_is_sent_back_unchanged(fields: dict[str, Any]) -> None:
    message = sent_back(completion({"content": None, "tool_calls": [CALL], **fields}), plain)

    assert message == {"role": "assistant", "content": None, "tool_calls": [CALL], **fields}


@pytest.mark.parametrize(
    ("deltas", "fields"),
    [
        (
            [{"reasoning_content": ""}, {"reasoning_content": "H"}, {"reasoning_content": "m."}, {"content": ""}],
            {"reasoning_content": "Hm."},
        ),
        (
            [
                {"reasoning": "Let me ", "reasoning_details": [{**SIGNED, "text": "Let me ", "signature": None}]},
                {"reasoning": "see.", "reasoning_details": [{"type": SIGNED["type"], "text": "see.", "index": 0}]},
                {"reasoning_details": [{"type": SIGNED["type"], "signature": "c2ln", "index": 0}]},
                {"reasoning_details": [{**ENCRYPTED, "index": 0}, {**ENCRYPTED, "id": "b", "index": 0}]},
                {"reasoning_details": [{"type": "reasoning.summary", "summary": "Seen"}, "unknown"]},
            ],
            {
                "reasoning": "Let me see.",
                "reasoning_details": [
                    SIGNED,
                    {**ENCRYPTED, "index": 0},
                    {**ENCRYPTED, "id": "b", "index": 0},
                    {"type": "reasoning.summary", "summary": "Seen"},
                ],
            },
        ),
    ],
    ids=["DeepSeek, Kimi, Qwen", "OpenRouter"],
)
def test_reasoning_of_a_stream_is_joined_and_sent_back(deltas: Sequence[Any], fields: dict[str, Any]) -> None:
    events = [*map(chunk, deltas), calls({"index": 0, **CALL}), chunk(None, "tool_calls"), DONE]

    message = sent_back(stream(*events), in_a_stream)

    assert message == {"role": "assistant", "content": None, "tool_calls": [CALL], **fields}


@pytest.mark.parametrize(
    ("answer", "ask"),
    [
        (completion({"content": None, "tool_calls": [{**CALL, "extra_content": EXTRA}]}), plain),
        (
            stream(
                calls(piece(0, "", id="a", name="lookup")),
                calls({**piece(0, '{"key": "x"}'), "extra_content": EXTRA}),
                chunk(None, "tool_calls"),
                DONE,
            ),
            in_a_stream,
        ),
    ],
    ids=["plain", "streamed"],
)
def test_the_signature_of_a_call_is_sent_back_with_it(answer: httpx2.Response, ask: Ask) -> None:
    message = sent_back(answer, ask)

    assert message == {"role": "assistant", "content": None, "tool_calls": [{**CALL, "extra_content": EXTRA}]}


@pytest.mark.parametrize("fields", [{"reasoning_content": None}, {"reasoning": {}, "reasoning_details": None}])
def test_fields_of_reasoning_without_a_text_are_no_state(fields: dict[str, Any]) -> None:
    server = Server(completion({"content": "Hi", **fields}))

    assert send_chat(provider_of(server)).message == Message("assistant", (Text("Hi"),))


def test_reasoning_of_messages_that_were_joined_is_joined() -> None:
    server = Server()
    parts = (
        _reasoning(reasoning_content="One.", reasoning_details=[SIGNED]),
        Text("Hi"),
        _reasoning(reasoning_content="Two.", reasoning_details=[ENCRYPTED]),
    )

    send_chat(provider_of(server), [user("Hello"), Message("assistant", parts), user("And?")])

    assert server.bodies[0]["messages"][1] == {
        "role": "assistant",
        "content": "Hi",
        "reasoning_content": "One.Two.",
        "reasoning_details": [SIGNED, ENCRYPTED],
    }


def _reasoning(**fields: Any) -> Reasoning:
    return Reasoning(ProviderState("openai", fields, "main:gpt-4o"))
