"""Events of Bedrock's ConverseStream in the format of Amazon's event streams."""

import json
from collections.abc import Iterator
from typing import Any, ClassVar, cast

from dev.demo_model.conversation import Conversation
from dev.demo_model.http import Answer
from dev.demo_model.protocols.framing import amazon_event, json_bytes, split, split_json
from flexchat.messages import Json

_IN_STREAM = ("internalServer", "modelStreamError", "serviceUnavailable", "throttling", "validation")
"""Exceptions of ConverseStream's output, without the ending."""


class BedrockStream:
    """Binary messages with checksums; the kind of an event is in a header, its content is JSON."""

    content_type: ClassVar[str] = "application/vnd.amazon.eventstream"

    def events(self, conversation: Conversation, answer: Json, characters: int) -> Iterator[Json]:
        del conversation
        body = cast("dict[str, Any]", answer)
        message: dict[str, Any] = body["output"]["message"]
        yield {"messageStart": {"role": message["role"]}}
        blocks: list[dict[str, Any]] = message["content"]
        for index, block in enumerate(blocks):
            yield from _block(block, index, characters)
        yield {"messageStop": {"stopReason": body["stopReason"]}}
        yield {"metadata": {"usage": body["usage"], "metrics": body["metrics"]}}

    def error(self, refusal: Answer) -> Json:
        kind = refusal.headers["x-amzn-errortype"].partition("Exception")[0]
        name = kind[:1].lower() + kind[1:]
        return {f"{name if name in _IN_STREAM else 'modelStreamError'}Exception": json.loads(refusal.body)}

    def encode(self, event: Json, padding: int = 0) -> bytes:
        ((name, content),) = cast("dict[str, dict[str, Any]]", event).items()
        kind = "exception" if name.endswith("Exception") else "event"
        headers = {f":{kind}-type": name, ":content-type": "application/json", ":message-type": kind}
        # AWS pads events against conclusions from their length; a client ignores "p".
        return amazon_event(headers, json_bytes({**content, "p": "abcd"} if kind == "event" else content, padding))

    def end(self) -> bytes:
        return b""


def _block(block: dict[str, Any], index: int, characters: int) -> Iterator[Json]:
    """Yield the events of one block; only a block with a call has a start."""
    if "toolUse" in block:
        call = block["toolUse"]
        start: Json = {"toolUse": {"toolUseId": call["toolUseId"], "name": call["name"]}}
        yield {"contentBlockStart": {"start": start, "contentBlockIndex": index}}
    for delta in _deltas(block, characters):
        yield {"contentBlockDelta": {"delta": delta, "contentBlockIndex": index}}
    yield {"contentBlockStop": {"contentBlockIndex": index}}


def _deltas(block: dict[str, Any], characters: int) -> Iterator[Json]:
    if "toolUse" in block:
        for piece in split_json(block["toolUse"]["input"], characters):
            yield {"toolUse": {"input": piece}}
    elif "reasoningContent" in block:
        reasoning = block["reasoningContent"]["reasoningText"]
        for piece in split(reasoning["text"], characters):
            yield {"reasoningContent": {"text": piece}}
        yield {"reasoningContent": {"signature": reasoning["signature"]}}
    else:
        for piece in split(block["text"], characters):
            yield {"text": piece}
