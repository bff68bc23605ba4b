"""Contract harness of the OpenAI adapter: its creation, and the server's validation of requests."""

import json
import re
from collections.abc import Sequence
from typing import Any, cast

import httpx2
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.messages import Json
from functions.chat.providers.openai.adapter import OpenAIProvider
from functions.chat.providers.retry import RetryPolicy
from tests.contract.closed_types import closed
from tests.contract.httpx_playback import mock_transport
from tests.contract.wire_script import Playback, Wire, WireRequest, function_tools

REQUEST = closed(CompletionCreateParamsNonStreaming)


class OpenAIWire:
    type: ProviderType = "openai"
    model = "gpt-4o-mini"
    key = "key-of-the-contract-suite"
    lacks: frozenset[str] = frozenset()

    def provider(self, playback: Playback, *, retry: RetryPolicy, timeout_ms: int) -> OpenAIProvider:
        config = LlmConfig(
            type="openai",
            base_url="https://openai.test/v1",
            api_key=self.key,
            timeout_ms=timeout_ms,
            max_retries=retry.max_retries or 0,
        )
        return OpenAIProvider("main", config, retry=retry, transport=mock_transport(playback, httpx2))

    def tools(self) -> Sequence[dict[str, Json]]:
        return function_tools()

    def check_request(self, request: WireRequest) -> None:
        assert request.url == "https://openai.test/v1/chat/completions"
        assert request.headers["authorization"] == f"Bearer {self.key}"
        assert request.headers["content-type"] == "application/json"
        assert self.key not in request.url
        REQUEST.validate_python(request.body)
        _check_conversation(cast("dict[str, Any]", request.body)["messages"])


def _check_conversation(messages: list[dict[str, Any]]) -> None:
    """Every call answered exactly once before the next turn, ids and names as the server takes them."""
    open_calls: set[str] = set()
    seen: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] in open_calls, "a tool message answers no open call"
            open_calls.remove(message["tool_call_id"])
            continue
        assert not open_calls, f"calls without an answer: {open_calls}"
        if "tool_calls" not in message:
            assert message["content"] is not None, "null content without calls"
            continue
        assert message["tool_calls"], "an empty list of calls"
        for call in message["tool_calls"]:
            assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", call["function"]["name"])
            # vLLM and llama.cpp refuse a request with arguments that are not the JSON of an object.
            assert isinstance(json.loads(call["function"]["arguments"]), dict)
            assert len(call["id"]) <= 40
            assert call["id"] not in seen, "a call id twice"
            seen.add(call["id"])
            open_calls.add(call["id"])
    assert not open_calls, f"calls without an answer: {open_calls}"


WIRE: Wire = OpenAIWire()
