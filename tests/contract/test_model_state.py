"""State that a model's server demands back: sent to the model that made it alone, and dropped where it is refused."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pytest

from flexchat.deadline import Deadline
from flexchat.messages import Completion, Json, Message, ToolOutput, user
from functions.chat.providers.base import ChatOptions, Provider
from functions.chat.transcript import message_from_json, message_to_json
from tests.contract.wire_script import Playback, Wire, WireAnswer, retry_policy

STATE: Final = "c3RhdGU="
"""Text of the state in each of the answers below."""

CALL: Final[dict[str, Json]] = {"id": "call_1", "name": "lookup"}
ARGUMENTS: Final[dict[str, Json]] = {"key": "x"}


def answer(body: Mapping[str, Any]) -> WireAnswer:
    return WireAnswer(headers={"content-type": "application/json"}, body=dict(body))


def chat_completion(call: Mapping[str, Json] | None = None, **fields: Json) -> WireAnswer:
    function = {"name": "lookup", "arguments": json.dumps(ARGUMENTS)}
    calls = [{"id": "call_1", "type": "function", "function": function, **(call or {})}]
    message = {"role": "assistant", "content": "Let me see.", "tool_calls": calls, **fields}
    return answer({"choices": [{"message": message, "finish_reason": "tool_calls"}]})


CONVERSE_USE: Final[Json] = {"toolUse": {"toolUseId": "call_1", "name": "lookup", "input": ARGUMENTS}}
REASONING: Final[Json] = {"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": STATE}}}

ANSWERS: Final[Mapping[str, Sequence[WireAnswer]]] = {
    "openai": (
        chat_completion(reasoning_content=STATE),
        chat_completion(
            reasoning=STATE, reasoning_details=[{"type": "reasoning.text", "signature": STATE, "index": 0}]
        ),
        chat_completion({"extra_content": {"google": {"thought_signature": STATE}}}),
    ),
    "ollama": (
        answer(
            {
                "message": {
                    "role": "assistant",
                    "content": "Let me see.",
                    "thinking": STATE,
                    "tool_calls": [{"id": "call_1", "function": {"name": "lookup", "arguments": ARGUMENTS}}],
                },
                "done": True,
            }
        ),
    ),
    "gemini": (
        answer(
            {
                "candidates": [
                    {
                        "content": {
                            "role": "model",
                            "parts": [
                                {"text": "Let me see."},
                                {"functionCall": {**CALL, "args": ARGUMENTS}, "thoughtSignature": STATE},
                            ],
                        },
                        "finishReason": "STOP",
                    }
                ]
            }
        ),
    ),
    "anthropic": (
        answer(
            {
                "type": "message",
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "Hm.", "signature": STATE},
                    {"type": "text", "text": "Let me see."},
                    {"type": "tool_use", **CALL, "input": ARGUMENTS},
                ],
                "stop_reason": "tool_use",
            }
        ),
    ),
    "bedrock": (
        answer(
            {
                "output": {
                    "message": {"role": "assistant", "content": [REASONING, {"text": "Let me see."}, CONVERSE_USE]}
                },
                "stopReason": "tool_use",
                "usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2},
            }
        ),
    ),
}
"""An answer of each kind of state of each wire."""

REFUSALS: Final[Mapping[str, tuple[str, dict[str, Json]]]] = {
    "openai": ("Invalid signature in reasoning_details", {"error": {"message": "{text}"}}),
    "ollama": ("thinking is not valid", {"error": "{text}"}),
    "gemini": (
        "Thought signature is not valid",
        {"error": {"code": 400, "message": "{text}", "status": "INVALID_ARGUMENT"}},
    ),
    "anthropic": (
        "messages.1.content.0: Invalid `signature` in `thinking` block",
        {"type": "error", "error": {"type": "invalid_request_error", "message": "{text}"}},
    ),
    "bedrock": ("messages.1.content.0: Invalid `signature` in `thinking` block", {"message": "{text}"}),
}


def refusal(wire: Wire, *, status: int = 400) -> WireAnswer:
    text, form = REFUSALS[wire.type]
    body = json.loads(json.dumps(form).replace("{text}", text))
    headers = {"content-type": "application/json"}
    if wire.type == "bedrock":
        headers["x-amzn-errortype"] = "ValidationException"
    return WireAnswer(status=status, headers=headers, body=body)


def answers_of(wire: Wire) -> Sequence[WireAnswer]:
    return ANSWERS[wire.type]


def provider_of(wire: Wire, playback: Playback) -> Provider:
    return wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000)


def send(provider: Provider, wire: Wire, *messages: Message, model: str = "") -> Completion:
    return provider.generate_chat(
        [user("Look x up"), *messages], model or wire.model, ChatOptions(Deadline.after(30), tools=wire.tools())
    )


def history(turn: Message) -> tuple[Message, Message]:
    (call,) = turn.tool_calls
    return turn, Message("tool", (ToolOutput(call.id, call.name, '{"success":true}'),))


def carries_state(playback: Playback) -> list[bool]:
    """Return whether each request but the first carries the state."""
    return [STATE in request.content.decode() for request in playback.requests[1:]]


@pytest.mark.parametrize("stored", [False, True], ids=["in the loop", "stored"])
def test_state_is_sent_back_to_its_model(wire: Wire, stored: bool) -> None:
    for made in answers_of(wire):
        playback = Playback([made, made])
        provider = provider_of(wire, playback)

        turn = send(provider, wire).message
        send(provider, wire, *history(_stored(turn) if stored else turn))

        assert carries_state(playback) == [True]


def test_another_model_of_the_llm_gets_no_state(wire: Wire) -> None:
    for made in answers_of(wire):
        playback = Playback([made, made])
        provider = provider_of(wire, playback)

        send(provider, wire, *history(send(provider, wire).message), model=f"{wire.model}-next")

        assert carries_state(playback) == [False]


def test_another_llm_gets_no_state(wire: Wire) -> None:
    for made in answers_of(wire):
        first, second = Playback([made]), Playback([made])
        turn = send(provider_of(wire, first), wire).message
        other = provider_of(wire, second)
        turn = Message(turn.role, tuple(_of_another_llm(part) for part in turn.parts))

        send(other, wire, *history(turn))

        assert STATE not in second.requests[0].content.decode()


def test_state_of_an_earlier_version_has_no_origin_and_is_sent_to_no_model(wire: Wire) -> None:
    for made in answers_of(wire):
        playback = Playback([made, made])
        provider = provider_of(wire, playback)
        stored = json.loads(json.dumps(message_to_json(send(provider, wire).message)))
        for part in stored["parts"]:
            part.get("state", {}).pop("origin", None)

        send(provider, wire, *history(message_from_json(stored)))

        assert carries_state(playback) == [False]


@pytest.mark.parametrize("status", [400, 422])
def test_a_request_whose_state_is_refused_is_repeated_without_it(
    wire: Wire, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    for made in answers_of(wire):
        later = made.model_copy(update={"body": json.loads(json.dumps(made.body).replace(STATE, "bGF0ZXI="))})
        playback = Playback([made, refusal(wire, status=status), later, made])
        provider = provider_of(wire, playback)
        turn = send(provider, wire).message

        repaired = send(provider, wire, *history(turn)).message
        send(provider, wire, *history(turn), *history(repaired))

        assert carries_state(playback) == [True, False, False]
        assert "bGF0ZXI=" in playback.requests[3].content.decode()
        assert (repaired.text, playback.remaining) == ("Let me see.", 0)
    logged = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "model state dropped" in line]
    assert [(line["level"], line["provider"], line["model"]) for line in logged] == [
        ("WARNING", "main", wire.model) for _ in answers_of(wire)
    ]


def _stored(turn: Message) -> Message:
    return message_from_json(json.loads(json.dumps(message_to_json(turn))))


def _of_another_llm(part: Any) -> Any:
    stored = message_to_json(Message("assistant", (part,)))
    return message_from_json(json.loads(json.dumps(stored).replace('"main:', '"other:'))).parts[0]
