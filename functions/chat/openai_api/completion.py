"""Chat completions: the answer of a chat in one object, and the chunks of its stream."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from flexchat.api import ChatResponse
from flexchat.messages import AnswerOutcome, Json
from functions.chat.generation.events import ClientCall
from functions.chat.openai_api.usage import completion_usage

type FinishReason = Literal["stop", "length", "tool_calls", "content_filter"]

FINISH_REASONS: Final[Mapping[AnswerOutcome, FinishReason]] = {
    "answered": "stop",
    "empty": "stop",
    "unknown": "stop",
    "client_calls": "tool_calls",
    "filtered": "content_filter",
    "refused": "content_filter",
    "cut_off": "length",
    "iteration_limit": "length",
    "repeated_calls": "length",
    "tool_call_limit": "length",
    "out_of_time": "length",
    "model_failed": "length",
}
"""Finish reason by outcome: `length` for every answer that a limit, the deadline or a failure has cut short."""


class CompletionHead(Struct, frozen=True):
    """Fields that the objects of one completion share; `created` is in seconds since the epoch."""

    request_id: str
    model: str
    created: int

    def completion(self, response: ChatResponse, calls: Sequence[ClientCall]) -> dict[str, Json]:
        """Return the completion with the client's `calls`."""
        message: dict[str, Json] = {"role": "assistant", "content": response.content, "refusal": None}
        if calls:
            message["content"] = response.content or None
            message["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in calls
            ]
        choice: dict[str, Json] = {
            "index": 0,
            "message": message,
            "finish_reason": finish_reason(response),
            "logprobs": None,
        }
        return {
            **self._fields("chat.completion"),
            "choices": [choice],
            "usage": completion_usage(response.usage),
            "flexchat": extension(response),
        }

    def chunk(self, delta: Mapping[str, Json], finish: FinishReason | None = None) -> dict[str, Json]:
        """Return a chunk of a stream with a part of its message."""
        choice: dict[str, Json] = {"index": 0, "delta": dict(delta), "finish_reason": finish, "logprobs": None}
        return {**self._fields("chat.completion.chunk"), "choices": [choice]}

    def usage_chunk(self, response: ChatResponse) -> dict[str, Json]:
        """Return the chunk with the usage, which has no choice."""
        return {**self._fields("chat.completion.chunk"), "choices": [], "usage": completion_usage(response.usage)}

    def _fields(self, kind: str) -> dict[str, Json]:
        return {"id": f"chatcmpl-{self.request_id}", "object": kind, "created": self.created, "model": self.model}


def finish_reason(response: ChatResponse) -> FinishReason:
    return FINISH_REASONS[response.outcome]


def extension(response: ChatResponse) -> dict[str, Json]:
    """Return the field `flexchat` of an answer, with what the service did for it."""
    fields: dict[str, Json] = {
        "request_id": response.request_id,
        "rule": response.rule,
        "model": f"{response.service}:{response.model}",
        "status": response.status,
        "outcome": response.outcome,
        "tool_calls": [
            {"name": call.tool, "ok": call.result.success, "duration_ms": call.result.execution_time_ms}
            for call in response.tool_calls
        ],
    }
    if response.session is not None:
        fields["session_id"] = response.session.id
    if response.usage.cost_usd is not None:
        fields["cost_usd"] = response.usage.cost_usd
    return fields
