"""Signed state is returned to its own provider only, also after turns of other providers."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from flexchat.deadline import Deadline
from flexchat.messages import Json, Message, ToolOutput, system, user
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.gemini.messages import UNSIGNED
from tests.contract.anthropic_wire import AnthropicWire
from tests.contract.bedrock_wire import BedrockWire
from tests.contract.gemini_wire import GeminiWire
from tests.contract.wire_script import Playback, Wire, WireAnswer, WireRequest, exchanges, retry_policy
from tests.contract.wires import WIRES

BEGINNING = (system("Be short."), user("Follow the keys from a, then from b"))


@dataclass(frozen=True)
class Signing:
    """Signing provider with `answers` that request tools in two turns, and the signatures in them."""

    wire: Wire
    answers: tuple[Json, ...]
    signatures: tuple[str, ...]


def _gemini_turn(text: str, signature: str, *keys: str) -> Json:
    calls: list[Json] = [{"functionCall": {"name": "lookup", "args": {"key": key}}} for key in keys]
    signed: dict[str, Json] = {"functionCall": {"name": "lookup", "args": {"key": text}}, "thoughtSignature": signature}
    return {"candidates": [{"content": {"role": "model", "parts": [signed, *calls]}, "finishReason": "STOP"}]}


def _anthropic_turn(call: str, signature: str, *keys: str) -> Json:
    calls: list[Json] = [
        {"type": "tool_use", "id": f"toolu_{call}{index}", "name": "lookup", "input": {"key": key}}
        for index, key in enumerate(keys)
    ]
    thinking: Json = {"type": "thinking", "thinking": "Look it up.", "signature": signature}
    return {
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-4-5",
        "content": [thinking, *calls],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def _bedrock_turn(call: str, signature: str, *keys: str) -> Json:
    calls: list[Json] = [
        {"toolUse": {"toolUseId": f"tooluse_{call}{index}", "name": "lookup", "input": {"key": key}}}
        for index, key in enumerate(keys)
    ]
    reasoning: Json = {"reasoningContent": {"reasoningText": {"text": "Look it up.", "signature": signature}}}
    return {"output": {"message": {"role": "assistant", "content": [reasoning, *calls]}}, "stopReason": "tool_use"}


SIGNING = [
    Signing(
        GeminiWire(),
        (_gemini_turn("a", "c2lnbmVkLW9uZQ==", "b", "c"), _gemini_turn("d", "c2lnbmVkLXR3bw==")),
        ("c2lnbmVkLW9uZQ==", "c2lnbmVkLXR3bw=="),
    ),
    Signing(
        AnthropicWire(),
        (_anthropic_turn("x", "c2lnbmVkLW9uZQ==", "a", "b", "c"), _anthropic_turn("y", "c2lnbmVkLXR3bw==", "d")),
        ("c2lnbmVkLW9uZQ==", "c2lnbmVkLXR3bw=="),
    ),
    Signing(
        BedrockWire(),
        (_bedrock_turn("x", "c2lnbmVkLW9uZQ==", "a", "b", "c"), _bedrock_turn("y", "c2lnbmVkLXR3bw==", "d")),
        ("c2lnbmVkLW9uZQ==", "c2lnbmVkLXR3bw=="),
    ),
]

PAIRS = [
    pytest.param(signing, other, id=f"{signing.wire.type}-{other.type}")
    for signing in SIGNING
    for other in WIRES
    if other.type != signing.wire.type
]


@pytest.mark.parametrize(("signing", "other"), PAIRS)
def test_calls_are_sent_to_another_provider_without_their_signatures(signing: Signing, other: Wire) -> None:
    conversation = _started_conversation(signing)

    request, _ = _continued(other, conversation)

    assert not [signature for signature in signing.signatures if signature.encode() in request.content]
    assert request.content.count(b"found") == 4


@pytest.mark.parametrize(("signing", "other"), PAIRS)
def test_signatures_are_restored_for_the_provider_that_signed_them(signing: Signing, other: Wire) -> None:
    conversation = _started_conversation(signing)
    _, answer = _continued(other, conversation)

    request, _ = _continued(signing.wire, (*conversation, answer, user("And now?")))

    assert [request.content.count(signature.encode()) for signature in signing.signatures] == [1, 1]


@pytest.mark.parametrize("signing", SIGNING[1:], ids=lambda signing: signing.wire.type)
def test_turns_of_calls_by_another_provider_are_described_to_gemini(signing: Signing) -> None:
    request, _ = _continued(GeminiWire(), _started_conversation(signing))

    assert request.content.count(UNSIGNED.encode()) == 2


def _started_conversation(signing: Signing) -> Sequence[Message]:
    """The conversation after two turns of calls and their results, as the provider's own adapter read it."""
    playback = Playback([WireAnswer(headers={}, body=answer) for answer in signing.answers])
    provider = signing.wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000)
    conversation: list[Message] = [*BEGINNING]
    for _ in signing.answers:
        turn = provider.generate_chat(conversation, signing.wire.model, _options(signing.wire)).message
        results = [Message("tool", (ToolOutput(call.id, call.name, '{"found":true}'),)) for call in turn.tool_calls]
        conversation += [turn, *results]
    for request in playback.requests:
        signing.wire.check_request(request)
    return conversation


def _continued(wire: Wire, conversation: Sequence[Message]) -> tuple[WireRequest, Message]:
    """The request for the next turn, accepted by the provider's oracle, and the answer to it."""
    playback = Playback([exchanges(wire, "plain_hello")[0].answer])
    provider = wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000)
    answer = provider.generate_chat(conversation, wire.model, _options(wire)).message
    (request,) = playback.requests
    wire.check_request(request)
    return request, answer


def _options(wire: Wire) -> ChatOptions:
    return ChatOptions(Deadline.after(30), tools=wire.tools())
