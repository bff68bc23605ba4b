"""Messages and responses of the Chat Completions API of OpenAI and compatible servers.

https://platform.openai.com/docs/api-reference/chat
"""

import re
from base64 import b32encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import cast

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
from functions.chat.providers.attachments import data_url
from functions.chat.providers.errors import ERROR_IN_SUCCESS, FailedAnswerError, WireError
from functions.chat.providers.model_state import UNSIGNED
from functions.chat.providers.openai.client import read_error
from functions.chat.providers.profiles import PLAIN, ModelProfile
from functions.chat.providers.tool_calls import (
    FunctionCalls,
    hashed_id,
    object_arguments,
    parse_tool_calls,
    wire_calls,
    wire_name,
)
from functions.chat.providers.wire_format import AnyJson, Tokens, WireModel, parse_response, response_id, to_json

MAX_CALL_ID_CHARACTERS = 40
"""OpenAI refuses a request with a longer id; ids of other providers may be longer."""

_NINE_CHARACTERS = re.compile(r"[a-zA-Z0-9]{9}")
"""Ids that Mistral's servers accept."""

_STOPPED: Json = {"message": "the server behind the provider failed midway", "code": 502}
"""Error of an answer that has `error` as its finish reason and nothing more."""

_FINISH_REASONS: dict[str | None, FinishReason] = {
    None: "stop",
    "stop": "stop",
    "end_turn": "stop",
    "length": "length",
    "content_filter": "content_filter",
}


def wire_messages(message: Message, profile: ModelProfile = PLAIN) -> Iterator[dict[str, Json]]:
    """Yield the API's messages for `message`: one for each tool output, else exactly one."""
    match message.role:
        case "tool":
            yield from (_tool(part, profile) for part in message.parts if isinstance(part, ToolOutput))
        case "assistant":
            yield _assistant(message, profile)
        case _:
            parts: list[Json] = [wire for part in message.parts if (wire := _content_part(part)) is not None]
            yield {"role": message.role, "content": parts if message.attachments else message.text}


def _content_part(part: Part) -> Json:
    match part:
        case Text():
            # Some servers refuse a blank text.
            return {"type": "text", "text": part.text} if part.text.strip() else None
        case Image():
            detail: dict[str, Json] = {} if part.detail == "auto" else {"detail": part.detail}
            return {"type": "image_url", "image_url": {"url": data_url(part), **detail}}
        case Document():
            return {"type": "file", "file": {"filename": part.name or "file.pdf", "file_data": data_url(part)}}
        case _:
            return None


def _tool(output: ToolOutput, profile: ModelProfile) -> dict[str, Json]:
    return {"role": "tool", "tool_call_id": _wire_id(output.call_id, profile), "content": output.content}


def _assistant(message: Message, profile: ModelProfile) -> dict[str, Json]:
    calls = message.tool_calls
    reasoning = _wire_reasoning(message, profile)
    if not calls:
        # An empty list of calls and null content without calls are refused.
        return {"role": "assistant", "content": message.text, **reasoning}
    wire_calls: list[Json] = list(_wire_calls(calls, profile))
    return {"role": "assistant", "content": message.text or None, **reasoning, "tool_calls": wire_calls}


def _wire_reasoning(message: Message, profile: ModelProfile) -> dict[str, Json]:
    """Return the reasoning of `message`; that of messages that were joined is joined too."""
    fields: dict[str, Json] = {}
    for part in message.parts:
        if isinstance(part, Reasoning):
            for name, value in _state_fields(part.state).items():
                fields[name] = _joined(fields.get(name), value)
    if isinstance(details := fields.get("reasoning_details"), list):
        ids = {call.id: _wire_id(call.id, profile) for call in message.tool_calls}
        fields["reasoning_details"] = [_with_wire_id(detail, ids) for detail in details]
    if not profile.supports("messages_without_reasoning"):
        fields.setdefault("reasoning_content", "")
    return fields


def _with_wire_id(detail: Json, ids: Mapping[str, str]) -> Json:
    """Return a detail with the id that its call is sent with: OpenRouter finds the signature of a call by its id."""
    if not isinstance(detail, dict) or not isinstance(call_id := detail.get("id"), str) or call_id not in ids:
        return detail
    return {**detail, "id": ids[call_id]}


def _joined(first: Json, second: Json) -> Json:
    if isinstance(first, str) and isinstance(second, str):
        return first + second
    return [*first, *second] if isinstance(first, list) and isinstance(second, list) else second


def _state_fields(state: ProviderState | None) -> dict[str, Json]:
    """Return the fields of this API in a state."""
    return cast("dict[str, Json]", state.value) if state is not None and state.provider == "openai" else {}


def _wire_calls(calls: Sequence[ToolCall], profile: ModelProfile) -> Iterator[dict[str, Json]]:
    placeholder: dict[str, Json] = {}
    if not profile.supports("unsigned_calls") and not any(_state_fields(call.state) for call in calls):
        # The signature of the first call of an iteration is demanded only.
        placeholder = {"extra_content": {"google": {"thought_signature": UNSIGNED}}}
    for call in calls:
        yield {
            "id": _wire_id(call.id, profile),
            "type": "function",
            "function": {"name": wire_name(call.name), "arguments": _wire_arguments(call)},
            **_state_fields(call.state),
            **placeholder,
        }
        placeholder = {}


def _wire_arguments(call: ToolCall) -> str:
    """Return the arguments as the model wrote them; invalid ones inside a JSON object.

    vLLM and llama.cpp parse the arguments of the whole history and refuse a request with invalid ones.
    """
    if call.arguments is not None and call.raw.strip():
        return call.raw
    return to_json(object_arguments(call)).decode()


def _wire_id(call_id: str, profile: ModelProfile) -> str:
    if profile.supports("long_call_ids"):
        return call_id if len(call_id) <= MAX_CALL_ID_CHARACTERS else hashed_id(call_id)
    return call_id if _NINE_CHARACTERS.fullmatch(call_id) else _nine_characters(call_id)


def _nine_characters(call_id: str) -> str:
    """Return an id of nine letters and digits, the same for every request."""
    return b32encode(sha256(call_id.encode("utf-8", errors="replace")).digest())[:9].decode().lower()


class _ContentPart(WireModel):
    type: str = "text"
    text: str | None = None
    refusal: str | None = None


class _Message(WireModel):
    content: str | tuple[_ContentPart, ...] | None = None
    refusal: str | None = None
    tool_calls: FunctionCalls | None = None
    reasoning_content: AnyJson = None
    reasoning: AnyJson = None
    reasoning_details: AnyJson = None

    @property
    def reasoning_state(self) -> dict[str, Json]:
        """Reasoning in the forms of DeepSeek, Kimi and Qwen, also an empty one, and of OpenRouter."""
        fields: dict[str, Json] = {}
        if isinstance(self.reasoning_content, str):
            fields["reasoning_content"] = self.reasoning_content
        if isinstance(self.reasoning, str) and self.reasoning:
            fields["reasoning"] = self.reasoning
        if isinstance(self.reasoning_details, list) and self.reasoning_details:
            fields["reasoning_details"] = self.reasoning_details
        return fields

    @property
    def reasoning_text(self) -> str:
        texts = (text for text in (self.reasoning_content, self.reasoning) if isinstance(text, str) and text)
        return next(texts, "")

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
    error: AnyJson = None


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
    id: AnyJson = None
    model: str | None = None
    choices: tuple[_Choice, ...]
    usage: _Usage | None = None
    error: AnyJson = None


def parse_completion(body: bytes, *, model: str, conversation: Sequence[Message]) -> Completion:
    """Parse the response of `model` to `conversation`.

    Raises ValueError with the first problem, without quoting the body, and FailedAnswerError for an error beside an
    answer, which gateways send for a server that failed midway.
    """
    wire = parse_response(_ChatCompletion, body)
    choice = wire.choices[0] if wire.choices else None
    failed = choice is not None and choice.finish_reason == "error"
    if error := wire.error or (choice.error if choice else None) or (_STOPPED if failed else None):
        raise FailedAnswerError(read_error(ERROR_IN_SUCCESS, error) or WireError())
    if choice is None:
        raise ValueError("choices: must not be empty")
    calls = parse_tool_calls(wire_calls(choice.message.tool_calls), conversation)
    text, finish_reason = _text_and_finish(choice, has_calls=bool(calls))
    parts: tuple[Part, ...] = (*_reasoning(choice.message), *((Text(text),) if text else ()), *calls)
    return Completion(
        message=Message("assistant", parts),
        finish_reason=finish_reason,
        usage=wire.usage.usage() if wire.usage else Usage(),
        model=wire.model or model,
        raw_finish_reason=choice.finish_reason,
        id=response_id(wire.id),
    )


def _reasoning(message: _Message) -> Iterator[Reasoning]:
    """Yield the reasoning of a response, which many servers demand back."""
    if fields := message.reasoning_state:
        yield Reasoning(ProviderState("openai", fields), message.reasoning_text)


def _text_and_finish(choice: _Choice, *, has_calls: bool) -> tuple[str, FinishReason]:
    """Return text and finish reason: calls decide; the reason `tool_calls` without calls is unknown (decision C16)."""
    text = choice.message.text
    if has_calls:
        return text, "tool_calls"
    refusal = choice.message.refusal_text
    if refusal:
        return text or refusal, "refusal"
    return text, _FINISH_REASONS.get(choice.finish_reason, "unknown")
