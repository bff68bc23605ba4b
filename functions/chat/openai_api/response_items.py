"""Input items of the Responses API as messages."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

from flexchat.messages import Json, Message, Part, Role, Text, ToolCall, ToolOutput
from functions.chat.openai_api.messages import tool_call
from functions.chat.openai_api.requests import invalid_parameter

_ROLES: Final[Mapping[str, Role]] = {
    "user": "user",
    "system": "system",
    "developer": "system",
    "assistant": "assistant",
}
_TEXTS: Final = {"input_text": "text", "output_text": "text", "text": "text", "refusal": "refusal"}
"""Types of content parts that are read, with the key of their text."""


def input_messages(items: str | Sequence[Mapping[str, Json]], earlier: Iterable[Message] = ()) -> tuple[Message, ...]:
    """Return the messages of the parameter `input`, after the `earlier` ones.

    The calls of one turn become one message. Reasoning items are left out. Raises RequestError that names the item for
    one that cannot be used, and for a result without its call.
    """
    messages = list(earlier)
    if isinstance(items, str):
        return (*messages, Message("user", (Text(items),)))
    called = {call.id: call.name for message in messages for call in message.tool_calls}
    for index, item in enumerate(items):
        path = f"input[{index}]"
        match item.get("type", "message"):
            case "message":
                messages.append(_message(item, path))
            case "function_call":
                call = _call(item, path)
                called[call.id] = call.name
                _add_to_turn(messages, call)
            case "function_call_output":
                messages.append(_result(item, path, called))
            case "reasoning":
                continue
            case other:
                raise invalid_parameter(
                    f"{path}.type",
                    f"is {other!r}; send 'message', 'function_call', 'function_call_output' or 'reasoning'",
                )
    return tuple(messages)


def _message(item: Mapping[str, Json], path: str) -> Message:
    role = _ROLES.get(str(item.get("role")))
    if role is None:
        raise invalid_parameter(f"{path}.role", f"is {item.get('role')!r}; send one of {', '.join(_ROLES)}")
    return Message(role, (Text(_text(item.get("content"), f"{path}.content")),))


def _text(content: Json, path: str) -> str:
    """Return the text of a content: a string, or text parts, which are joined by line breaks."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise invalid_parameter(path, "must be a string or a list of text parts")
    texts: list[str] = []
    for index, part in enumerate(content):
        values = cast("dict[str, Any]", part) if isinstance(part, dict) else {}
        kind = values.get("type")
        if kind not in _TEXTS:
            raise invalid_parameter(f"{path}[{index}].type", f"is {kind!r}; only text is accepted")
        text = values.get(_TEXTS[kind])
        if not isinstance(text, str):
            raise invalid_parameter(f"{path}[{index}].{_TEXTS[kind]}", "must be a string")
        texts.append(text)
    return "\n".join(texts)


def _call(item: Mapping[str, Json], path: str) -> ToolCall:
    call_id, name, arguments = (_string(item, key, path) for key in ("call_id", "name", "arguments"))
    return tool_call(call_id, name, arguments, path)


def _add_to_turn(messages: list[Message], call: ToolCall) -> None:
    """Add a call to the assistant's message at the end, or as a message of its own."""
    last = messages[-1] if messages else None
    parts: tuple[Part, ...] = (call,)
    if last is not None and last.role == "assistant":
        messages.pop()
        parts = (*last.parts, call)
    messages.append(Message("assistant", parts))


def _result(item: Mapping[str, Json], path: str, called: Mapping[str, str]) -> Message:
    call_id = _string(item, "call_id", path)
    if call_id not in called:
        raise invalid_parameter(
            f"{path}.call_id",
            f"is {call_id!r}, which no earlier function call has; send the call, or previous_response_id",
        )
    return Message("tool", (ToolOutput(call_id, called[call_id], _text(item.get("output"), f"{path}.output")),))


def _string(item: Mapping[str, Json], key: str, path: str) -> str:
    value = item.get(key)
    if not isinstance(value, str) or (not value and key != "arguments"):
        raise invalid_parameter(f"{path}.{key}", "must be a string that is not empty")
    return value
