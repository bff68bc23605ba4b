"""OpenAI's Chat Completions, with the rules between messages that OpenAI's server enforces.

No key is required, as for compatible servers.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from dev.demo_model.accuracy import SKILLED
from dev.demo_model.conversation import Conversation, ForcedTool, PlannedCall, Reply
from dev.demo_model.http import Answer, Request
from dev.demo_model.protocols.base import MODEL, ProtocolError, input_tokens, output_tokens, to_answer
from dev.demo_model.protocols.openai_embeddings import PATH, embeddings
from dev.demo_model.protocols.openai_stream import OpenAIStream
from dev.demo_model.protocols.requests import dotted, input_characters, offered_tool, parse
from dev.demo_model.protocols.transcript import CallTurn, Entry, ToolOutput, TranscriptCall, UserText, conversation_of
from flexchat.messages import Json

_CREATED = 1_700_000_000
"""Fixed time, so that the same request has the same answer."""


class _Request(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _TextPart(_Request):
    type: Literal["text"]
    text: str


class _ImageUrl(_Request):
    url: Annotated[str, Field(pattern=r"^(data:image/|https?://)")]
    detail: Literal["auto", "low", "high"] = "auto"


class _ImagePart(_Request):
    type: Literal["image_url"]
    image_url: _ImageUrl


class _File(_Request):
    filename: str
    file_data: Annotated[str, Field(pattern=r"^data:application/pdf;base64,")]


class _FilePart(_Request):
    type: Literal["file"]
    file: _File


class _CalledFunction(_Request):
    name: str
    arguments: str


class _Call(_Request):
    id: str
    type: Literal["function"]
    function: _CalledFunction


class _Message(_Request):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | tuple[_TextPart | _ImagePart | _FilePart, ...] | None = None
    tool_calls: Annotated[tuple[_Call, ...], Field(min_length=1)] | None = None
    tool_call_id: str | None = None

    @property
    def text(self) -> str:
        if self.content is None or isinstance(self.content, str):
            return self.content or ""
        return "".join(part.text for part in self.content if isinstance(part, _TextPart))


class _Function(_Request):
    name: Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")]
    description: str | None = None
    parameters: dict[str, Json] = Field(default_factory=dict[str, Json])


class _Tool(_Request):
    type: Literal["function"]
    function: _Function


class _StreamOptions(_Request):
    include_usage: bool = False


class _JsonSchema(_Request):
    name: Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")]
    schema_: Annotated[dict[str, Json], Field(alias="schema", default_factory=dict[str, Json])]


class _ResponseFormat(_Request):
    type: Literal["text", "json_object", "json_schema"]
    json_schema: _JsonSchema | None = None

    @property
    def form(self) -> dict[str, Json] | None:
        """Return the JSON Schema of the answer, empty for any object; None for a text."""
        if self.type == "text":
            return None
        return self.json_schema.schema_ if self.json_schema is not None else {}


class _ChatRequest(_Request):
    model: str
    messages: Annotated[tuple[_Message, ...], Field(min_length=1)]
    tools: tuple[_Tool, ...] = ()
    tool_choice: Json = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1)] | None = None
    stream: bool | None = None
    stream_options: _StreamOptions | None = None
    response_format: _ResponseFormat | None = None


class OpenAIProtocol:
    """`POST /v1/chat/completions`, `POST /v1/embeddings` and `GET /v1/models`."""

    @property
    def stream(self) -> OpenAIStream:
        return OpenAIStream()

    def is_chat(self, request: Request) -> bool:
        return (request.method, request.path) == ("POST", "/v1/chat/completions")

    def describe(self, request: Request) -> Json:
        if (request.method, request.path) == ("POST", PATH):
            return embeddings(request)
        if (request.method, request.path) != ("GET", "/v1/models"):
            return None
        models: list[Json] = [
            {"id": name, "object": "model", "created": _CREATED, "owned_by": "flexchat"} for name in (MODEL, *SKILLED)
        ]
        return {"object": "list", "data": models}

    def read(self, request: Request) -> Conversation:
        payload = parse(_ChatRequest, request.body, dotted)
        if payload.stream_options is not None and not payload.stream:
            raise ProtocolError("The 'stream_options' parameter is only allowed when 'stream' is enabled.")
        _check_calls_are_answered(payload.messages)
        _check_json_is_named(payload)
        return conversation_of(
            [entry for message in payload.messages for entry in _entries(message)],
            model=payload.model,
            system="\n".join(message.text for message in payload.messages if message.role in ("system", "developer")),
            tools=()
            if payload.tool_choice == "none"
            else tuple(
                offered_tool(tool.function.name, tool.function.parameters, tool.function.description)
                for tool in payload.tools
            ),
            input_characters=input_characters(request.body),
            max_tokens=payload.max_completion_tokens or payload.max_tokens,
            stream=payload.stream is True,
            stream_usage=payload.stream_options is not None and payload.stream_options.include_usage,
            forced=_forced(payload),
            form=payload.response_format.form if payload.response_format is not None else None,
        )

    def write(self, conversation: Conversation, reply: Reply) -> Json:
        refused = reply.finish == "refusal"
        message: dict[str, Json] = {
            "role": "assistant",
            "content": None if refused or not reply.text else reply.text,
            "refusal": reply.text if refused else None,
        }
        if reply.thinking:
            message["reasoning_content"] = reply.thinking  # as compatible servers send it
        if reply.calls:
            message["tool_calls"] = [
                _call(call, conversation.earlier_calls + index) for index, call in enumerate(reply.calls, start=1)
            ]
        prompt, completion = input_tokens(conversation), output_tokens(reply)
        choice: Json = {
            "index": 0,
            "message": message,
            "logprobs": None,
            "finish_reason": "stop" if refused else reply.finish,
        }
        return {
            "id": f"chatcmpl-demo-{conversation.earlier_calls}-{prompt}",
            "object": "chat.completion",
            "created": _CREATED,
            "model": conversation.model,
            "choices": [choice],
            "usage": {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion},
        }

    def refuse(self, error: ProtocolError) -> Answer:
        codes: dict[int, Json] = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}
        kind = "server_error" if error.status >= 500 else "invalid_request_error"
        detail: Json = {"message": error.message, "type": kind, "param": None, "code": codes.get(error.status)}
        headers = {} if error.retry_after is None else {"Retry-After": error.retry_after}
        return to_answer(error.status, {"error": detail}, headers)


def _call(call: PlannedCall, number: int) -> Json:
    arguments = (
        call.arguments if isinstance(call.arguments, str) else json.dumps(dict(call.arguments), ensure_ascii=False)
    )
    return {"id": f"call_demo_{number}", "type": "function", "function": {"name": call.tool, "arguments": arguments}}


def _forced(payload: _ChatRequest) -> ForcedTool | None:
    """Return the tool that must be called: of any, the last one, since a client's tools follow those of the service."""
    match payload.tool_choice:
        case "required":
            chosen = payload.tools[-1:]
        case {"type": "function", "function": {"name": str() as name}}:
            chosen = tuple(tool for tool in payload.tools if tool.function.name == name)
        case _:
            return None
    return next((ForcedTool(tool.function.name, tool.function.parameters) for tool in chosen), None)


def _check_json_is_named(payload: _ChatRequest) -> None:
    wanted = payload.response_format
    if wanted is None or wanted.type != "json_object":
        return
    if not any("json" in message.text.lower() for message in payload.messages):
        raise ProtocolError(
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
        )


def _check_calls_are_answered(messages: Sequence[_Message]) -> None:
    open_calls: set[str] = set()
    for index, message in enumerate(messages):
        if message.role == "tool":
            if message.tool_call_id not in open_calls:
                raise ProtocolError(
                    f"messages.{index}: a 'tool' message must respond to a preceding message's 'tool_calls'"
                )
            open_calls.remove(message.tool_call_id)
            continue
        if open_calls:
            break
        open_calls = {call.id for call in message.tool_calls or ()}
        if message.role == "assistant" and message.content is None and not open_calls:
            raise ProtocolError(f"messages.{index}.content: must be a text when there are no tool_calls")
        if len(open_calls) != len(message.tool_calls or ()):
            raise ProtocolError(f"messages.{index}.tool_calls: the same id twice")
    if open_calls:
        raise ProtocolError(
            "An assistant message with 'tool_calls' must be followed by tool messages for each of them."
            f" The following tool_call_ids did not have response messages: {', '.join(sorted(open_calls))}"
        )


def _entries(message: _Message) -> Iterator[Entry]:
    if message.role == "user":
        yield UserText(message.text)
    elif message.role == "tool" and message.tool_call_id is not None:
        yield ToolOutput(message.tool_call_id, message.text)
    elif message.tool_calls:
        yield CallTurn(
            tuple(
                TranscriptCall(call.id, call.function.name, _object(call.function.arguments))
                for call in message.tool_calls
            )
        )


def _object(text: str) -> dict[str, Json]:
    try:
        value: Json = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
