"""Messages and responses of Bedrock's Converse API.

https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from flexchat.errors import ModelError, ModelErrorType
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
from flexchat.retry import RETRIED_STATUS, retry_after_seconds
from functions.chat.providers.bedrock.aws.converse import ConverseError
from functions.chat.providers.errors import (
    CONNECTION_BROKEN,
    NO_CONNECTION,
    FailedAnswerError,
    TransientError,
    error_type_of_status,
    malformed_call,
    response_error,
    timed_out,
)
from functions.chat.providers.prompt_cache import MARKED_MESSAGES
from functions.chat.providers.tool_calls import (
    NO_USER_MESSAGE,
    WireCall,
    hashed_id,
    object_arguments,
    parse_tool_calls,
    plain_parts,
    result_object,
    wire_name,
)
from functions.chat.providers.wire_format import CamelModel, OrEmpty, Tokens, parse_response

_CALL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")

_FINISH_REASONS: dict[str | None, FinishReason] = {
    None: "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "guardrail_intervened": "content_filter",
    "content_filtered": "content_filter",
}

_MALFORMED = frozenset({"malformed_tool_use", "malformed_model_output"})
"""Stop reasons of a call that the service could not read."""


def wire_messages(messages: Sequence[Message], *, offers_tools: bool) -> list[Json]:
    """Return the API's messages, with alternating roles and the user's first. Messages without content are left out.

    Without tools in the request, calls and results become text: the API refuses them.
    """
    alternating: list[tuple[str, list[Json]]] = []
    names = DocumentNames()
    for message in messages:
        blocks = [] if message.role == "system" else wire_blocks(message, offers_tools=offers_tools, names=names)
        if not blocks:
            continue
        role = "assistant" if message.role == "assistant" else "user"
        if alternating and alternating[-1][0] == role:
            alternating[-1][1].extend(blocks)
        else:
            alternating.append((role, blocks))
    if not alternating or alternating[0][0] == "assistant":
        alternating.insert(0, ("user", [{"text": NO_USER_MESSAGE}]))
    return [{"role": role, "content": _with_text(blocks)} for role, blocks in alternating]


def _with_text(blocks: list[Json]) -> list[Json]:
    """Return the content of a message, with a text where it has a document: the API refuses one without."""
    kinds = {kind for block in blocks for kind in cast("dict[str, Json]", block)}
    return [*blocks, {"text": "(no text)"}] if "document" in kinds and "text" not in kinds else blocks


_REFUSED_IN_NAME = re.compile(r"[^a-zA-Z0-9()\[\]-]+")
MAX_NAME_CHARACTERS = 200


class DocumentNames:
    """Names of the documents of one request: each has one of its own, of the characters that the API accepts."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def name(self, document: Document) -> str:
        stem = document.name.rpartition(".")[0] or document.name
        name = _REFUSED_IN_NAME.sub(" ", stem).strip()[: MAX_NAME_CHARACTERS - 10] or "document"
        number = 1
        while (unique := name if number == 1 else f"{name} ({number})") in self._used:
            number += 1
        self._used.add(unique)
        return unique


CACHE_POINT: dict[str, Json] = {"cachePoint": {"type": "default"}}
"""Mark for the prompt cache, as an entry after those of a part."""


def mark_messages(messages: Sequence[Json], *, results: bool) -> None:
    """Mark the ends of the last messages of the user in `messages`, of `wire_messages`, for the prompt cache.

    Without `results`, messages with results of tools get no mark.
    """
    contents = [
        cast("list[dict[str, Json]]", message["content"])
        for message in cast("Sequence[dict[str, Json]]", messages)
        if message["role"] == "user"
    ]
    suitable = [content for content in contents if results or not any("toolResult" in block for block in content)]
    for content in suitable[-MARKED_MESSAGES:]:
        content.append(CACHE_POINT)


def wire_blocks(message: Message, *, offers_tools: bool, names: DocumentNames | None = None) -> list[Json]:
    """Return the content blocks of `message`, without blank texts and reasoning at its end, which the API refuses."""
    parts = message.parts if offers_tools else tuple(plain_parts(message))
    blocks = list(_blocks(parts, names or DocumentNames()))
    while blocks and "reasoningContent" in blocks[-1]:
        blocks.pop()
    return [*blocks]


def _blocks(parts: Sequence[Part], names: DocumentNames) -> Iterator[dict[str, Json]]:
    for part in parts:
        match part:
            case Text() if part.text.strip():
                yield {"text": part.text}
            case Image():
                yield _image(part)
            case Document():
                yield {"document": {"format": "pdf", "name": names.name(part), "source": {"bytes": part.data}}}
            case Reasoning(state=ProviderState(provider="bedrock", value=value)) if _is_signed(value):
                yield {"reasoningContent": value}
            case ToolCall():
                use: Json = {
                    "toolUseId": _wire_id(part.id),
                    "name": wire_name(part.name),
                    "input": object_arguments(part),
                }
                yield {"toolUse": use}
            case ToolOutput():
                yield {"toolResult": _result(part)}
            case _:
                continue


def _is_signed(value: Json) -> bool:
    """Return whether reasoning is signed; models without signatures refuse their reasoning in a history."""
    if not isinstance(value, dict):
        return False
    text = value.get("reasoningText")
    return "redactedContent" in value or (isinstance(text, dict) and "signature" in text)


def _image(image: Image) -> dict[str, Json]:
    return {"image": {"format": image.media_type.removeprefix("image/"), "source": {"bytes": image.data}}}


def _result(output: ToolOutput) -> Json:
    value = result_object(output.content)
    content: Json = (
        {"text": output.content if output.content.strip() else "(nothing)"} if value is None else {"json": value}
    )
    return {
        "toolUseId": _wire_id(output.call_id),
        "content": [content, *map(_image, output.images)],
        "status": "error" if output.is_error else "success",
    }


def _wire_id(call_id: str) -> str:
    return call_id if _CALL_ID.fullmatch(call_id) else hashed_id(call_id)


class _ToolUse(CamelModel):
    tool_use_id: Json = None
    name: Json = None
    input: Json = None


class _Block(CamelModel):
    text: str | None = None
    tool_use: OrEmpty[_ToolUse] | None = None
    reasoning_content: dict[str, Json] | None = None


class _Message(CamelModel):
    content: tuple[_Block, ...] = ()


class _Output(CamelModel):
    message: _Message


class _Usage(CamelModel):
    input_tokens: Tokens = 0
    output_tokens: Tokens = 0
    cache_read_input_tokens: Tokens | None = None
    cache_write_input_tokens: Tokens | None = None

    def usage(self) -> Usage:
        """Return the usage; Bedrock counts tokens of its cache apart from the input, `Usage` as part of it."""
        cached, written = self.cache_read_input_tokens or 0, self.cache_write_input_tokens or 0
        return Usage(
            input_tokens=self.input_tokens + cached + written,
            output_tokens=self.output_tokens,
            cached_tokens=cached,
            cache_write_tokens=written,
        )


class _Response(CamelModel):
    output: _Output
    stop_reason: str | None = None
    usage: _Usage = _Usage()


def parse_completion(body: bytes, *, model: str, conversation: Sequence[Message]) -> Completion:
    """Parse the response of `model` to `conversation`; it does not name its model.

    Raises ValueError with the first problem, without quoting the body, and FailedAnswerError for a malformed call.
    """
    wire = parse_response(_Response, body)
    blocks = wire.output.message.content
    uses = [block.tool_use for block in blocks if block.tool_use]
    calls = parse_tool_calls([WireCall(use.name, use.input, use.tool_use_id) for use in uses], conversation)
    if wire.stop_reason in _MALFORMED and not calls:
        raise FailedAnswerError(malformed_call(wire.stop_reason))
    return Completion(
        message=Message("assistant", tuple(_parts(blocks, calls))),
        finish_reason="tool_calls" if calls else _FINISH_REASONS.get(wire.stop_reason, "unknown"),
        usage=wire.usage.usage(),
        model=model,
        raw_finish_reason=wire.stop_reason,
    )


def _parts(blocks: Sequence[_Block], calls: Sequence[ToolCall]) -> Iterator[Part]:
    """Yield the parts in order: reasoning has to be returned in its place."""
    next_call = iter(calls)
    for block in blocks:
        if block.text:
            yield Text(block.text)
        if block.reasoning_content is not None:
            text = block.reasoning_content.get("reasoningText")
            yield Reasoning(ProviderState("bedrock", dict(block.reasoning_content)), _text_of(text))
        if block.tool_use:
            yield next(next_call)


def _text_of(reasoning: Json) -> str:
    text = reasoning.get("text") if isinstance(reasoning, dict) else None
    return text if isinstance(text, str) else ""


_SERVICE_ERRORS: dict[str, tuple[ModelErrorType, bool]] = {
    "ThrottlingException": ("rate_limit", True),
    "TooManyRequestsException": ("rate_limit", True),
    "ServiceQuotaExceededException": ("rate_limit", False),
    "ModelTimeoutException": ("timeout", False),
    "ServiceUnavailableException": ("overloaded", True),
    "ModelNotReadyException": ("overloaded", True),
    "InternalServerException": ("server_error", True),
    "ModelErrorException": ("server_error", True),
    "ModelStreamErrorException": ("server_error", True),
    "AccessDeniedException": ("permission", False),
    "UnrecognizedClientException": ("authentication", False),
    "ExpiredTokenException": ("authentication", False),
    "InvalidSignatureException": ("authentication", False),
    "IncompleteSignatureException": ("authentication", False),
    "MissingAuthenticationTokenException": ("authentication", False),
    "ResourceNotFoundException": ("not_found", False),
    "ValidationException": ("invalid_request", False),
}
"""Errors of the service by name: type, and whether a retry may succeed."""

_NO_CREDENTIALS = "no AWS credentials were found that could be used"

_CLIENT_ERRORS: dict[str, tuple[ModelErrorType, bool, str]] = {
    "ConnectTimeoutError": ("network", True, NO_CONNECTION),
    "EndpointConnectionError": ("network", True, NO_CONNECTION),
    "ProxyConnectionError": ("network", True, NO_CONNECTION),
    "SSLError": ("network", True, NO_CONNECTION),
    "NoCredentialsError": ("authentication", False, _NO_CREDENTIALS),
    "PartialCredentialsError": ("authentication", False, _NO_CREDENTIALS),
    "CredentialRetrievalError": ("authentication", False, _NO_CREDENTIALS),
    "TokenRetrievalError": ("authentication", False, _NO_CREDENTIALS),
    "SSOTokenLoadError": ("authentication", False, _NO_CREDENTIALS),
    "UnauthorizedSSOTokenError": ("authentication", False, _NO_CREDENTIALS),
    "InvalidEventStreamError": (
        "invalid_response",
        False,
        "the answer cannot be read: it is not a valid event stream",
    ),
    "ParamValidationError": ("invalid_request", False, "the model must be named by its Bedrock id or ARN"),
}
"""Errors of botocore by name: type, whether a retry may succeed, and text."""

_BROKEN_CONNECTION: tuple[ModelErrorType, bool, str] = ("network", True, CONNECTION_BROKEN)

_UNKNOWN_MODEL = re.compile(r"model identifier is invalid", re.I)


_REFUSED_POINT = re.compile(r"(?:/(tools|system|messages)/[\w/]{0,40})?: extraneous key \[cachePoint\]", re.I)
_NO_CACHE = re.compile(r"did not allow prompt caching|prompt caching is not supported", re.I)
"""Errors of models without a prompt cache, and of models without marks in a part: Nova has none in tools."""


def model_error(
    error: ConverseError, seconds: float, *, provider: str, secrets: Iterable[str], sent: bytes | None = None
) -> ModelError:
    """Return the ModelError of `error`; `seconds` is the time limit of the attempt, `sent` the body of the request.

    A `TransientError` when a retry may succeed, an `UnsupportedParameterError` when a request without a parameter may.
    """
    if error.status is not None:
        return _service_error(error, error.status, provider=provider, secrets=secrets, sent=sent)
    if error.code == "ReadTimeoutError":
        return timed_out(seconds, provider=provider)
    kind, transient, text = _CLIENT_ERRORS.get(error.code, _BROKEN_CONNECTION)
    return (TransientError if transient else ModelError)(text, type=kind, provider=provider)


def _service_error(
    error: ConverseError, status: int, *, provider: str, secrets: Iterable[str], sent: bytes | None
) -> ModelError:
    by_status = (error_type_of_status(status), status in RETRIED_STATUS)
    kind, transient = _SERVICE_ERRORS.get(error.code, by_status)
    return response_error(
        error.message,
        type=_type_of_text(error.message) or kind if kind == "invalid_request" else kind,
        transient=transient,
        status=status,
        retry_after=retry_after_seconds(error.retry_after),
        parameter=_refused_mark(error.message, kind),
        provider=provider,
        secrets=secrets,
        sent=sent,
    )


def refuses_streaming(error: ModelError) -> bool:
    """Return whether a model that answers in one piece refused a stream, some of them only with tools."""
    return error.status == 400 and "streaming" in error.message.lower() and not error.after_output


def _type_of_text(message: str) -> ModelErrorType | None:
    """Return the type from the text, since most errors share the name `ValidationException`."""
    return "not_found" if _UNKNOWN_MODEL.search(message) else None


def _refused_mark(message: str, kind: ModelErrorType) -> str | None:
    """Return the marks for the prompt cache that a refusal names: of a part, else all."""
    if kind in ("invalid_request", "permission") and _NO_CACHE.search(message):
        return "prompt_cache"
    point = _REFUSED_POINT.search(message) if kind == "invalid_request" else None
    if point is None:
        return None
    return f"cached_{point[1].lower()}" if point[1] else "prompt_cache"
