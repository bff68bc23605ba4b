"""Gemini's `generateContent`: calls and results match by name and order, and calls are signed."""

from collections.abc import Iterator, Sequence
from typing import ClassVar
from urllib.parse import parse_qs

from dev.demo_model.conversation import Conversation, PlannedCall, Reply
from dev.demo_model.http import Answer, Request
from dev.demo_model.protocols.base import (
    MODEL,
    ProtocolError,
    arguments_object,
    input_tokens,
    output_tokens,
    signature,
    to_answer,
)
from dev.demo_model.protocols.gemini_request import Content, FunctionCall, FunctionResponse, GenerateRequest
from dev.demo_model.protocols.gemini_stream import GeminiStream
from dev.demo_model.protocols.requests import BodyError, offered_tool, parse
from dev.demo_model.protocols.transcript import (
    CallTurn,
    Entry,
    ToolOutput,
    TranscriptCall,
    UserText,
    conversation_of,
    result_text,
)
from flexchat.json import dumps
from flexchat.messages import Json

_MODELS = "/v1beta/models"
_METHOD = ":generateContent"
_STREAM_METHOD = ":streamGenerateContent"

_UNSIGNED = frozenset({"skip_thought_signature_validator", "context_engineering_is_the_way_to_go"})
"""Signature that Google accepts for a call of another model (ai.google.dev, thought signatures)."""

_COUNT = (
    "Please ensure that the number of function response parts is equal to the number of function call parts"
    " of the function call turn."
)
_AFTER = "Please ensure that function response turn comes immediately after a function call turn."


class GeminiProtocol:
    """`generateContent` and `streamGenerateContent` of a model, `GET /v1beta/models` and one of them by name."""

    @property
    def stream(self) -> GeminiStream:
        return GeminiStream()

    def is_chat(self, request: Request) -> bool:
        methods = (_METHOD, _STREAM_METHOD)
        return request.method == "POST" and request.path.startswith(f"{_MODELS}/") and request.path.endswith(methods)

    def describe(self, request: Request) -> Json:
        if request.method != "GET" or not request.path.startswith(_MODELS):
            return None
        _check_key(request)
        name = request.path.removeprefix(_MODELS).removeprefix("/")
        if name:
            return _model(name, "generateContent")
        return {"models": [_model(MODEL, "generateContent"), _model(f"{MODEL}-embedding", "embedContent")]}

    def read(self, request: Request) -> Conversation:
        _check_key(request)
        stream = request.path.endswith(_STREAM_METHOD)
        if stream and parse_qs(request.query).get("alt") != ["sse"]:
            raise ProtocolError("the demo model streams server-sent events only: send ?alt=sse")
        payload = parse(GenerateRequest, request.body, _in_words)
        _check_order(payload.contents)
        _check_signatures(payload.contents)
        declarations = () if payload.tool_choice == "NONE" else payload.declarations
        return conversation_of(
            list(_entries(payload.contents)),
            model=request.path.removeprefix(f"{_MODELS}/").rpartition(":")[0],
            system="\n".join(part.text for part in payload.system_instruction.parts)
            if payload.system_instruction
            else "",
            tools=tuple(
                offered_tool(declaration.name, declaration.json_schema, declaration.description)
                for declaration in declarations
            ),
            input_characters=len(request.body),
            max_tokens=payload.generation_config.max_output_tokens if payload.generation_config else None,
            stream=stream,
            form=payload.generation_config.form if payload.generation_config else None,
        )

    def write(self, conversation: Conversation, reply: Reply) -> Json:
        broken = any(isinstance(call.arguments, str) for call in reply.calls)
        candidate: dict[str, Json] = {"index": 0, "finishReason": "STOP"}
        content: dict[str, Json] = {"role": "model"}
        if reply.finish == "refusal":
            candidate["finishReason"] = "SAFETY"
            candidate["safetyRatings"] = [
                {"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "probability": "HIGH", "blocked": True}
            ]
        elif broken:
            candidate["finishReason"] = "MALFORMED_FUNCTION_CALL"
            candidate["finishMessage"] = "Malformed function call: the arguments are not JSON"
        else:
            if reply.finish == "length":
                candidate["finishReason"] = "MAX_TOKENS"
            if parts := _parts(reply):
                content["parts"] = parts
        candidate["content"] = content
        prompt, answer = input_tokens(conversation), output_tokens(reply)
        return {
            "candidates": [candidate],
            "usageMetadata": {
                "promptTokenCount": prompt,
                "candidatesTokenCount": answer,
                "totalTokenCount": prompt + answer,
            },
            "modelVersion": conversation.model,
            "responseId": f"demo-{conversation.earlier_calls}-{prompt}",
        }

    _STATUS: ClassVar[dict[int, str]] = {
        400: "INVALID_ARGUMENT",
        401: "UNAUTHENTICATED",
        403: "PERMISSION_DENIED",
        404: "NOT_FOUND",
        429: "RESOURCE_EXHAUSTED",
        500: "INTERNAL",
        503: "UNAVAILABLE",
        504: "DEADLINE_EXCEEDED",
    }

    def refuse(self, error: ProtocolError) -> Answer:
        detail: dict[str, Json] = {
            "code": error.status,
            "message": error.message,
            "status": self._STATUS.get(error.status, "UNKNOWN"),
        }
        if error.retry_after is not None:
            # Google puts the delay into the body and sends no Retry-After.
            detail["details"] = [
                {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{error.retry_after}s"}
            ]
        return to_answer(error.status, {"error": detail})


def _parts(reply: Reply) -> list[Json]:
    parts: list[Json] = []
    if reply.thinking:
        parts.append({"text": reply.thinking, "thought": True})
    if reply.text:
        parts.append({"text": reply.text})
    for index, call in enumerate(reply.calls):
        part: dict[str, Json] = {"functionCall": _function_call(call)}
        if index == 0:
            # Only the first of parallel calls is signed.
            part["thoughtSignature"] = signature(_function_call(call))
        parts.append(part)
    return parts


def _function_call(call: PlannedCall) -> dict[str, Json]:
    return {"name": call.tool, "args": arguments_object(call.arguments)}


def _check_key(request: Request) -> None:
    if not request.headers.get("x-goog-api-key"):
        raise ProtocolError(
            "Method doesn't allow unregistered callers (callers without established identity)."
            " Please use API Key or other form of API consumer identity to call this API.",
            403,
        )


def _check_order(contents: Sequence[Content]) -> None:
    """Check that the next content answers the calls with as many responses of the same names."""
    waiting: list[FunctionCall] = []
    for content in contents:
        responses = content.responses
        if responses and not waiting:
            raise ProtocolError(_AFTER)
        if waiting and not (len(waiting) == len(responses) and _matching(waiting, responses)):
            raise ProtocolError(_COUNT)
        waiting = list(content.calls)
    if waiting:
        raise ProtocolError(_COUNT)
    if contents[-1].role == "model":
        raise ProtocolError("Please ensure that multiturn requests ends with a user role or a function response.")


def _matching(calls: Sequence[FunctionCall], responses: Sequence[FunctionResponse]) -> list[FunctionCall]:
    """Return the call of each response: the one with its id, else the earliest of its name.

    Empty when a response has none.
    """
    waiting, found = list(calls), list[FunctionCall]()
    for response in responses:
        call = next((call for call in waiting if call.id is not None and call.id == response.id), None)
        call = call or next((call for call in waiting if call.name == response.name), None)
        if call is None or call.name != response.name:
            return []
        waiting.remove(call)
        found.append(call)
    return found


def _check_signatures(contents: Sequence[Content]) -> None:
    """Check that each step since the latest user message has its signature in the part of its first call."""
    asked_at = max((index for index, content in enumerate(contents) if content.says_something), default=-1)
    for index, content in enumerate(contents[asked_at + 1 :], start=asked_at + 1):
        part = next((part for part in content.parts if part.function_call), None)
        if part is None or part.function_call is None:
            continue
        call = part.function_call
        if part.thought_signature is None:
            raise ProtocolError(
                "Function call is missing a thought_signature in functionCall parts. This is required for tools to"
                " work correctly, and missing thought_signature may lead to degraded model performance."
                f" Additional data, function call `default_api:{call.name}`, position {index + 1}."
            )
        if part.thought_signature not in {signature({"name": call.name, "args": call.args}), *_UNSIGNED}:
            raise ProtocolError("Corrupted thought signature.")


def _entries(contents: Sequence[Content]) -> Iterator[Entry]:
    waiting: list[FunctionCall] = []
    ids: dict[int, str] = {}
    for index, content in enumerate(contents):
        for call, response in zip(_matching(waiting, content.responses), content.responses, strict=True):
            yield ToolOutput(ids[id(call)], result_text(response.response) or dumps(response.response))
        if content.says_something:
            yield UserText(content.text)
        waiting = list(content.calls)
        ids = {id(call): f"{index}.{number}" for number, call in enumerate(waiting)}
        if waiting:
            yield CallTurn(tuple(TranscriptCall(ids[id(call)], call.name, call.args) for call in waiting))


def _model(name: str, method: str) -> Json:
    return {
        "name": f"models/{name}",
        "version": "1",
        "displayName": name,
        "description": "A small rule-based model, and no language model.",
        "inputTokenLimit": 32_768,
        "outputTokenLimit": 8_192,
        "supportedGenerationMethods": [method],
        "temperature": 1,
        "maxTemperature": 2,
    }


def _in_words(body_error: BodyError) -> str:
    where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in body_error.path).lstrip(".")
    if body_error.unknown:
        parent, _, name = where.rpartition(".")
        return f"Invalid JSON payload received. Unknown name {name!r} at {parent!r}: Cannot find field."
    return f"Invalid value at {where!r}: {body_error.message}"
