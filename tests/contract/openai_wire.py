"""Contract harness of the OpenAI adapter: its creation, and the server's validation of requests."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

from openai.types.chat.completion_create_params import (
    CompletionCreateParamsNonStreaming,
    CompletionCreateParamsStreaming,
)

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.messages import Json
from functions.chat.providers.openai.adapter import OpenAIProvider
from functions.chat.providers.retry import RetryPolicy
from tests.contract.closed_types import closed
from tests.contract.http_playback import mock_transport
from tests.contract.streamed_wire import pieces, sse
from tests.contract.wire_script import Playback, Wire, WireAnswer, WireRequest, function_tools

REQUEST = closed(CompletionCreateParamsNonStreaming)
STREAMED_REQUEST = closed(CompletionCreateParamsStreaming)


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
        return OpenAIProvider("main", config, retry=retry, transport=mock_transport(playback))

    def tools(self) -> Sequence[dict[str, Json]]:
        return function_tools()

    def check_request(self, request: WireRequest) -> None:
        assert request.url == "https://openai.test/v1/chat/completions"
        assert request.headers["authorization"] == f"Bearer {self.key}"
        assert request.headers["content-type"] == "application/json"
        assert self.key not in request.url
        REQUEST.validate_python(_of_openai(request))
        _check_conversation(cast("dict[str, Any]", request.body)["messages"])

    def plain_request(self, request: WireRequest) -> WireRequest:
        STREAMED_REQUEST.validate_python(_of_openai(request))
        body = cast("dict[str, Json]", request.body)
        assert (body.pop("stream"), body.pop("stream_options")) == (True, {"include_usage": True})
        return request.model_copy(update={"content": json.dumps(body).encode()})

    def streamed(self, answer: WireAnswer) -> WireAnswer:
        """Return the chunks of the server."""
        chunks = list(_chunks(cast("dict[str, Any]", answer.body)))
        return sse(*(f"data: {json.dumps(chunk)}" for chunk in chunks), "data: [DONE]", answer=answer)


STATE_FIELDS = ("reasoning_content", "reasoning", "reasoning_details", "extra_content")


def _of_openai(request: WireRequest) -> Any:
    """Return the body without the state of models, whose fields are those of compatible servers."""
    body = cast("dict[str, Any]", request.body)
    for message in body["messages"]:
        for part in (message, *message.get("tool_calls", ())):
            for name in STATE_FIELDS:
                part.pop(name, None)
    return body


def _chunks(body: dict[str, Any]) -> Iterator[Any]:
    """Yield the role, the refusal, the text, the calls with their arguments, the finish reason, and usage."""
    if "choices" not in body:
        yield body
        return
    head: dict[str, Any] = {
        **{name: body[name] for name in ("id", "created", "model") if name in body},
        "object": "chat.completion.chunk",
    }
    choice = body["choices"][0]
    for delta in ({"role": "assistant", "content": ""}, *_deltas(choice["message"])):
        yield {**head, "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}]}
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": choice.get("finish_reason")}]}
    if "usage" in body:
        yield {**head, "choices": [], "usage": body["usage"]}


def _deltas(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name in ("reasoning_content", "reasoning"):
        for piece in pieces(message.get(name) or ""):
            yield {name: piece}
    for detail in message.get("reasoning_details") or ():
        yield {"reasoning_details": [detail]}
    for name in ("refusal", "content"):
        value = message.get(name) or ""
        for piece in pieces(value) if isinstance(value, str) else [value]:
            yield {name: piece}
    for index, call in enumerate(message.get("tool_calls") or ()):
        for piece in _call_pieces(index, call):
            yield {"tool_calls": [piece]}


def _call_pieces(index: int, call: Any) -> Iterator[Any]:
    """Yield a call with its name and no arguments, then these in pieces; a malformed one in one piece."""
    try:
        texts = pieces("" + call["function"]["arguments"])
    except (KeyError, TypeError):
        yield {"index": index, **call} if isinstance(call, dict) else call
        return
    yield {"index": index, **call, "function": {**call["function"], "arguments": ""}}
    for text in texts:
        yield {"index": index, "function": {"arguments": text}}


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
