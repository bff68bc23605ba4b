"""Chunks of OpenAI's Chat Completions: deltas by index, the usage in a chunk of its own."""

import json
from collections.abc import Iterator
from typing import Any, ClassVar, cast

from dev.demo_model.conversation import Conversation
from dev.demo_model.http import Answer
from dev.demo_model.protocols.framing import server_sent_event, split
from flexchat.messages import Json


class OpenAIStream:
    """Server-sent events with `[DONE]` after the last one."""

    content_type: ClassVar[str] = "text/event-stream; charset=utf-8"

    def events(self, conversation: Conversation, answer: Json, characters: int) -> Iterator[Json]:
        body = cast("dict[str, Any]", answer)
        choice = body["choices"][0]
        shared: dict[str, Json] = {
            **{name: body[name] for name in ("id", "created", "model")},
            "object": "chat.completion.chunk",
            **({"usage": None} if conversation.stream_usage else {}),
        }
        for delta in _deltas(choice["message"], characters):
            yield {**shared, "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}]}
        if error := body.get("error"):
            shared["error"] = error
        reason = choice["finish_reason"]
        yield {**shared, "choices": [{"index": 0, "delta": {}, "logprobs": None, "finish_reason": reason}]}
        if conversation.stream_usage:
            yield {**shared, "choices": [], "usage": body["usage"]}

    def error(self, refusal: Answer) -> Json:
        return json.loads(refusal.body)

    def encode(self, event: Json, padding: int = 0) -> bytes:
        return server_sent_event(event, padding=padding)

    def end(self) -> bytes:
        return b"data: [DONE]\n\n"


def _deltas(message: dict[str, Any], characters: int) -> Iterator[Json]:
    refusal: str | None = message["refusal"]
    content: str | None = message["content"]
    calls: list[dict[str, Any]] = message.get("tool_calls", [])
    yield {"role": "assistant", "content": None if content is None else "", "refusal": None}
    for piece in split(message.get("reasoning_content", ""), characters):
        yield {"reasoning_content": piece}
    for piece in split(refusal or "", characters):
        yield {"refusal": piece}
    for piece in split(content or "", characters):
        yield {"content": piece}
    for index, call in enumerate(calls):
        function = call["function"]
        begun: Json = {**call, "index": index, "function": {"name": function["name"], "arguments": ""}}
        yield {"tool_calls": [begun]}
        for piece in split(function["arguments"], characters):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}
