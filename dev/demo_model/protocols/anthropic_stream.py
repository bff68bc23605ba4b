"""Events of Anthropic's Messages API: each block begins, grows and ends; the message has its reason at the end."""

import json
from collections.abc import Iterator
from typing import Any, ClassVar, cast

from dev.demo_model.conversation import Conversation
from dev.demo_model.http import Answer
from dev.demo_model.protocols.framing import server_sent_event, split, split_json
from flexchat.messages import Json

_FIRST_OUTPUT_TOKENS = 1
"""Output tokens that a message has at its start; their count is in its last event but one."""


class AnthropicStream:
    """Server-sent events, named by their type."""

    content_type: ClassVar[str] = "text/event-stream; charset=utf-8"

    def events(self, conversation: Conversation, answer: Json, characters: int) -> Iterator[Json]:
        del conversation
        body = cast("dict[str, Any]", answer)
        usage: dict[str, Any] = body["usage"]
        begun: Json = {
            **body,
            "content": [],
            "stop_reason": None,
            "usage": {**usage, "output_tokens": _FIRST_OUTPUT_TOKENS},
        }
        yield {"type": "message_start", "message": begun}
        yield {"type": "ping"}
        blocks: list[dict[str, Any]] = body["content"]
        for index, block in enumerate(blocks):
            yield {"type": "content_block_start", "index": index, "content_block": _begun(block)}
            for delta in _deltas(block, characters):
                yield {"type": "content_block_delta", "index": index, "delta": delta}
            yield {"type": "content_block_stop", "index": index}
        reason: Json = {"stop_reason": body["stop_reason"], "stop_sequence": body["stop_sequence"]}
        yield {"type": "message_delta", "delta": reason, "usage": {"output_tokens": usage["output_tokens"]}}
        yield {"type": "message_stop"}

    def error(self, refusal: Answer) -> Json:
        return json.loads(refusal.body)

    def encode(self, event: Json, padding: int = 0) -> bytes:
        return server_sent_event(event, name=str(cast("dict[str, Any]", event)["type"]), padding=padding)

    def end(self) -> bytes:
        return b""


def _begun(block: dict[str, Any]) -> Json:
    match block["type"]:
        case "tool_use":
            return {**block, "input": {}}
        case "thinking":
            return {**block, "thinking": "", "signature": ""}
        case _:
            return {**block, "text": ""}


def _deltas(block: dict[str, Any], characters: int) -> Iterator[Json]:
    match block["type"]:
        case "tool_use":
            for piece in split_json(block["input"], characters):
                yield {"type": "input_json_delta", "partial_json": piece}
        case "thinking":
            for piece in split(block["thinking"], characters):
                yield {"type": "thinking_delta", "thinking": piece}
            yield {"type": "signature_delta", "signature": block["signature"]}
        case _:
            for piece in split(block["text"], characters):
                yield {"type": "text_delta", "text": piece}
