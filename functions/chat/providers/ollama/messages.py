"""The wire of Ollama's `/api/chat`: bodies out, bodies in.

https://docs.ollama.com/api/chat
"""

import re
from collections.abc import Sequence

from pydantic import ValidationError

from flexchat.messages import (
    Completion,
    FinishReason,
    Json,
    Message,
    Part,
    ProviderState,
    Reasoning,
    Text,
    ToolCall,
    ToolOutput,
    Usage,
)
from functions.chat.providers.fragments import to_json
from functions.chat.providers.http_client import WireError
from functions.chat.providers.response_parsing import OrEmpty, Tokens, Wire, read_answer
from functions.chat.providers.tool_calls import WireCall, object_arguments, tool_calls

_FINISH_REASONS: dict[str, FinishReason] = {"stop": "stop", "length": "length"}

_NO_TOOLS = re.compile(r"does not support tools", re.I)

_CONTEXT_WORDS = re.compile(r"context (length|window|size)|(prompt|input)[\w ]{0,80} too long", re.I)


def message_json(message: Message) -> bytes:
    """`message` as the wire's messages, joined by commas: one for each tool output, else exactly one."""
    if message.role == "tool":
        return b",".join(to_json(_tool(part)) for part in message.parts if isinstance(part, ToolOutput))
    if message.role == "assistant":
        return to_json(_assistant(message))
    return to_json({"role": message.role, "content": message.text})


def _tool(output: ToolOutput) -> dict[str, Json]:
    """Older servers know a result by its tool's name alone, newer ones by the call's id too."""
    return {"role": "tool", "content": output.content, "tool_name": output.name, "tool_call_id": output.call_id}


def _assistant(message: Message) -> dict[str, Json]:
    wire: dict[str, Json] = {"role": "assistant", "content": message.text}
    thinking = "".join(
        part.text for part in message.parts if isinstance(part, Reasoning) and part.state.provider == "ollama"
    )
    if thinking:
        wire["thinking"] = thinking
    if message.tool_calls:
        wire["tool_calls"] = [_call(call) for call in message.tool_calls]
    return wire


def _call(call: ToolCall) -> Json:
    return {"id": call.id, "function": {"name": call.name, "arguments": object_arguments(call)}}


class _Function(Wire):
    name: Json = None
    arguments: Json = None


class _ToolCall(Wire):
    id: Json = None
    function: OrEmpty[_Function] = _Function()


class _Message(Wire):
    content: str | None = None
    thinking: str | None = None
    tool_calls: tuple[OrEmpty[_ToolCall], ...] | None = None


class _ChatResponse(Wire):
    model: str | None = None
    message: _Message
    done: bool | None = None
    done_reason: str | None = None
    prompt_eval_count: Tokens | None = None
    eval_count: Tokens | None = None


class _ErrorText(Wire):
    message: str


class _ErrorBody(Wire):
    error: str | _ErrorText


def read_error(status: int, body: bytes) -> WireError | None:
    """The error that `body` tells of: `{"error": "text"}`, or an object with a message, as gateways write it."""
    try:
        error = _ErrorBody.model_validate_json(body).error
    except ValidationError:
        return None
    message = error if isinstance(error, str) else error.message
    if _NO_TOOLS.search(message):
        # Decision C52: no version is asked for, the server's own refusal counts.
        return WireError(
            message=f"{message}; this model has no tool support: choose another, or disable the rule's tools",
            type="invalid_request",
            transient=False,
        )
    if status in (400, 413, 500) and _CONTEXT_WORDS.search(message):
        return WireError(message=message, type="context_length", transient=False)
    return WireError(message=message)


def read_completion(body: bytes, *, model: str, conversation: Sequence[Message]) -> Completion:
    """The answer in `body` to `conversation`, asked of `model`.

    Raises ValueError saying what is wrong with the body, without quoting it.
    """
    wire = read_answer(_ChatResponse, body)
    text = wire.message.content or ""
    calls = tool_calls(
        [
            WireCall(name=call.function.name, arguments=call.function.arguments, id=call.id)
            for call in wire.message.tool_calls or ()
        ],
        conversation,
    )
    parts: tuple[Part, ...] = (*_reasoning(wire.message.thinking), *((Text(text),) if text else ()), *calls)
    return Completion(
        message=Message("assistant", parts),
        finish_reason="tool_calls" if calls else _finish_reason(wire),
        usage=Usage(input_tokens=wire.prompt_eval_count or 0, output_tokens=wire.eval_count or 0),
        model=wire.model or model,
        raw_finish_reason=wire.done_reason,
    )


def _reasoning(thinking: str | None) -> tuple[Reasoning, ...]:
    """The server has its own answer's thinking put back into the model's template."""
    return (Reasoning(ProviderState("ollama", None), thinking),) if thinking else ()


def _finish_reason(wire: _ChatResponse) -> FinishReason:
    """The finish reason; servers that give none are read by `done` (decision C36)."""
    if wire.done_reason is None:
        return "length" if wire.done is False else "stop"
    return _FINISH_REASONS.get(wire.done_reason, "unknown")
