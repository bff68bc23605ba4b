"""Lines of Ollama's `/api/chat`: pieces of text, whole calls, and the counts in the last line."""

import json
from collections.abc import Iterator
from typing import Any, ClassVar, cast

from dev.demo_model.conversation import Conversation
from dev.demo_model.http import Answer
from dev.demo_model.protocols.framing import json_bytes, split
from flexchat.messages import Json


class OllamaStream:
    """One JSON object in each line; the last one is `done`."""

    content_type: ClassVar[str] = "application/x-ndjson"

    def events(self, conversation: Conversation, answer: Json, characters: int) -> Iterator[Json]:
        del conversation
        body = cast("dict[str, Any]", answer)
        for message in _messages(body["message"], characters):
            yield {"model": body["model"], "created_at": body["created_at"], "message": message, "done": False}
        yield {**body, "message": {"role": "assistant", "content": ""}}

    def error(self, refusal: Answer) -> Json:
        return json.loads(refusal.body)

    def encode(self, event: Json, padding: int = 0) -> bytes:
        return json_bytes(event, padding) + b"\n"

    def end(self) -> bytes:
        return b""


def _messages(message: dict[str, Any], characters: int) -> Iterator[Json]:
    for piece in split(message.get("thinking", ""), characters):
        yield {"role": "assistant", "content": "", "thinking": piece}
    for piece in split(message["content"], characters):
        yield {"role": "assistant", "content": piece}
    for call in message.get("tool_calls", []):
        yield {"role": "assistant", "content": "", "tool_calls": [call]}
