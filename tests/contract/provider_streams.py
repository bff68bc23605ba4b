"""Events of recorded responses, as the APIs of Anthropic, Gemini and Bedrock stream them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tests.contract.streamed_wire import pieces

type Event = dict[str, Any]


def anthropic_events(message: Mapping[str, Any]) -> Iterator[Event]:
    """Yield the events of a message; its usage comes in two parts, the end with the last."""
    usage: Event = message.get("usage") or {}
    known_first: Event = {name: count for name, count in usage.items() if name != "output_tokens_details"}
    start: Event = {**message, "content": [], "stop_reason": None, "usage": {**known_first, "output_tokens": 1}}
    yield {"type": "message_start", "message": start}
    yield {"type": "ping"}
    for index, block in enumerate(message["content"]):
        yield from _anthropic_block(index, block)
    details = {"stop_details": message["stop_details"]} if "stop_details" in message else {}
    delta = {"stop_reason": message.get("stop_reason"), "stop_sequence": None, **details}
    totals: Event = {"input_tokens": None, "output_tokens": usage.get("output_tokens", 0)}
    if "output_tokens_details" in usage:
        totals["output_tokens_details"] = usage["output_tokens_details"]
    yield {"type": "message_delta", "delta": delta, "usage": totals}
    yield {"type": "message_stop"}


_ANTHROPIC_PIECES = {
    "text": [("text", "text_delta", "text")],
    "thinking": [("thinking", "thinking_delta", "thinking"), ("signature", "signature_delta", "signature")],
    "tool_use": [("input", "input_json_delta", "partial_json")],
}
"""Fields that are sent in pieces, by the type of their block: the type of the delta and its field."""


def _anthropic_block(index: int, block: Event) -> Iterator[Event]:
    fields = [field for field in _ANTHROPIC_PIECES.get(block["type"], []) if field[0] in block]
    empty: Event = {name: {} if name == "input" else "" for name, _, _ in fields}
    yield {"type": "content_block_start", "index": index, "content_block": {**block, **empty}}
    for name, kind, piece_name in fields:
        text = _arguments(block[name]) if name == "input" else block[name]
        for piece in (text,) if name == "signature" else ("", *pieces(text)):
            yield {"type": "content_block_delta", "index": index, "delta": {"type": kind, piece_name: piece}}
    yield {"type": "content_block_stop", "index": index}


def _arguments(value: Any) -> str:
    """Return the JSON of arguments; a text is JSON that the model wrote wrongly."""
    return value if isinstance(value, str) else json.dumps(value)


def gemini_chunks(response: Mapping[str, Any]) -> Iterator[Event]:
    """Yield the chunks of a response: the parts one by one, the finish reason and the whole usage in the last."""
    common = {name: response[name] for name in ("modelVersion", "responseId") if name in response}
    candidates = response.get("candidates")
    if not candidates:
        yield dict(response)
        return
    candidate: Event = candidates[0]
    content: Event = candidate.get("content") or {}
    usage = {"promptTokenCount": response.get("usageMetadata", {}).get("promptTokenCount", 0)}
    for part in _gemini_pieces(content.get("parts") or []):
        piece: Event = {**candidate, "content": {**content, "parts": [part]}}
        piece.pop("finishReason", None)
        yield {"candidates": [piece], "usageMetadata": usage, **common}
    last: Event = {name: value for name, value in candidate.items() if name != "content"}
    if content:
        last["content"] = {**content, "parts": [{"text": ""}]}
    yield {**response, "candidates": [last]}


def _gemini_pieces(parts: Iterable[Event]) -> Iterator[Event]:
    for part in parts:
        if "text" in part and "thoughtSignature" not in part:
            yield from ({**part, "text": piece} for piece in pieces(part["text"]))
        else:
            yield part


def converse_events(response: Mapping[str, Any]) -> Iterator[tuple[str, Event]]:
    """Yield the events of a response with their names; each has padding, as the service adds it."""
    yield "messageStart", {"role": "assistant", "p": "abc"}
    for index, block in enumerate(response["output"]["message"]["content"]):
        start, deltas = _converse_block(block)
        if start:
            yield "contentBlockStart", {"contentBlockIndex": index, "start": start, "p": "ab"}
        for delta in deltas:
            yield "contentBlockDelta", {"contentBlockIndex": index, "delta": delta, "p": "abcdefgh"}
        yield "contentBlockStop", {"contentBlockIndex": index, "p": "a"}
    yield "messageStop", {"stopReason": response.get("stopReason"), "p": "abcd"}
    yield "metadata", {"usage": response.get("usage"), "metrics": {"latencyMs": 551}, "p": "abcde"}


def _converse_block(block: Event) -> tuple[Event | None, list[Event]]:
    match block:
        case {"toolUse": {"input": value, **use}}:
            return {"toolUse": use}, [{"toolUse": {"input": piece}} for piece in ("", *pieces(_arguments(value)))]
        case {"toolUse": use}:
            return {"toolUse": use}, []
        case {"reasoningContent": {"reasoningText": reasoning}}:
            deltas: list[Event] = [{"text": piece} for piece in pieces(reasoning["text"])]
            deltas += [{"signature": reasoning["signature"]}] if "signature" in reasoning else []
            return None, [{"reasoningContent": delta} for delta in deltas]
        case {"reasoningContent": _}:
            return None, [block]
        case _:
            return None, [{"text": piece} for piece in pieces(block.get("text", ""))]
