"""Contract harness of the Ollama adapter: its creation, and the server's validation of requests."""

import json
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, cast

import ollama
from ollama._types import ChatRequest
from pydantic import AfterValidator, ConfigDict

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.messages import Json
from functions.chat.providers.ollama.adapter import OllamaProvider
from functions.chat.providers.retry import RetryPolicy
from tests.contract.http_playback import mock_transport
from tests.contract.streamed_wire import pieces
from tests.contract.wire_script import Playback, Wire, WireAnswer, WireRequest, function_tools

CLOSED = ConfigDict(extra="forbid", strict=True)


class _Function(ollama.Message.ToolCall.Function):
    model_config = CLOSED


class _ToolCall(ollama.Message.ToolCall):
    """With the id that the server's own type has (`api/types.go`) and the client library's has not yet."""

    model_config = CLOSED
    id: str | None = None
    function: _Function  # pyright: ignore[reportIncompatibleVariableOverride] # narrowed


def _is_picture(text: str) -> str:
    """Return the base64 that the client library sends for a picture."""
    assert ollama.Image(value=text).model_dump() == text
    return text


class _Message(ollama.Message):
    """With the call's id in a result, as the server's own type has it."""

    model_config = CLOSED
    role: Literal["system", "user", "assistant", "tool"]  # pyright: ignore[reportIncompatibleVariableOverride] # narrowed
    content: str = ""  # pyright: ignore[reportIncompatibleVariableOverride] # narrowed
    tool_calls: list[_ToolCall] | None = None  # pyright: ignore[reportIncompatibleVariableOverride] # narrowed
    tool_call_id: str | None = None
    images: list[Annotated[str, AfterValidator(_is_picture)]] | None = None  # pyright: ignore[reportIncompatibleVariableOverride] # narrowed


class _Options(ollama.Options):
    model_config = CLOSED


class _ToolFunction(ollama.Tool.Function):
    """Its `parameters` stay open: they are JSON Schema."""

    model_config = CLOSED


class _Tool(ollama.Tool):
    model_config = CLOSED
    function: _ToolFunction | None = None  # pyright: ignore[reportIncompatibleVariableOverride] # narrowed


class OllamaRequest(ChatRequest):
    """The library's request with every object in it closed, and nothing converted."""

    model_config = CLOSED
    messages: list[_Message] | None = None  # pyright: ignore[reportIncompatibleVariableOverride] # narrowed
    options: _Options | None = None  # pyright: ignore[reportIncompatibleVariableOverride] # narrowed
    tools: list[_Tool] | None = None  # pyright: ignore[reportIncompatibleVariableOverride] # narrowed


class OllamaWire:
    type: ProviderType = "ollama"
    model = "llama3.1:8b"
    key = "key-of-the-contract-suite"
    lacks: frozenset[str] = frozenset({"content_filter", "refusal"})

    def provider(self, playback: Playback, *, retry: RetryPolicy, timeout_ms: int) -> OllamaProvider:
        config = LlmConfig(
            type="ollama",
            base_url="http://ollama.test:11434",
            api_key=self.key,
            timeout_ms=timeout_ms,
            max_retries=retry.max_retries or 0,
        )
        return OllamaProvider("main", config, retry=retry, transport=mock_transport(playback))

    def tools(self) -> Sequence[dict[str, Json]]:
        return function_tools()

    def check_request(self, request: WireRequest) -> None:
        assert request.url == "http://ollama.test:11434/api/chat"
        assert request.headers["authorization"] == f"Bearer {self.key}"
        assert request.headers["content-type"] == "application/json"
        assert self.key.encode() not in request.content
        OllamaRequest.model_validate_json(request.content)
        body = cast("dict[str, Any]", request.body)
        assert body["stream"] is False
        check_ollama_conversation(body["messages"])

    def plain_request(self, request: WireRequest) -> WireRequest:
        body = cast("dict[str, Json]", request.body)
        assert body["stream"] is True
        return request.model_copy(update={"content": json.dumps({**body, "stream": False}).encode()})

    def streamed(self, answer: WireAnswer) -> WireAnswer:
        """Return the lines of the server: thinking, text, calls, and the statistics at the end."""
        body = cast("dict[str, Any]", answer.body)
        lines = [json.dumps(part) for part in _streamed_parts(body)]
        stream = "".join(f"{line}\n" for line in lines)
        if answer.fault == "cut":
            stream = "\n" * len(stream) + stream
        headers = {**answer.headers, "content-type": "application/x-ndjson"}
        return answer.model_copy(update={"text": stream, "headers": headers})


def _streamed_parts(body: dict[str, Any]) -> Iterator[Json]:
    message = body.get("message")
    if message is None:
        yield body
        return
    head: dict[str, Json] = {"model": body.get("model"), "done": False}
    for name in ("thinking", "content"):
        for piece in pieces(message.get(name) or ""):
            yield {**head, "message": {"role": "assistant", "content": "", name: piece}}
    for call in message.get("tool_calls") or ():
        yield {**head, "message": {"role": "assistant", "content": "", "tool_calls": [call]}}
    yield {**body, "message": {"role": "assistant", "content": ""}}


def check_ollama_conversation(messages: list[dict[str, Any]]) -> None:
    """Every call answered once before the next turn, by the name of its tool and its id."""
    open_calls: dict[str, str] = {}
    for message in messages:
        if message["role"] == "tool":
            assert open_calls.pop(message["tool_call_id"], None) == message["tool_name"], (
                "a result answers no open call"
            )
            continue
        assert not open_calls, f"calls without a result: {open_calls}"
        open_calls = {call["id"]: call["function"]["name"] for call in message.get("tool_calls", [])}
        assert len(open_calls) == len(message.get("tool_calls", [])), "a call id twice"
    assert not open_calls, f"calls without a result: {open_calls}"


WIRE: Wire = OllamaWire()
