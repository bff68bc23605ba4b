"""Contents and responses of Gemini's `generateContent`.

https://ai.google.dev/api/generate-content
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from pydantic import Field, TypeAdapter, ValidationError

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
    Stateful,
    Text,
    ToolCall,
    ToolOutput,
    Usage,
)
from flexchat.retry import RETRIED_STATUS, retry_after_seconds
from functions.chat.providers.errors import FailedAnswerError, WireError, malformed_call
from functions.chat.providers.model_state import UNSIGNED
from functions.chat.providers.tool_calls import (
    NO_USER_MESSAGE,
    WireCall,
    object_arguments,
    parse_tool_calls,
    result_object,
    wire_name,
)
from functions.chat.providers.wire_format import (
    AnyJson,
    CamelModel,
    OrEmpty,
    Tokens,
    WireModel,
    parse_response,
    response_id,
)

_OPENING: Json = {"role": "user", "parts": [{"text": NO_USER_MESSAGE}]}

_INVALID_NAME_CHARACTER = re.compile(r"[^a-zA-Z0-9_.:-]")
"""Dots and colons are valid, and a signed call must be returned with its original name."""

_REFUSED_NAMES = frozenset({"$ref", "$defs"})
"""Names that are refused at every level of a function's response."""

_FINISH_REASONS: dict[str | None, FinishReason] = {
    None: "stop",
    "STOP": "stop",
    "MAX_TOKENS": "length",
    "SAFETY": "content_filter",
    "RECITATION": "content_filter",
    "BLOCKLIST": "content_filter",
    "PROHIBITED_CONTENT": "content_filter",
    "SPII": "content_filter",
    "MODEL_ARMOR": "content_filter",
}

_MALFORMED = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE"})
"""Finish reasons of a call that the server could not read, and of one of a tool that was not offered."""


def function_declarations(tools: Sequence[Mapping[str, Json]]) -> list[Json]:
    """Return the declarations of `tools` in Gemini's, OpenAI's or a flat format (decision C02)."""
    return [
        dict(_declaration(declaration))
        for tool in tools
        for declaration in cast(
            "list[Mapping[str, Json]]", tool.get("functionDeclarations", [tool.get("function", tool)])
        )
    ]


def _declaration(declaration: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """Yield the fields of a declaration; `parametersJsonSchema` accepts all of JSON Schema, `parameters` a subset."""
    for name, value in declaration.items():
        if name == "parameters":
            yield "parametersJsonSchema", value
        elif name in ("name", "description", "parametersJsonSchema"):
            yield name, value


def wire_contents(messages: Iterable[Message]) -> list[Json]:
    """Return the API's contents: consecutive messages of one role are one, and results are a content of their own."""
    contents: list[tuple[str, list[Json]]] = []
    for message in messages:
        parts = [] if message.role == "system" else list(wire_parts(message))
        if not parts:
            continue
        if contents and contents[-1][0] == message.role:
            contents[-1][1].extend(parts)
        else:
            contents.append((message.role, parts))
    opening = [] if contents and contents[0][0] == "user" else [_OPENING]
    return opening + [{"role": "model" if role == "assistant" else "user", "parts": parts} for role, parts in contents]


def wire_parts(message: Message) -> Iterator[Json]:
    """Yield the API's parts of `message`, none for a blank text."""
    signed = any(_signature(part.state) for part in message.parts if isinstance(part, Stateful))
    for part in message.parts:
        match part:
            case Text() if part.text.strip() or _signature(part.state):
                yield {"text": part.text, **_signature(part.state)}
            case Image() | Document():
                yield {"inlineData": _blob(part)}
            case Reasoning(state=ProviderState(provider="gemini")):
                yield {"text": part.text, "thought": True, **_signature(part.state)}
            case ToolCall():
                # The API requires a signature of the first call of an iteration only.
                signature = _signature(part.state) or ({} if signed else {"thoughtSignature": UNSIGNED})
                signed = True
                call: Json = {
                    "id": part.id,
                    "name": wire_name(part.name, invalid=_INVALID_NAME_CHARACTER),
                    "args": object_arguments(part),
                }
                yield {"functionCall": call, **signature}
            case ToolOutput():
                name = wire_name(part.name, invalid=_INVALID_NAME_CHARACTER)
                pictures: list[Json] = [{"inlineData": _blob(image)} for image in part.images]
                response: dict[str, Json] = {"id": part.call_id, "name": name, "response": _response(part)}
                yield {"functionResponse": {**response, **({"parts": pictures} if pictures else {})}}
            case _:
                continue


def _blob(part: Image | Document) -> Json:
    return {"mimeType": part.media_type, "data": part.data}


def _signature(state: ProviderState | None) -> dict[str, Json]:
    """Return Gemini's signature of a part, with its field name."""
    if state is None or state.provider != "gemini":
        return {}
    return cast("dict[str, Json]", state.value)


def _response(output: ToolOutput) -> dict[str, Json]:
    """Return the result as an object, as the API requires; any other result as a text field."""
    value = result_object(output.content, refused_names=_REFUSED_NAMES)
    return {"error" if output.is_error else "output": output.content} if value is None else value


class _FunctionCall(CamelModel):
    id: AnyJson = None
    name: AnyJson = None
    args: AnyJson = None


class _Part(CamelModel):
    text: str | None = None
    thought: bool | None = None
    thought_signature: str | None = None
    function_call: OrEmpty[_FunctionCall] | None = None

    @property
    def state(self) -> ProviderState | None:
        if self.thought_signature is None:
            return None
        return ProviderState("gemini", {"thoughtSignature": self.thought_signature})


class _Content(CamelModel):
    parts: tuple[_Part, ...] | None = None


class _Candidate(CamelModel):
    content: _Content | None = None
    finish_reason: str | None = None
    finish_message: str | None = None

    @property
    def parts(self) -> tuple[_Part, ...]:
        return (self.content.parts if self.content else None) or ()


class _PromptFeedback(CamelModel):
    block_reason: str | None = None


class _UsageMetadata(CamelModel):
    prompt_token_count: Tokens | None = None
    tool_use_prompt_token_count: Tokens | None = None
    candidates_token_count: Tokens | None = None
    thoughts_token_count: Tokens | None = None
    cached_content_token_count: Tokens | None = None

    def usage(self) -> Usage:
        """Return the usage; Gemini counts reasoning apart from the output, `Usage` as part of it."""
        thoughts = self.thoughts_token_count or 0
        return Usage(
            input_tokens=(self.prompt_token_count or 0) + (self.tool_use_prompt_token_count or 0),
            output_tokens=(self.candidates_token_count or 0) + thoughts,
            cached_tokens=self.cached_content_token_count or 0,
            reasoning_tokens=thoughts,
        )


class _Response(CamelModel):
    candidates: tuple[_Candidate, ...] | None = None
    prompt_feedback: _PromptFeedback | None = None
    usage_metadata: _UsageMetadata | None = None
    model_version: str | None = None
    response_id: AnyJson = None


def parse_completion(body: bytes, *, model: str, conversation: Sequence[Message]) -> Completion:
    """Parse the response of `model` to `conversation`; a blocked prompt is a completion without text.

    Raises ValueError with the first problem, without quoting the body, and FailedAnswerError for a malformed call.
    """
    wire = parse_response(_Response, body)
    blocked = wire.prompt_feedback.block_reason if wire.prompt_feedback else None
    if not wire.candidates and blocked is None:
        raise ValueError("candidates: must not be empty")
    candidate = wire.candidates[0] if wire.candidates else _Candidate()
    calls = parse_tool_calls(
        [
            WireCall(
                name=part.function_call.name,
                arguments=part.function_call.args,
                id=part.function_call.id,
                state=part.state,
            )
            for part in candidate.parts
            if part.function_call
        ],
        conversation,
    )
    if candidate.finish_reason in _MALFORMED and not calls:
        raise FailedAnswerError(malformed_call(candidate.finish_reason, candidate.finish_message))
    return Completion(
        message=Message("assistant", tuple(_parts(candidate.parts, calls))),
        finish_reason=_finish_reason(candidate, blocked, has_calls=bool(calls)),
        usage=wire.usage_metadata.usage() if wire.usage_metadata else Usage(),
        model=wire.model_version or model,
        raw_finish_reason=candidate.finish_reason or blocked,
        id=response_id(wire.response_id),
    )


def _parts(parts: Sequence[_Part], calls: Sequence[ToolCall]) -> Iterator[Part]:
    """Yield one part for each of the response, so that every signature is returned in its place."""
    next_call = iter(calls)
    for part in parts:
        if part.function_call:
            yield next(next_call)
        elif part.thought:
            yield Reasoning(part.state or ProviderState("gemini", {}), part.text or "")
        elif part.text or part.state:
            yield Text(part.text or "", part.state)


def _finish_reason(candidate: _Candidate, blocked: str | None, *, has_calls: bool) -> FinishReason:
    """Return the finish reason: calls decide, since the API's reason is `STOP` with them."""
    if has_calls:
        return "tool_calls"
    return "content_filter" if blocked else _FINISH_REASONS.get(candidate.finish_reason, "unknown")


_TYPE_OF_STATUS: dict[str, ModelErrorType] = {
    "UNAUTHENTICATED": "authentication",
    "PERMISSION_DENIED": "permission",
    "NOT_FOUND": "not_found",
    "RESOURCE_EXHAUSTED": "rate_limit",
    "UNAVAILABLE": "overloaded",
    "DEADLINE_EXCEEDED": "timeout",
    "INTERNAL": "server_error",
    "INVALID_ARGUMENT": "invalid_request",
    "FAILED_PRECONDITION": "invalid_request",
}

_KEY_WORDS = re.compile(r"API key (not valid|expired|not found)|unregistered callers", re.I)
"""Text of an error about the key, whose status is `INVALID_ARGUMENT` or `PERMISSION_DENIED`."""


class _Violation(WireModel):
    quota_id: str = Field(default="", alias="quotaId")


class _Detail(WireModel):
    """Detail of google.rpc: RetryInfo has a delay, ErrorInfo a reason, QuotaFailure violations."""

    retry_delay: str | None = Field(default=None, alias="retryDelay")
    reason: str | None = None
    violations: tuple[_Violation, ...] = ()


class _Error(WireModel):
    code: int | None = None
    message: str = ""
    status: str = ""
    details: tuple[_Detail, ...] = ()


class _ErrorBody(WireModel):
    error: _Error


_BODY: TypeAdapter[_ErrorBody | tuple[_ErrorBody, ...]] = TypeAdapter(_ErrorBody | tuple[_ErrorBody, ...])
"""Some of Google's servers send a list of errors."""


def parse_error(status: int, body: bytes) -> WireError | None:
    """Parse `{"error": {"code", "message", "status", "details"}}`; `None` for another body."""
    try:
        found = _BODY.validate_json(body)
    except ValidationError:
        return None
    bodies = found if isinstance(found, tuple) else (found,)
    if not bodies:
        return None
    error = bodies[0].error
    return WireError(
        message=error.message,
        type=_type(error),
        transient=_is_transient(error, status),
        retry_after=_retry_after(error),
    )


def _type(error: _Error) -> ModelErrorType | None:
    if _KEY_WORDS.search(error.message) or any(detail.reason == "API_KEY_INVALID" for detail in error.details):
        return "authentication"
    return _TYPE_OF_STATUS.get(error.status)


def _is_transient(error: _Error, status: int) -> bool:
    """Return whether a retry may succeed, which it does not for a daily quota or a request that takes too long."""
    if error.status == "DEADLINE_EXCEEDED":
        return False
    spent = any("PerDay" in violation.quota_id for detail in error.details for violation in detail.violations)
    return (error.code or status) in RETRIED_STATUS and not spent


def _retry_after(error: _Error) -> float | None:
    """Return the seconds of a duration such as `3.5s`."""
    for detail in error.details:
        if delay := re.fullmatch(r"(\d+(?:\.\d+)?)s", detail.retry_delay or ""):
            return retry_after_seconds(delay[1])
    return None
