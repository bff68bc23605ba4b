"""Content of a trace in the form of the conventions: messages, instructions, tool definitions, arguments and results.

https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-input-messages.json, and the
schemas beside it. Spans carry it as JSON.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from flexchat.traces import Span, TraceRecord
from functions.traces.otlp import attributes as names

type Attributes = Mapping[str, Any]


def chat_content(record: TraceRecord) -> Iterator[tuple[str, str]]:
    """Return the message of the user and the answer, as attributes of the span of the chat."""
    if record.message:
        yield names.INPUT_MESSAGES, _json([{"role": "user", "parts": [_text(record.message)]}])
    if record.answer:
        answer = {"role": "assistant", "parts": [_text(record.answer)], "finish_reason": "stop"}
        yield names.OUTPUT_MESSAGES, _json([answer])


def model_content(record: TraceRecord, span: Span) -> Iterator[tuple[str, str]]:
    """Return the messages of a model call, as attributes of its span."""
    places = cast("list[Any]", span.content.get("messages") or [])
    sent = [record.messages[place] for place in places if isinstance(place, int) and place < len(record.messages)]
    instructions = [part for message in sent if _role(message) == "system" for part in _parts(message)]
    if instructions:
        yield names.SYSTEM_INSTRUCTIONS, _json(instructions)
    messages = [{"role": _role(each), "parts": list(_parts(each))} for each in sent if _role(each) != "system"]
    if messages:
        yield names.INPUT_MESSAGES, _json(messages)
    answer = span.content.get("answer")
    if answer is not None:
        reason = finish_reason(str(span.attributes.get("finish_reason") or span.error or "stop"))
        yield (
            names.OUTPUT_MESSAGES,
            _json([{"role": "assistant", "parts": list(_parts(answer)), "finish_reason": reason}]),
        )


def tool_content(span: Span) -> Iterator[tuple[str, str]]:
    """Return the arguments and the result of a tool call, as attributes of its span."""
    if "arguments" in span.content:
        yield names.TOOL_CALL_ARGUMENTS, _json(span.content["arguments"])
    if "result" in span.content:
        yield names.TOOL_CALL_RESULT, _json(span.content["result"])


def tool_definitions(record: TraceRecord) -> Iterator[tuple[str, str]]:
    """Return the definitions of the offered tools, as an attribute of the span of the first model call."""
    if record.tools:
        yield names.TOOL_DEFINITIONS, _json([{"type": "function", **_fields(tool)} for tool in record.tools])


def finish_reason(reason: str) -> str:
    """Return a finish reason by the name of the message schema."""
    return "tool_call" if reason == "tool_calls" else reason


def _role(message: Any) -> str:
    return str(_fields(message).get("role", "user"))


def _parts(message: Any) -> Iterator[dict[str, Any]]:
    """Return the parts of a message of a record."""
    parts = _fields(message).get("parts", message if isinstance(message, str) else ())
    for part in [parts] if isinstance(parts, str) else cast("list[Any]", parts):
        yield _text(part) if isinstance(part, str) else _part(_fields(part))


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    if "call_id" in part:
        return {"type": "tool_call_response", "id": part["call_id"], "response": part.get("content")}
    if "arguments" in part:
        arguments = part.get("raw") if part["arguments"] is None else part["arguments"]
        return {"type": "tool_call", "id": part.get("id"), "name": part.get("name"), "arguments": arguments}
    if "text" in part:
        return {"type": "reasoning" if part.get("type") == "reasoning" else "text", "content": part["text"]}
    return {"type": "text", **part}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "content": text}


def _fields(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
