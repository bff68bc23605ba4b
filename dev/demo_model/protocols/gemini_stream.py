"""Chunks of Gemini's `streamGenerateContent`: pieces of text, whole calls, and the finish reason in the last chunk."""

import json
from collections.abc import Iterator
from typing import Any, ClassVar, cast

from dev.demo_model.conversation import Conversation
from dev.demo_model.http import Answer
from dev.demo_model.protocols.framing import server_sent_event, split
from flexchat.messages import Json


class GeminiStream:
    """Server-sent events, each a response of `generateContent` with a part of the content."""

    content_type: ClassVar[str] = "text/event-stream"

    def events(self, conversation: Conversation, answer: Json, characters: int) -> Iterator[Json]:
        del conversation
        body = cast("dict[str, Any]", answer)
        candidate: dict[str, Any] = body["candidates"][0]
        content: dict[str, Any] = candidate["content"]
        parts: list[dict[str, Any]] = content.get("parts", [])
        prompt = body["usageMetadata"]["promptTokenCount"]
        begun: Json = {"promptTokenCount": prompt, "totalTokenCount": prompt}
        for part in parts:
            for piece in _pieces(part, characters):
                yield {
                    **body,
                    "candidates": [{"index": 0, "content": {"role": content["role"], "parts": [piece]}}],
                    "usageMetadata": begun,
                }
        # After the last part, Gemini sends the finish reason with an empty text.
        last: Json = {**content, "parts": [{"text": ""}]} if parts else content
        yield {**body, "candidates": [{**candidate, "content": last}]}

    def error(self, refusal: Answer) -> Json:
        return json.loads(refusal.body)

    def encode(self, event: Json, padding: int = 0) -> bytes:
        return server_sent_event(event, padding=padding)

    def end(self) -> bytes:
        return b""


def _pieces(part: dict[str, Any], characters: int) -> Iterator[Json]:
    if "text" not in part:
        yield part
        return
    for piece in split(part["text"], characters):
        yield {**part, "text": piece}
