"""Response objects of the Responses API and their output items, as JSON."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from flexchat.api import ChatResponse
from flexchat.messages import FinishReason, Json
from functions.chat.generation.events import ClientCall
from functions.chat.openai_api.completion import extension
from functions.chat.openai_api.response_models import ResponsesRequest

type ResponseStatus = Literal["in_progress", "completed", "incomplete", "failed"]
type Item = dict[str, Json]

_INCOMPLETE: Final[Mapping[FinishReason, str]] = {"length": "max_output_tokens", "content_filter": "content_filter"}
"""Reason of an incomplete response by finish reason; there is none for an answer that the deadline ended."""


class ResponseObject(Struct, frozen=True, kw_only=True):
    """One response: its id, time and request."""

    id: str
    created_at: int
    request: ResponsesRequest

    def as_json(
        self,
        status: ResponseStatus,
        *,
        output: Sequence[Item] = (),
        response: ChatResponse | None = None,
        error: Mapping[str, Json] | None = None,
        is_stored: bool | None = None,
    ) -> dict[str, Json]:
        """Return the object; `response` is the engine's, once there is one."""
        request = self.request
        reason = _incomplete_reason(response) if status == "incomplete" and response else None
        return {
            "id": self.id,
            "object": "response",
            "created_at": self.created_at,
            "status": status,
            "background": False,
            "error": None if error is None else dict(error),
            "incomplete_details": None if reason is None else {"reason": reason},
            "instructions": request.instructions,
            "max_output_tokens": request.max_output_tokens,
            "max_tool_calls": None,
            "metadata": dict(request.metadata or {}),
            "model": request.model,
            "output": list(output),
            "parallel_tool_calls": True,
            "previous_response_id": request.previous_response_id,
            "reasoning": {"effort": None, "summary": None},
            "service_tier": "default",
            "store": request.is_stored if is_stored is None else is_stored,
            "temperature": request.temperature,
            "text": {"format": {"type": "text"}},
            "tool_choice": request.tool_choice or "auto",
            "tools": [_tool(tool) for tool in request.tools or ()],
            "top_p": request.top_p,
            "truncation": "disabled",
            "usage": None if response is None else _usage(response),
            "user": None,
            **({} if response is None else {"flexchat": extension(response)}),
        }


def message_item(id: str, text: str, status: str = "completed") -> Item:
    """Return a message of the assistant; one without text has no content yet."""
    content: list[Json] = [text_part(text)] if text else []
    return {"id": id, "type": "message", "status": status, "role": "assistant", "content": content}


def text_part(text: str) -> dict[str, Json]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def call_item(id: str, call: ClientCall, status: str = "completed") -> Item:
    """Return a call of a client's tool; one in progress has no arguments yet."""
    return {
        "id": id,
        "type": "function_call",
        "status": status,
        "call_id": call.id,
        "name": call.name,
        "arguments": call.arguments if status == "completed" else "",
    }


def status_of(response: ChatResponse) -> ResponseStatus:
    """Return the status of an answer. One that waits for the client's tools is complete."""
    if response.outcome == "client_calls":
        return "completed"
    is_whole = response.status == "complete" and response.finish_reason not in _INCOMPLETE
    return "completed" if is_whole else "incomplete"


def _incomplete_reason(response: ChatResponse) -> str | None:
    return _INCOMPLETE.get(response.finish_reason)


def _tool(tool: Mapping[str, Json]) -> dict[str, Json]:
    return {"description": None, "parameters": None, **tool, "strict": bool(tool.get("strict"))}


def _usage(response: ChatResponse) -> dict[str, Json]:
    usage = response.usage
    return {
        "input_tokens": usage.input_tokens,
        "input_tokens_details": {"cached_tokens": usage.cached_tokens, "cache_write_tokens": 0},
        "output_tokens": usage.output_tokens,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
        "total_tokens": usage.total_tokens,
    }
