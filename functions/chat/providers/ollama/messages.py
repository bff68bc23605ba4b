"""Messages and responses of Ollama's chat API.

https://docs.ollama.com/api/chat
"""

import re
from collections.abc import Iterator, Sequence

from pydantic import ValidationError

from flexchat.messages import (
    Completion,
    FinishReason,
    Image,
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
from functions.chat.providers.errors import FailedAnswerError, WireError
from functions.chat.providers.tool_calls import FunctionCalls, object_arguments, parse_tool_calls, wire_calls
from functions.chat.providers.wire_format import AnyJson, Tokens, WireModel, parse_response

_FINISH_REASONS: dict[str, FinishReason] = {"stop": "stop", "length": "length"}

_LOADED = frozenset({"load", "unload"})
"""Reasons for the end of an answer in which no model wrote anything."""


def wire_messages(message: Message) -> Iterator[dict[str, Json]]:
    """Yield the API's messages for `message`: one for each tool output, else exactly one."""
    match message.role:
        case "tool":
            yield from (_tool(part) for part in message.parts if isinstance(part, ToolOutput))
        case "assistant":
            yield _assistant(message)
        case _:
            images: list[Json] = [part.data for part in message.parts if isinstance(part, Image)]
            texts = (part.text.strip("\n") for part in message.parts if isinstance(part, Text))
            text = "\n".join(texts) if images else message.text
            yield {"role": message.role, "content": text, **({"images": images} if images else {})}


def _tool(output: ToolOutput) -> dict[str, Json]:
    """Return a result with the name of its tool for older servers and the id of its call for newer ones."""
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


class _Message(WireModel):
    content: str | None = None
    thinking: str | None = None
    tool_calls: FunctionCalls | None = None


class _ChatResponse(WireModel):
    model: str | None = None
    message: _Message
    done: bool | None = None
    done_reason: str | None = None
    prompt_eval_count: Tokens | None = None
    eval_count: Tokens | None = None
    error: AnyJson = None


def parse_completion(body: bytes, *, model: str, conversation: Sequence[Message]) -> Completion:
    """Parse the response of `model` to `conversation`.

    Raises ValueError with the first problem, without quoting the body, and FailedAnswerError for an error beside an
    answer, and for the answer of a server that has only loaded its model.
    """
    wire = parse_response(_ChatResponse, body)
    if wire.error:
        raise ValueError("error: must not be beside an answer")
    if wire.done_reason in _LOADED and not (wire.message.content or wire.message.tool_calls):
        raise FailedAnswerError(WireError(message="the server loaded its model without an answer", status=503))
    text = wire.message.content or ""
    calls = parse_tool_calls(wire_calls(wire.message.tool_calls), conversation)
    parts: tuple[Part, ...] = (*_reasoning(wire.message.thinking), *((Text(text),) if text else ()), *calls)
    return Completion(
        message=Message("assistant", parts),
        finish_reason="tool_calls" if calls else _finish_reason(wire),
        usage=Usage(input_tokens=wire.prompt_eval_count or 0, output_tokens=wire.eval_count or 0),
        model=wire.model or model,
        raw_finish_reason=wire.done_reason,
    )


def _reasoning(thinking: str | None) -> tuple[Reasoning, ...]:
    """Return the reasoning of a response; the server expects it in the history."""
    return (Reasoning(ProviderState("ollama", None), thinking),) if thinking else ()


def _finish_reason(wire: _ChatResponse) -> FinishReason:
    """Return the finish reason, from `done` where a server sends no `done_reason` (decision C36)."""
    if wire.done_reason is None:
        return "length" if wire.done is False else "stop"
    return _FINISH_REASONS.get(wire.done_reason, "unknown")


_NO_TOOLS = re.compile(r"does not support tools", re.I)


class _ErrorText(WireModel):
    message: str


class _ErrorBody(WireModel):
    error: str | _ErrorText


def parse_error(_status: int, body: bytes) -> WireError | None:
    """Parse `{"error": "text"}`, or `{"error": {"message": "text"}}` of gateways; `None` for another body."""
    try:
        error = _ErrorBody.model_validate_json(body).error
    except ValidationError:
        return None
    message = error if isinstance(error, str) else error.message
    if _NO_TOOLS.search(message):
        # The server decides, not its version (decision C52).
        return WireError(
            message=f"{message}; this model has no tool support: choose another, or disable the rule's tools",
            type="invalid_request",
            transient=False,
        )
    return WireError(message=message)
