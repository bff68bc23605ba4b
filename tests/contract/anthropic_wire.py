"""Contract harness of the Anthropic adapter: its creation, and the server's validation of requests."""

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Any, cast

from pydantic import TypeAdapter

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.messages import Json
from functions.chat.providers.anthropic.adapter import AnthropicProvider
from functions.chat.providers.retry import RetryPolicy
from tests.contract.closed_types import closed
from tests.contract.http_playback import mock_transport
from tests.contract.provider_streams import anthropic_events
from tests.contract.streamed_wire import sse
from tests.contract.wire_script import TOOLS, Playback, Wire, WireAnswer, WireRequest


@cache
def request_oracle() -> TypeAdapter[Any]:
    """The library's own type of a request. It takes seconds to import, so only a test that needs it pays for it."""
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

    class Request(MessageCreateParamsNonStreaming, total=False):
        """The library describes version 2026-10-21, which has no temperature and top_p; 2023-06-01 has both."""

        temperature: float
        top_p: float

    return closed(Request)


class AnthropicWire:
    type: ProviderType = "anthropic"
    model = "claude-haiku-4-5"
    key = "key-of-the-contract-suite"
    lacks: frozenset[str] = frozenset({"content_filter"})

    def provider(self, playback: Playback, *, retry: RetryPolicy, timeout_ms: int) -> AnthropicProvider:
        config = LlmConfig(
            type="anthropic",
            base_url="https://anthropic.test",
            api_key=self.key,
            timeout_ms=timeout_ms,
            max_retries=retry.max_retries or 0,
        )
        return AnthropicProvider("main", config, retry=retry, transport=mock_transport(playback))

    def tools(self) -> Sequence[dict[str, Json]]:
        return [
            {"name": name, "description": description, "input_schema": schema} for name, description, schema in TOOLS
        ]

    def check_request(self, request: WireRequest) -> None:
        assert request.url == "https://anthropic.test/v1/messages"
        assert request.headers["x-api-key"] == self.key
        assert request.headers["anthropic-version"] == "2023-06-01"
        assert request.headers["content-type"] == "application/json"
        assert self.key.encode() not in request.content
        check_anthropic_body(request.body)

    def plain_request(self, request: WireRequest) -> WireRequest:
        body = cast("dict[str, Json]", request.body)
        assert body.pop("stream") is True
        return request.model_copy(update={"content": json.dumps(body).encode()})

    def streamed(self, answer: WireAnswer) -> WireAnswer:
        """Return the events of the server, with their names."""
        body = cast("dict[str, Any]", answer.body)
        events = anthropic_events(body) if "content" in body else [body]
        return sse(*(f"event: {event['type']}\ndata: {json.dumps(event)}" for event in events), answer=answer)


def check_anthropic_body(body: Json) -> None:
    request_oracle().validate_python(body)
    request = cast("dict[str, Any]", body)
    assert 0 <= request.get("temperature", 0) <= 1
    for tool in request.get("tools", []):
        assert tool["input_schema"]["type"] == "object"
    blocks = [block["type"] for message in request["messages"] for block in message["content"]]
    assert "tools" in request or not {"tool_use", "tool_result"}.intersection(blocks), (
        "calls where no tools are defined"
    )
    _check_conversation(request["messages"])


def _check_conversation(messages: list[dict[str, Any]]) -> None:
    """Turns alternate from the user's, each call is answered at the head of the next, no block is empty."""
    assert messages, "a conversation without messages"
    assert [message["role"] for message in messages] == [("user", "assistant")[i % 2] for i in range(len(messages))]
    seen: set[str] = set()
    open_calls: list[str] = []
    for message in messages:
        blocks: list[dict[str, Any]] = message["content"]
        assert blocks, "a message without content"
        assert all(block["text"].strip() for block in blocks if block["type"] == "text"), "a text of white space"
        head = blocks[: len(open_calls)]
        assert sorted(block.get("tool_use_id", "") for block in head) == sorted(open_calls), "a call without its result"
        assert all(block["type"] != "tool_result" for block in blocks[len(open_calls) :]), "a result without its call"
        assert message["role"] == "user" or "thinking" not in blocks[-1]["type"], "thinking that leads to nothing"
        calls = [block for block in blocks if block["type"] == "tool_use"]
        open_calls = [call["id"] for call in calls]
        for call in calls:
            assert re.fullmatch(r"[a-zA-Z0-9_-]+", call["id"])
            assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", call["name"])
            assert call["id"] not in seen, "a call id twice"
            seen.add(call["id"])
    assert not open_calls, f"calls without a result: {open_calls}"


WIRE: Wire = AnthropicWire()
