"""Messages and tool executions as JSON, stored between requests.

Stored JSON outlives a deployment: readers accept every earlier version, and leave out an unknown part rather than lose
the conversation.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from flexchat.messages import (
    Attachment,
    Document,
    Image,
    Json,
    Message,
    Part,
    ProviderState,
    Reasoning,
    Role,
    Text,
    ToolCall,
    ToolOutput,
)
from flexchat.tools import ToolExecution, ToolResult

SESSION_FILES: Final = "long/sessions"
"""Beginning of the references of the files of sessions."""


def message_to_json(message: Message) -> dict[str, Json]:
    """Return `{role, parts: [{type, …}]}` without absent fields."""
    return {"role": message.role, "parts": [_part_to_json(part) for part in message.parts]}


def message_from_json(value: Mapping[str, Any]) -> Message:
    """Return the message that `message_to_json` wrote. Raises KeyError or TypeError for other values."""
    return Message(cast("Role", value["role"]), tuple(_parts(value["parts"])))


def execution_to_json(execution: ToolExecution) -> dict[str, Json]:
    """Return a tool execution with its result as JSON."""
    result = execution.result
    return {
        "tool": execution.tool,
        "params": execution.params if isinstance(execution.params, str) else dict(execution.params),
        "iteration": execution.iteration,
        "call_id": execution.call_id,
        "result": {
            "success": result.success,
            "tool_name": result.tool_name,
            "execution_time_ms": result.execution_time_ms,
            "result": result.result,
            "error": result.error,
            "error_type": result.error_type,
            "user_message": result.user_message,
            "validation_errors": list(result.validation_errors),
            **({"truncated": True} if result.truncated else {}),
        },
    }


def execution_from_json(value: Mapping[str, Any]) -> ToolExecution:
    """Return the execution that `execution_to_json` wrote. Raises KeyError or TypeError for other values."""
    result = dict(value["result"])
    result["validation_errors"] = tuple(result["validation_errors"])
    return ToolExecution(
        tool=value["tool"],
        params=value["params"],
        result=ToolResult(**result),
        iteration=value["iteration"],
        call_id=value["call_id"],
    )


def _part_to_json(part: Part) -> dict[str, Json]:
    match part:
        case Text():
            return {"type": "text", "text": part.text, **_state_to_json(part.state)}
        case Image() | Document():
            return _attachment_to_json(part)
        case Reasoning():
            return {"type": "reasoning", "text": part.text, **_state_to_json(part.state)}
        case ToolCall():
            return {
                "type": "tool_call",
                "id": part.id,
                "name": part.name,
                "arguments": None if part.arguments is None else dict(part.arguments),
                "raw": part.raw,
                **({"problem": part.problem} if part.problem is not None else {}),
                **_state_to_json(part.state),
            }
        case ToolOutput():
            return {
                "type": "tool_output",
                "call_id": part.call_id,
                "name": part.name,
                "content": part.content,
                **({"is_error": True} if part.is_error else {}),
                **({"images": [_attachment_to_json(image) for image in part.images]} if part.images else {}),
            }


def _attachment_to_json(part: Attachment) -> dict[str, Json]:
    """Return a picture or file without its content, which is stored under its reference."""
    own: dict[str, Json] = {"detail": part.detail} if isinstance(part, Image) else {"tokens": part.tokens}
    return {
        "type": "image" if isinstance(part, Image) else "document",
        "media_type": part.media_type,
        "name": part.name,
        "size": part.size,
        "reference": part.reference,
        **own,
    }


def stored_file_id(session_id: str, reference: str | None) -> str | None:
    """Return the id of a file of a session by its reference; None for one that is not stored with the session."""
    prefix = f"{SESSION_FILES}/{session_id}/"
    return reference.removeprefix(prefix) if reference is not None and reference.startswith(prefix) else None


def _attachment(value: Mapping[str, Any]) -> Attachment:
    fields = {name: each for name, each in value.items() if name != "type"}
    return Image(**fields) if value["type"] == "image" else Document(**fields)


def _state_to_json(state: ProviderState | None) -> dict[str, Json]:
    if state is None:
        return {}
    origin: dict[str, Json] = {} if state.origin is None else {"origin": state.origin}
    return {"state": {"provider": state.provider, "value": state.value, **origin}}


def _parts(values: list[dict[str, Any]]) -> Iterator[Part]:
    for value in values:
        match value["type"]:
            case "text":
                yield Text(value["text"], _state(value))
            case "reasoning":
                state = _state(value)
                if state is not None:
                    yield Reasoning(state, value["text"])
            case "tool_call":
                yield ToolCall(
                    id=value["id"],
                    name=value["name"],
                    arguments=value["arguments"],
                    raw=value["raw"],
                    problem=value.get("problem"),
                    state=_state(value),
                )
            case "image" | "document":
                yield _attachment(value)
            case "tool_output":
                yield ToolOutput(
                    value["call_id"],
                    value["name"],
                    value["content"],
                    value.get("is_error", False),
                    tuple(image for each in value.get("images", ()) if isinstance(image := _attachment(each), Image)),
                )
            case _:
                continue


def _state(value: Mapping[str, Any]) -> ProviderState | None:
    state = value.get("state")
    return ProviderState(state["provider"], state["value"], state.get("origin")) if state else None
