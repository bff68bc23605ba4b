"""The wire of Anthropic's `/v1/messages`: bodies out, bodies in.

https://platform.claude.com/docs/en/api/messages
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import cast

from pydantic import ConfigDict, ValidationError

from flexchat.errors import ModelErrorType
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
from functions.chat.providers.plain_text_history import in_words
from functions.chat.providers.response_parsing import Tokens, Wire, read_answer
from functions.chat.providers.tool_calls import WireCall, object_arguments, tool_calls, wire_name

_WIRE_ID = re.compile(r"[a-zA-Z0-9_-]+")

_THINKING = frozenset({"thinking", "redacted_thinking"})

_BEGINNING: dict[str, Json] = {"role": "user", "content": [{"type": "text", "text": "(The conversation goes on.)"}]}
"""A conversation has to begin with the user."""

_FINISH_REASONS: dict[str | None, FinishReason] = {
    None: "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
"""`pause_turn` is not among them: only tools that run at Anthropic make a model pause, and none is offered."""

_CUT_CALL = "the answer was cut off before the arguments were complete"


def system_text(messages: Iterable[Message]) -> str:
    """Every system message of the conversation, in order: the wire has one place for them all."""
    return "\n\n".join(message.text for message in messages if message.role == "system" and message.text.strip())


def turns_json(messages: Iterable[Message], blocks: Callable[[Message], bytes]) -> bytes:
    """The wire's messages, where user and assistant take turns; `blocks` gives the content of one message.

    The results of a turn's calls stand first in the user's turn after it. A message without content is left out.
    """
    turns: list[tuple[str, list[bytes], list[bytes]]] = []
    for message in messages:
        content = b"" if message.role == "system" else blocks(message)
        if not content:
            continue
        role = "assistant" if message.role == "assistant" else "user"
        if not turns or turns[-1][0] != role:
            turns.append((role, [], []))
        _, results, others = turns[-1]
        (results if message.role == "tool" else others).append(content)
    written = [
        b'{"role":"' + role.encode() + b'","content":[' + b",".join([*results, *others]) + b"]}"
        for role, results, others in turns
    ]
    if turns and turns[0][0] == "assistant":
        written.insert(0, to_json(_BEGINNING))
    return b"[" + b",".join(written) + b"]"


def blocks_json(message: Message) -> bytes:
    """The content blocks of `message`, joined by commas; b"" when it has none."""
    blocks = [block for part in message.parts if (block := _block(part)) is not None]
    while blocks and blocks[-1]["type"] in _THINKING:
        # Refused as the last block of a turn: thinking that led to nothing.
        blocks.pop()
    return b",".join(map(to_json, blocks))


def blocks_in_words_json(message: Message) -> bytes:
    """As `blocks_json`, calls and their results as text: blocks of theirs are refused where no tools are defined."""
    return b",".join(to_json({"type": "text", "text": text}) for text in in_words(message))


def _block(part: Part) -> dict[str, Json] | None:
    match part:
        case Text():
            # A text of nothing but white space is refused.
            return {"type": "text", "text": part.text} if part.text.strip() else None
        case Reasoning():
            return cast("dict[str, Json]", part.state.value) if part.state.provider == "anthropic" else None
        case ToolCall():
            return {
                "type": "tool_use",
                "id": _wire_id(part.id),
                "name": wire_name(part.name),
                "input": object_arguments(part),
            }
        case ToolOutput():
            return _result(part)


def _result(output: ToolOutput) -> dict[str, Json]:
    block: dict[str, Json] = {"type": "tool_result", "tool_use_id": _wire_id(output.call_id)}
    if output.content.strip():
        block["content"] = output.content
    if output.is_error:
        block["is_error"] = True
    return block


def _wire_id(call_id: str) -> str:
    """Another provider's id with other characters in it would have the whole request refused."""
    if _WIRE_ID.fullmatch(call_id):
        return call_id
    return f"call_{sha256(call_id.encode('utf-8', errors='replace')).hexdigest()[:32]}"


class _Block(Wire):
    """Any content block, with all that it carries: a thinking block goes back as it came."""

    model_config = ConfigDict(frozen=True, extra="allow")

    type: str
    text: str | None = None
    id: Json = None
    name: Json = None
    input: Json = None
    thinking: str | None = None

    def as_it_came(self) -> dict[str, Json]:
        return self.model_dump(exclude_unset=True)


class _StopDetails(Wire):
    explanation: str | None = None


class _OutputDetails(Wire):
    thinking_tokens: Tokens | None = None


class _Usage(Wire):
    input_tokens: Tokens | None = None
    output_tokens: Tokens | None = None
    cache_creation_input_tokens: Tokens | None = None
    cache_read_input_tokens: Tokens | None = None
    output_tokens_details: _OutputDetails | None = None

    def usage(self) -> Usage:
        """Anthropic counts tokens from and for its cache beside the input; here they are part of it."""
        cached = self.cache_read_input_tokens or 0
        details = self.output_tokens_details
        return Usage(
            input_tokens=(self.input_tokens or 0) + (self.cache_creation_input_tokens or 0) + cached,
            output_tokens=self.output_tokens or 0,
            cached_tokens=cached,
            reasoning_tokens=(details.thinking_tokens if details else None) or 0,
        )


class _Answer(Wire):
    content: tuple[_Block, ...]
    model: str | None = None
    stop_reason: str | None = None
    stop_details: _StopDetails | None = None
    usage: _Usage | None = None


def read_completion(body: bytes, *, model: str, conversation: Sequence[Message]) -> Completion:
    """The answer in `body` to `conversation`, asked of `model`.

    Raises ValueError saying what is wrong with the body, without quoting it.
    """
    wire = read_answer(_Answer, body)
    parts = _parts(wire, conversation)
    has_calls = any(isinstance(part, ToolCall) for part in parts)
    finish_reason = _FINISH_REASONS.get(wire.stop_reason, "unknown")
    explanation = wire.stop_details.explanation if wire.stop_details else None
    if finish_reason == "refusal" and explanation and not parts:
        parts = (Text(explanation),)
    return Completion(
        message=Message("assistant", parts),
        finish_reason="tool_calls" if has_calls else finish_reason,
        usage=wire.usage.usage() if wire.usage else Usage(),
        model=wire.model or model,
        raw_finish_reason=wire.stop_reason,
    )


def _parts(wire: _Answer, conversation: Sequence[Message]) -> tuple[Part, ...]:
    """The answer's blocks in their order; of the types that were not asked for, none."""
    used = [block for block in wire.content if block.type == "tool_use"]
    calls = iter(tool_calls([WireCall(block.name, block.input, block.id) for block in used], conversation))
    parts: list[Part] = []
    for block in wire.content:
        if block.type == "tool_use":
            parts.append(next(calls))
        elif block.type == "text" and block.text:
            parts.append(Text(block.text))
        elif block.type in _THINKING:
            parts.append(Reasoning(ProviderState("anthropic", block.as_it_came()), block.thinking or ""))
    if parts and isinstance(parts[-1], ToolCall) and _FINISH_REASONS.get(wire.stop_reason) == "length":
        parts[-1] = replace(parts[-1], arguments=None, problem=_CUT_CALL)
    return tuple(parts)


_TYPE_OF_KIND: dict[str, ModelErrorType] = {
    "invalid_request_error": "invalid_request",
    "authentication_error": "authentication",
    "billing_error": "rate_limit",
    "permission_error": "permission",
    "not_found_error": "not_found",
    "request_too_large": "context_length",
    "rate_limit_error": "rate_limit",
    "timeout_error": "timeout",
    "api_error": "server_error",
    "overloaded_error": "overloaded",
}

_TRANSIENT_KINDS = frozenset({"rate_limit_error", "timeout_error", "api_error", "overloaded_error"})

_CONTEXT_WORDS = re.compile(r"prompt is too long|exceeds? (the )?(model'?s? )?context|context (limit|window)", re.I)
_CREDIT_WORDS = re.compile(r"credit balance is too low|usage limits?", re.I)
_REFUSED_PARAMETER = re.compile(
    r"\b(temperature|tool_choice)\b\W{1,8}(?:[\w.]{1,64} ){0,3}?"
    r"(?:deprecated|not supported|unsupported|not permitted|extra inputs|removed|may only be set)",
    re.I,
)
"""Of what a request can do without; `max_tokens` is not: the wire insists on it."""


class _ErrorDetail(Wire):
    type: str = ""
    message: str = ""


class _ErrorBody(Wire):
    error: _ErrorDetail


def read_error(status: int, body: bytes) -> WireError | None:
    """The error that `body` tells of: `{"type": "error", "error": {"type", "message"}}`."""
    try:
        error = _ErrorBody.model_validate_json(body).error
    except ValidationError:
        return None
    kind = _TYPE_OF_KIND.get(error.type)
    if kind is None:
        return WireError(message=error.message)
    if kind == "invalid_request":
        return _refused(status, error.message)
    return WireError(message=error.message, type=kind, transient=error.type in _TRANSIENT_KINDS)


def _refused(status: int, message: str) -> WireError:
    """An `invalid_request_error` says in words only what is wrong, and stands for other statuses of 4xx too."""
    if _CONTEXT_WORDS.search(message):
        return WireError(message=message, type="context_length", transient=False)
    if _CREDIT_WORDS.search(message):
        return WireError(message=message, type="rate_limit", transient=False)
    named = _REFUSED_PARAMETER.search(message) if status in (400, 422) else None
    error_type: ModelErrorType | None = "invalid_request" if status >= 500 else None
    return WireError(message=message, type=error_type, transient=False, parameter=named[1].lower() if named else None)
