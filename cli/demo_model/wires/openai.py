"""OpenAI's Chat Completions, with the rules between messages that OpenAI's own server insists on."""

import json
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cli.demo_model.conversation import Conversation, OfferedTool, Parameter, PlannedCall, Reply, ToolReport
from cli.demo_model.wires.base import MODEL, WireError, tokens
from flexchat.messages import Json

_CREATED = 1_700_000_000
"""A fixed moment: the same request has the same answer."""


class _Request(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _TextPart(_Request):
    type: Literal["text"]
    text: str


class _CalledFunction(_Request):
    name: str
    arguments: str


class _Call(_Request):
    id: str
    type: Literal["function"]
    function: _CalledFunction


class _Message(_Request):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | tuple[_TextPart, ...] | None = None
    tool_calls: Annotated[tuple[_Call, ...], Field(min_length=1)] | None = None
    tool_call_id: str | None = None

    @property
    def text(self) -> str:
        if self.content is None or isinstance(self.content, str):
            return self.content or ""
        return "".join(part.text for part in self.content)


class _Function(_Request):
    name: Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")]
    parameters: dict[str, Json] = Field(default_factory=dict[str, Json])


class _Tool(_Request):
    type: Literal["function"]
    function: _Function


class _ChatRequest(_Request):
    model: str
    messages: Annotated[tuple[_Message, ...], Field(min_length=1)]
    tools: tuple[_Tool, ...] = ()
    tool_choice: Json = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1)] | None = None
    stream: bool | None = None


class OpenAIWire:
    """`POST /v1/chat/completions` and `GET /v1/models`."""

    def is_chat(self, path: str) -> bool:
        return path == "/v1/chat/completions"

    def models(self, path: str) -> Json | None:
        if path != "/v1/models":
            return None
        model: Json = {"id": MODEL, "object": "model", "created": _CREATED, "owned_by": "flexchat"}
        return {"object": "list", "data": [model]}

    def read(self, path: str, body: bytes) -> Conversation:  # noqa: ARG002 - other wires name the model in it
        try:
            request = _ChatRequest.model_validate_json(body)
        except ValidationError as exc:
            problem = exc.errors(include_url=False, include_input=False, include_context=False)[0]
            where = ".".join(str(step) for step in problem["loc"]) or "body"
            raise WireError(f"{where}: {problem['msg']}") from exc
        if request.stream:
            raise WireError("stream: the demo model does not stream")
        _check_calls_are_answered(request.messages)
        return _conversation(request, len(body))

    def write(self, conversation: Conversation, reply: Reply) -> Json:
        refused = reply.finish == "refusal"
        message: dict[str, Json] = {
            "role": "assistant",
            "content": None if refused or not reply.text else reply.text,
            "refusal": reply.text if refused else None,
        }
        if reply.calls:
            message["tool_calls"] = [
                _call(call, conversation.earlier_calls + index) for index, call in enumerate(reply.calls, start=1)
            ]
        prompt = tokens(conversation.input_characters)
        completion = tokens(len(reply.text) + sum(len(_arguments(call)) + len(call.tool) for call in reply.calls))
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

    def error(self, status: int, message: str) -> Json:
        codes: dict[int, Json] = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}
        kind = "server_error" if status >= 500 else "invalid_request_error"
        return {"error": {"message": message, "type": kind, "param": None, "code": codes.get(status)}}


def _call(call: PlannedCall, number: int) -> Json:
    return {
        "id": f"call_demo_{number}",
        "type": "function",
        "function": {"name": call.tool, "arguments": _arguments(call)},
    }


def _arguments(call: PlannedCall) -> str:
    return call.arguments if isinstance(call.arguments, str) else json.dumps(dict(call.arguments), ensure_ascii=False)


def _check_calls_are_answered(messages: Sequence[_Message]) -> None:
    open_calls: set[str] = set()
    for index, message in enumerate(messages):
        if message.role == "tool":
            if message.tool_call_id not in open_calls:
                raise WireError(
                    f"messages.{index}: a 'tool' message must respond to a preceding message's 'tool_calls'"
                )
            open_calls.remove(message.tool_call_id)
            continue
        if open_calls:
            break
        open_calls = {call.id for call in message.tool_calls or ()}
        if message.role == "assistant" and message.content is None and not open_calls:
            raise WireError(f"messages.{index}.content: must be a text when there are no tool_calls")
        if len(open_calls) != len(message.tool_calls or ()):
            raise WireError(f"messages.{index}.tool_calls: the same id twice")
    if open_calls:
        raise WireError(
            "An assistant message with 'tool_calls' must be followed by tool messages for each of them."
            f" The following tool_call_ids did not have response messages: {', '.join(sorted(open_calls))}"
        )


def _conversation(request: _ChatRequest, input_characters: int) -> Conversation:
    asked_at = max((index for index, item in enumerate(request.messages) if item.role == "user"), default=-1)
    since = request.messages[asked_at + 1 :]
    calls = {call.id: call.function for message in since for call in message.tool_calls or ()}
    return Conversation(
        model=request.model,
        message=request.messages[asked_at].text if asked_at >= 0 else "",
        tools=() if request.tool_choice == "none" else tuple(_offered(tool.function) for tool in request.tools),
        reports=tuple(
            ToolReport(calls[message.tool_call_id].name, _object(calls[message.tool_call_id].arguments), message.text)
            for message in since
            if message.role == "tool" and message.tool_call_id in calls
        ),
        turns=sum(1 for message in since if message.tool_calls),
        earlier_calls=sum(len(message.tool_calls or ()) for message in request.messages),
        input_characters=input_characters,
        max_tokens=request.max_completion_tokens or request.max_tokens,
    )


def _object(text: str) -> dict[str, Json]:
    try:
        value: Json = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _offered(function: _Function) -> OfferedTool:
    properties = function.parameters.get("properties")
    required = function.parameters.get("required")
    names = required if isinstance(required, list) else []
    schemas = properties if isinstance(properties, dict) else {}
    return OfferedTool(
        function.name,
        tuple(_parameter(name, schema, required=name in names) for name, schema in schemas.items()),
    )


def _parameter(name: str, schema: Json, *, required: bool) -> Parameter:
    described = schema if isinstance(schema, dict) else {}
    kind, choices = described.get("type"), described.get("enum")
    return Parameter(
        name,
        type=kind if isinstance(kind, str) else "string",
        choices=tuple(choice for choice in choices if isinstance(choice, str)) if isinstance(choices, list) else (),
        required=required,
    )
