"""Messages and responses of Anthropic's Messages API.

https://platform.claude.com/docs/en/api/messages
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import replace
from typing import Final, cast

from pydantic import ConfigDict, ValidationError

from flexchat.errors import ModelErrorType
from flexchat.messages import (
    Completion,
    Document,
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
from functions.chat.providers.errors import WireError
from functions.chat.providers.prompt_cache import MARKED_MESSAGES
from functions.chat.providers.tool_calls import (
    NO_USER_MESSAGE,
    WireCall,
    hashed_id,
    object_arguments,
    parse_tool_calls,
    plain_parts,
    wire_name,
)
from functions.chat.providers.wire_format import AnyJson, Tokens, WireModel, parse_response, response_id

_WIRE_ID = re.compile(r"[a-zA-Z0-9_-]+")

MAX_TITLE: Final = 255
"""Characters of the title of a document."""

_THINKING = frozenset({"thinking", "redacted_thinking"})

_OPENING: Json = {"role": "user", "content": [{"type": "text", "text": NO_USER_MESSAGE}]}

_FINISH_REASONS: dict[str | None, FinishReason] = {
    None: "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
"""Finish reasons. `pause_turn` is missing: it requires tools that run at Anthropic, which are never offered."""

_INCOMPLETE_CALL = "the answer was cut off before the arguments were complete"


def system_text(messages: Iterable[Message]) -> str:
    """Return all system messages of a conversation as one text, for the one field of the API."""
    return "\n\n".join(message.text for message in messages if message.role == "system" and message.text.strip())


def wire_messages(messages: Iterable[Message], *, offers_tools: bool) -> list[Json]:
    """Return the API's messages, with alternating roles.

    Results of an iteration's calls are the first content of the user message after it. Messages without content are
    left out. Without tools in the request, calls and results become text: the API refuses them.
    """
    alternating: list[tuple[str, list[Json], list[Json]]] = []
    for message in messages:
        if message.role == "system":
            continue
        content = list(_blocks(message.parts if offers_tools else tuple(plain_parts(message))))
        if not content:
            continue
        role = "assistant" if message.role == "assistant" else "user"
        if not alternating or alternating[-1][0] != role:
            alternating.append((role, [], []))
        _, results, others = alternating[-1]
        (results if message.role == "tool" else others).extend(content)
    opening = [_OPENING] if alternating and alternating[0][0] == "assistant" else []
    return opening + [{"role": role, "content": [*results, *others]} for role, results, others in alternating]


def mark_messages(messages: Sequence[Json]) -> None:
    """Mark the ends of the last messages of the user in `messages`, of `wire_messages`, for the prompt cache."""
    users = [message for message in cast("Sequence[dict[str, Json]]", messages) if message["role"] == "user"]
    for message in users[-MARKED_MESSAGES:]:
        *others, last = cast("list[dict[str, Json]]", message["content"])
        message["content"] = [*others, marked(last)]


def marked(block: Mapping[str, Json]) -> dict[str, Json]:
    """Return a block, or a tool, that ends a part for the prompt cache."""
    return {**block, "cache_control": {"type": "ephemeral"}}


def _blocks(parts: Sequence[Part]) -> list[dict[str, Json]]:
    blocks = [block for part in parts if (block := _block(part)) is not None]
    while blocks and blocks[-1]["type"] in _THINKING:
        # The API refuses thinking as the last block of a message.
        blocks.pop()
    return blocks


def _block(part: Part) -> dict[str, Json] | None:
    match part:
        case Text():
            # The API refuses a blank text.
            return {"type": "text", "text": part.text} if part.text.strip() else None
        case Image():
            return {"type": "image", "source": _source(part)}
        case Document():
            return {
                "type": "document",
                "source": _source(part),
                **({"title": part.name[:MAX_TITLE]} if part.name else {}),
            }
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


def _source(part: Image | Document) -> Json:
    return {"type": "base64", "media_type": part.media_type, "data": part.data}


def _result(output: ToolOutput) -> dict[str, Json]:
    block: dict[str, Json] = {"type": "tool_result", "tool_use_id": _wire_id(output.call_id)}
    if output.images:
        text: list[Json] = [{"type": "text", "text": output.content}] if output.content.strip() else []
        block["content"] = [*text, *({"type": "image", "source": _source(image)} for image in output.images)]
    elif output.content.strip():
        block["content"] = output.content
    if output.is_error:
        block["is_error"] = True
    return block


def _wire_id(call_id: str) -> str:
    return call_id if _WIRE_ID.fullmatch(call_id) else hashed_id(call_id)


class _Block(WireModel):
    """Content block with all of its fields: a thinking block is sent back unchanged."""

    model_config = ConfigDict(frozen=True, extra="allow")

    type: str
    text: str | None = None
    id: AnyJson = None
    name: AnyJson = None
    input: AnyJson = None
    thinking: str | None = None

    def unchanged(self) -> dict[str, Json]:
        return self.model_dump(exclude_unset=True)


class _StopDetails(WireModel):
    explanation: str | None = None


class _OutputDetails(WireModel):
    thinking_tokens: Tokens | None = None


class _Usage(WireModel):
    input_tokens: Tokens | None = None
    output_tokens: Tokens | None = None
    cache_creation_input_tokens: Tokens | None = None
    cache_read_input_tokens: Tokens | None = None
    output_tokens_details: _OutputDetails | None = None

    def usage(self) -> Usage:
        """Return the usage; Anthropic counts tokens of its cache apart from the input, `Usage` as part of it."""
        cached, written = self.cache_read_input_tokens or 0, self.cache_creation_input_tokens or 0
        details = self.output_tokens_details
        return Usage(
            input_tokens=(self.input_tokens or 0) + written + cached,
            output_tokens=self.output_tokens or 0,
            cached_tokens=cached,
            reasoning_tokens=(details.thinking_tokens if details else None) or 0,
            cache_write_tokens=written,
        )


class _Response(WireModel):
    id: AnyJson = None
    content: tuple[_Block, ...]
    model: str | None = None
    stop_reason: str | None = None
    stop_details: _StopDetails | None = None
    usage: _Usage | None = None


def parse_completion(body: bytes, *, model: str, conversation: Sequence[Message]) -> Completion:
    """Parse the response of `model` to `conversation`.

    Raises ValueError with the first problem, without quoting the body.
    """
    wire = parse_response(_Response, body)
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
        id=response_id(wire.id),
    )


def _parts(wire: _Response, conversation: Sequence[Message]) -> tuple[Part, ...]:
    """Return the parts of a response in order; blocks of unknown types are ignored."""
    uses = [block for block in wire.content if block.type == "tool_use"]
    calls = iter(parse_tool_calls([WireCall(block.name, block.input, block.id) for block in uses], conversation))
    parts: list[Part] = []
    for block in wire.content:
        if block.type == "tool_use":
            parts.append(next(calls))
        elif block.type == "text" and block.text:
            parts.append(Text(block.text))
        elif block.type in _THINKING:
            parts.append(Reasoning(ProviderState("anthropic", block.unchanged()), block.thinking or ""))
    if parts and isinstance(parts[-1], ToolCall) and _FINISH_REASONS.get(wire.stop_reason) == "length":
        parts[-1] = replace(parts[-1], arguments=None, problem=_INCOMPLETE_CALL)
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

_REFUSED_MARK = re.compile(
    r"(tools)?[\w.\[\]]{0,64}\b(?:cache_control|prompt caching)\b[^.]{0,80}"
    r"(?:extra inputs|not (?:permitted|supported|allowed)|unsupported|unknown|unrecognized)",
    re.I,
)
"""A mark that a server refuses; some do so in tools only."""


class _ErrorDetail(WireModel):
    type: str = ""
    message: str = ""


class _ErrorBody(WireModel):
    error: _ErrorDetail


def parse_error(status: int, body: bytes) -> WireError | None:
    """Parse `{"type": "error", "error": {"type", "message"}}`; `None` for another body."""
    try:
        error = _ErrorBody.model_validate_json(body).error
    except ValidationError:
        return None
    kind = _TYPE_OF_KIND.get(error.type)
    if kind is None:
        return WireError(message=error.message)
    if kind == "invalid_request":
        return _invalid_request(status, error.message)
    return WireError(message=error.message, type=kind, transient=error.type in _TRANSIENT_KINDS)


def _invalid_request(status: int, message: str) -> WireError:
    """Classify an `invalid_request_error` by its text; the API uses it for several statuses of 4xx."""
    error_type: ModelErrorType | None = "invalid_request" if status >= 500 else None
    mark = _REFUSED_MARK.search(message)
    parameter = ("cached_tools" if mark[1] else "prompt_cache") if mark else None
    return WireError(message=message, type=error_type, transient=False, parameter=parameter)
