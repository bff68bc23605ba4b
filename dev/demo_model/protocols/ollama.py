"""Ollama's `/api/chat`: arguments are objects, calls have no ids, results match by the tool's name."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from dev.demo_model.conversation import Conversation, Reply
from dev.demo_model.http import Answer, Request
from dev.demo_model.protocols.base import (
    MODEL,
    ProtocolError,
    arguments_object,
    input_tokens,
    output_tokens,
    to_answer,
)
from dev.demo_model.protocols.ollama_stream import OllamaStream
from dev.demo_model.protocols.requests import BodyError, Lenient, input_characters, offered_tool, parse
from dev.demo_model.protocols.transcript import CallTurn, Entry, ToolOutput, TranscriptCall, UserText, conversation_of
from flexchat.messages import Json

MODEL_WITHOUT_TOOLS = "demo-text"
CONTEXT_LENGTH = 32_768
VERSION = "0.13.0"
"""Version of a server that lists capabilities."""

_MOMENT = "2026-01-01T00:00:00Z"


class _CalledFunction(Lenient):
    name: str
    arguments: dict[str, Json] = Field(default_factory=dict[str, Json])


class _Call(Lenient):
    function: _CalledFunction


class _Message(Lenient):
    role: Literal["system", "user", "assistant", "tool"]
    content: str = ""
    tool_calls: list[_Call] | None = None
    tool_name: str | None = None


class _Property(Lenient):
    type: str | list[str] | None = None
    description: str | None = None
    enum: list[Json] | None = None


class _Parameters(Lenient):
    type: str
    required: list[str] | None = None
    properties: dict[str, _Property] | None = None


class _Function(Lenient):
    name: Annotated[str, Field(min_length=1)]
    description: str = ""
    parameters: _Parameters


class _Tool(Lenient):
    type: str
    function: _Function


class _Options(Lenient):
    num_predict: int | None = None
    num_ctx: int | None = None
    temperature: float | None = None


class _ChatRequest(Lenient):
    model: str
    messages: list[_Message]
    tools: list[_Tool] = Field(default_factory=list[_Tool])
    format: Literal["", "json"] | dict[str, Json] | None = None
    options: _Options = _Options()
    stream: bool = True


class _ShowRequest(Lenient):
    model: str


class OllamaProtocol:
    """`POST /api/chat`, `POST /api/show`, `GET /api/tags` and `GET /api/version`."""

    @property
    def stream(self) -> OllamaStream:
        return OllamaStream()

    def is_chat(self, request: Request) -> bool:
        return (request.method, request.path) == ("POST", "/api/chat")

    def describe(self, request: Request) -> Json:
        match request.method, request.path:
            case "GET", "/api/version":
                return {"version": VERSION}
            case "GET", "/api/tags":
                return {"models": [_tag(MODEL), _tag(MODEL_WITHOUT_TOOLS)]}
            case "POST", "/api/show":
                return _shown(parse(_ShowRequest, request.body, _in_words).model)
            case _:
                return None

    def read(self, request: Request) -> Conversation:
        payload = parse(_ChatRequest, request.body, _in_words)
        if payload.tools and not _has_tools(payload.model):
            raise ProtocolError(f'"registry.ollama.ai/library/{payload.model}" does not support tools')
        limit = payload.options.num_predict
        return conversation_of(
            list(_entries(payload.messages)),
            model=payload.model,
            system="\n".join(message.content for message in payload.messages if message.role == "system"),
            tools=tuple(
                offered_tool(tool.function.name, tool.function.parameters.model_dump(), tool.function.description)
                for tool in payload.tools
            ),
            input_characters=input_characters(request.body),
            max_tokens=limit if limit is not None and limit > 0 else None,
            stream=payload.stream,
            form={} if payload.format == "json" else payload.format or None,
        )

    def write(self, conversation: Conversation, reply: Reply) -> Json:
        message: dict[str, Json] = {"role": "assistant", "content": reply.text}
        if reply.thinking:
            message["thinking"] = reply.thinking
        if reply.calls:
            message["tool_calls"] = [
                {"function": {"name": call.tool, "arguments": arguments_object(call.arguments)}} for call in reply.calls
            ]
        return {
            "model": conversation.model,
            "created_at": _MOMENT,
            "message": message,
            "done": True,
            # The reason is the same for calls and for a refusal, which is ordinary text.
            "done_reason": "length" if reply.finish == "length" else "stop",
            "total_duration": 2_000_000,
            "load_duration": 0,
            "prompt_eval_count": input_tokens(conversation),
            "prompt_eval_duration": 1_000_000,
            "eval_count": output_tokens(reply),
            "eval_duration": 1_000_000,
        }

    def refuse(self, error: ProtocolError) -> Answer:
        headers = {} if error.retry_after is None else {"Retry-After": error.retry_after}
        return to_answer(error.status, {"error": error.message}, headers)


def _entries(messages: Sequence[_Message]) -> Iterator[Entry]:
    """Return the call of a result: the earliest open one of its tool, or of any tool if none is named."""
    waiting: list[TranscriptCall] = []
    for index, message in enumerate(messages):
        if message.role == "user":
            yield UserText(message.content)
        elif message.role == "tool":
            call = next((call for call in waiting if message.tool_name in (None, call.tool)), None)
            if call is not None:
                waiting.remove(call)
                yield ToolOutput(call.id, message.content)
        elif message.tool_calls:
            calls = tuple(
                TranscriptCall(f"{index}.{number}", call.function.name, call.function.arguments)
                for number, call in enumerate(message.tool_calls)
            )
            waiting += calls
            yield CallTurn(calls)


def _has_tools(model: str) -> bool:
    return model.partition(":")[0] != MODEL_WITHOUT_TOOLS


def _details() -> dict[str, Json]:
    return {
        "parent_model": "",
        "format": "rules",
        "family": "demo",
        "families": ["demo"],
        "parameter_size": "0B",
        "quantization_level": "none",
    }


def _tag(model: str) -> Json:
    name = f"{model}:latest"
    return {"name": name, "model": name, "modified_at": _MOMENT, "size": 0, "digest": "demo", "details": _details()}


def _shown(model: str) -> Json:
    return {
        "modelfile": "",
        "parameters": "",
        "template": "",
        "details": _details(),
        "model_info": {"general.architecture": "demo", "demo.context_length": CONTEXT_LENGTH},
        "capabilities": ["completion", "tools"] if _has_tools(model) else ["completion"],
        "modified_at": _MOMENT,
    }


def _in_words(body_error: BodyError) -> str:
    return f"json: cannot unmarshal {body_error.dotted or 'the body'} into ChatRequest: {body_error.message}"
