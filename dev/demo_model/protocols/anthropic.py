"""Anthropic's Messages API: results come first in the next turn, and signed thinking blocks are returned unchanged."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from dev.demo_model.conversation import Conversation, Reply
from dev.demo_model.fault_injection import HEADER, read_directives
from dev.demo_model.http import Answer, Request
from dev.demo_model.protocols.anthropic_request import (
    MessagesRequest,
    ThinkingBlock,
    ToolResultBlock,
    ToolUseBlock,
    TurnMessage,
)
from dev.demo_model.protocols.anthropic_stream import AnthropicStream
from dev.demo_model.protocols.base import (
    MODEL,
    ProtocolError,
    arguments_object,
    input_tokens,
    output_tokens,
    signature,
    to_answer,
)
from dev.demo_model.protocols.requests import dotted, input_characters, offered_tool, parse
from dev.demo_model.protocols.transcript import (
    CallTurn,
    Entry,
    ToolOutput,
    TranscriptCall,
    UserText,
    conversation_of,
    error_text,
)
from flexchat.messages import Json

VERSION_HEADER = "anthropic-version"

_MODELS = "/v1/models"
_OWN_CALL = "toolu_demo_"
_STOP_REASONS: dict[str, str] = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "length": "max_tokens",
    "refusal": "refusal",
}


class AnthropicProtocol:
    """`POST /v1/messages`, and `GET /v1/models` with an `anthropic-version`."""

    @property
    def stream(self) -> AnthropicStream:
        return AnthropicStream()

    def is_chat(self, request: Request) -> bool:
        return (request.method, request.path) == ("POST", "/v1/messages")

    def describe(self, request: Request) -> Json:
        if request.method != "GET" or VERSION_HEADER not in request.headers or not request.path.startswith(_MODELS):
            return None
        _check_headers(request)
        name = request.path.removeprefix(_MODELS).removeprefix("/")
        if name:
            return _model(name)
        return {"data": [_model(MODEL)], "has_more": False, "first_id": MODEL, "last_id": MODEL}

    def read(self, request: Request) -> Conversation:
        _check_headers(request)
        payload = parse(MessagesRequest, request.body, dotted)
        turns = _turns(payload.messages)
        _check_results(turns)
        conversation = conversation_of(
            list(_entries(turns)),
            model=payload.model,
            system="\n".join(block.text for block in payload.system),
            tools=()
            if payload.tool_choice is not None and payload.tool_choice.type == "none"
            else tuple(offered_tool(tool.name, tool.input_schema, tool.description) for tool in payload.tools),
            input_characters=input_characters(request.body),
            max_tokens=payload.max_tokens,
            stream=payload.stream,
            form=payload.form,
        )
        _check_thoughts(turns)
        if read_directives(conversation.message, request.headers.get(HEADER))[0].think:
            _check_thoughts_are_there(turns)
        return conversation

    def write(self, conversation: Conversation, reply: Reply) -> Json:
        content: list[Json] = []
        if reply.thinking:
            content.append({"type": "thinking", "thinking": reply.thinking, "signature": signature(reply.thinking)})
        if reply.text:
            content.append({"type": "text", "text": reply.text})
        content.extend(
            {
                "type": "tool_use",
                "id": f"{_OWN_CALL}{conversation.earlier_calls + number}",
                "name": call.tool,
                "input": arguments_object(call.arguments),
            }
            for number, call in enumerate(reply.calls, start=1)
        )
        prompt = input_tokens(conversation)
        return {
            "id": f"msg_demo_{conversation.earlier_calls}_{prompt}",
            "type": "message",
            "role": "assistant",
            "model": conversation.model,
            "content": content,
            "stop_reason": _STOP_REASONS[reply.finish],
            "stop_sequence": None,
            "usage": {"input_tokens": prompt, "output_tokens": output_tokens(reply)},
        }

    _TYPES: ClassVar[dict[int, str]] = {
        401: "authentication_error",
        403: "permission_error",
        404: "not_found_error",
        413: "request_too_large",
        429: "rate_limit_error",
        503: "overloaded_error",
        504: "timeout_error",
        529: "overloaded_error",
    }

    def refuse(self, error: ProtocolError) -> Answer:
        otherwise = "api_error" if error.status >= 500 else "invalid_request_error"
        kind = self._TYPES.get(error.status, otherwise)
        body: Json = {
            "type": "error",
            "error": {"type": kind, "message": error.message},
            "request_id": "req_demo",
        }
        headers = {} if error.retry_after is None else {"Retry-After": error.retry_after}
        return to_answer(error.status, body, {"request-id": "req_demo", **headers})


def _check_headers(request: Request) -> None:
    if not (request.headers.get("x-api-key") or request.headers.get("authorization")):
        raise ProtocolError("x-api-key header is required", 401)
    if VERSION_HEADER not in request.headers:
        raise ProtocolError(f"{VERSION_HEADER}: header is required")


def _turns(messages: Sequence[TurnMessage]) -> list[TurnMessage]:
    """Merge consecutive messages of the same role into one turn."""
    if messages[0].role != "user":
        raise ProtocolError('messages: first message must use the "user" role')
    turns: list[TurnMessage] = []
    for message in messages:
        if turns and turns[-1].role == message.role:
            turns[-1] = TurnMessage.model_construct(role=message.role, content=[*turns[-1].content, *message.content])
        else:
            turns.append(message)
    return turns


def _check_results(turns: Sequence[TurnMessage]) -> None:
    ids: set[str] = set()
    waiting: set[str] = set()
    for index, turn in enumerate(turns):
        first = [block.tool_use_id for block in turn.content[: len(waiting)] if isinstance(block, ToolResultBlock)]
        if missing := sorted(waiting.difference(first)):
            raise ProtocolError(
                f"messages.{index - 1}: `tool_use` ids were found without `tool_result` blocks immediately after:"
                f" {', '.join(missing)}. Each `tool_use` block must have a corresponding `tool_result` block in the"
                " next message."
            )
        for place, block in enumerate(turn.content):
            if isinstance(block, ToolResultBlock):
                if block.tool_use_id not in waiting:
                    raise ProtocolError(
                        f"messages.{index}.content.{place}: unexpected `tool_use_id` found in `tool_result` blocks:"
                        f" {block.tool_use_id}. Each `tool_result` block must have a corresponding `tool_use` block in"
                        " the previous message."
                    )
                waiting.discard(block.tool_use_id)
        waiting = {call.id for call in turn.calls}
        if len(waiting) != len(turn.calls) or not ids.isdisjoint(waiting):
            raise ProtocolError("messages: `tool_use` ids must be unique")
        ids |= waiting
    if waiting:
        raise ProtocolError(
            f"messages.{len(turns) - 1}: `tool_use` ids were found without `tool_result` blocks immediately after:"
            f" {', '.join(sorted(waiting))}."
        )


def _check_thoughts(turns: Sequence[TurnMessage]) -> None:
    for index, turn in enumerate(turns):
        for place, block in enumerate(turn.content):
            if isinstance(block, ThinkingBlock) and block.signature != signature(block.thinking):
                raise ProtocolError(f"messages.{index}.content.{place}: Invalid `signature` in `thinking` block")


def _check_thoughts_are_there(turns: Sequence[TurnMessage]) -> None:
    """Check that a turn with calls of this server since the latest user message begins with its thinking blocks."""
    asked_at = max(index for index, turn in enumerate(turns) if turn.role == "user" and turn.text)
    for index, turn in enumerate(turns[asked_at + 1 :], start=asked_at + 1):
        own = any(isinstance(block, ToolUseBlock) and block.id.startswith(_OWN_CALL) for block in turn.content)
        if own and not isinstance(turn.content[0], ThinkingBlock):
            raise ProtocolError(
                f"messages.{index}.content.0.type: Expected `thinking` or `redacted_thinking`, but found"
                f" `{turn.content[0].type}`. When `thinking` is enabled, a final `assistant` message must start with a"
                " thinking block."
            )


def _entries(turns: Sequence[TurnMessage]) -> Iterator[Entry]:
    for turn in turns:
        for result in turn.results:
            yield ToolOutput(result.tool_use_id, error_text(result.text) if result.is_error else result.text)
        if turn.role == "user" and turn.text:
            yield UserText(turn.text)
        if turn.calls:
            yield CallTurn(tuple(TranscriptCall(call.id, call.name, call.input) for call in turn.calls))


def _model(name: str) -> Json:
    return {"type": "model", "id": name, "display_name": name, "created_at": "2026-01-01T00:00:00Z"}
