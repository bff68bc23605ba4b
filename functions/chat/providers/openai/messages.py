"""Messages and responses of the Chat Completions API of OpenAI and compatible servers.

https://platform.openai.com/docs/api-reference/chat
"""

from collections.abc import Iterator, Sequence

from flexchat.messages import (
    Completion,
    FinishReason,
    Json,
    Message,
    Part,
    Text,
    ToolCall,
    ToolOutput,
    Usage,
)
from functions.chat.providers.tool_calls import (
    FunctionCalls,
    hashed_id,
    object_arguments,
    parse_tool_calls,
    wire_calls,
    wire_name,
)
from functions.chat.providers.wire_format import Tokens, WireModel, parse_response, to_json

MAX_CALL_ID_CHARACTERS = 40
"""OpenAI refuses a request with a longer id; ids of other providers may be longer."""

_FINISH_REASONS: dict[str | None, FinishReason] = {
    None: "stop",
    "stop": "stop",
    "end_turn": "stop",
    "length": "length",
    "content_filter": "content_filter",
}


def wire_messages(message: Message) -> Iterator[dict[str, Json]]:
    """Yield the API's messages for `message`: one for each tool output, else exactly one."""
    match message.role:
        case "tool":
            yield from (_tool(part) for part in message.parts if isinstance(part, ToolOutput))
        case "assistant":
            yield _assistant(message)
        case _:
            yield {"role": message.role, "content": message.text}


def _tool(output: ToolOutput) -> dict[str, Json]:
    return {"role": "tool", "tool_call_id": _wire_id(output.call_id), "content": output.content}


def _assistant(message: Message) -> dict[str, Json]:
    calls = message.tool_calls
    if not calls:
        # An empty list of calls and null content without calls are refused.
        return {"role": "assistant", "content": message.text}
    return {"role": "assistant", "content": message.text or None, "tool_calls": [_call(call) for call in calls]}


def _call(call: ToolCall) -> Json:
    return {
        "id": _wire_id(call.id),
        "type": "function",
        "function": {"name": wire_name(call.name), "arguments": _wire_arguments(call)},
    }


def _wire_arguments(call: ToolCall) -> str:
    """Return the arguments as the model wrote them; invalid ones inside a JSON object.

    vLLM and llama.cpp parse the arguments of the whole history and refuse a request with invalid ones.
    """
    if call.arguments is not None and call.raw.strip():
        return call.raw
    return to_json(object_arguments(call)).decode()


def _wire_id(call_id: str) -> str:
    return call_id if len(call_id) <= MAX_CALL_ID_CHARACTERS else hashed_id(call_id)


class _ContentPart(WireModel):
    type: str = "text"
    text: str | None = None
    refusal: str | None = None


class _Message(WireModel):
    content: str | tuple[_ContentPart, ...] | None = None
    refusal: str | None = None
    tool_calls: FunctionCalls | None = None

    @property
    def text(self) -> str:
        if self.content is None or isinstance(self.content, str):
            return self.content or ""
        return "".join(part.text or "" for part in self.content)

    @property
    def refusal_text(self) -> str:
        if self.refusal or not isinstance(self.content, tuple):
            return self.refusal or ""
        return "".join(part.refusal or "" for part in self.content)


class _Choice(WireModel):
    message: _Message
    finish_reason: str | None = None


class _PromptDetails(WireModel):
    cached_tokens: Tokens | None = None
    cache_write_tokens: Tokens | None = None


class _CompletionDetails(WireModel):
    reasoning_tokens: Tokens | None = None


class _Usage(WireModel):
    prompt_tokens: Tokens | None = None
    completion_tokens: Tokens | None = None
    prompt_tokens_details: _PromptDetails | None = None
    completion_tokens_details: _CompletionDetails | None = None
    prompt_cache_hit_tokens: Tokens | None = None
    """Cached tokens at DeepSeek, as a part of `prompt_tokens`."""

    def usage(self) -> Usage:
        prompt, completion = self.prompt_tokens_details, self.completion_tokens_details
        return Usage(
            input_tokens=self.prompt_tokens or 0,
            output_tokens=self.completion_tokens or 0,
            cached_tokens=(prompt.cached_tokens if prompt else self.prompt_cache_hit_tokens) or 0,
            reasoning_tokens=(completion.reasoning_tokens if completion else None) or 0,
            cache_write_tokens=(prompt.cache_write_tokens if prompt else None) or 0,
        )


class _ChatCompletion(WireModel):
    model: str | None = None
    choices: tuple[_Choice, ...]
    usage: _Usage | None = None


def parse_completion(body: bytes, *, model: str, conversation: Sequence[Message]) -> Completion:
    """Parse the response of `model` to `conversation`.

    Raises ValueError with the first problem, without quoting the body.
    """
    wire = parse_response(_ChatCompletion, body)
    if not wire.choices:
        raise ValueError("choices: must not be empty")
    choice = wire.choices[0]
    calls = parse_tool_calls(wire_calls(choice.message.tool_calls), conversation)
    text, finish_reason = _text_and_finish(choice, has_calls=bool(calls))
    parts: tuple[Part, ...] = (*((Text(text),) if text else ()), *calls)
    return Completion(
        message=Message("assistant", parts),
        finish_reason=finish_reason,
        usage=wire.usage.usage() if wire.usage else Usage(),
        model=wire.model or model,
        raw_finish_reason=choice.finish_reason,
    )


def _text_and_finish(choice: _Choice, *, has_calls: bool) -> tuple[str, FinishReason]:
    """Return text and finish reason: calls decide; the reason `tool_calls` without calls is unknown (decision C16)."""
    text = choice.message.text
    if has_calls:
        return text, "tool_calls"
    refusal = choice.message.refusal_text
    if refusal:
        return text or refusal, "refusal"
    return text, _FINISH_REASONS.get(choice.finish_reason, "unknown")
