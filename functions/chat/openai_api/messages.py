"""Messages of a request as the conversation and settings of a chat."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Final

from msgspec import Struct

from flexchat.api.request import MAX_MESSAGE_CHARACTERS, ChatRequest
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json, Message, Part, Role, Text, ToolCall, ToolOutput, user
from functions.chat.openai_api.errors import invalid_parameter, refused_conversation
from functions.chat.openai_api.parts import content_parts, result_content, result_images, text_of

_ROLES: Final[Mapping[str, Role]] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
}


def messages_of(items: Json) -> tuple[Message, ...]:
    """Return the messages of the parameter `messages`, without empty ones.

    Raises RequestError that names the message for one that cannot be used, for a tool call without a result directly
    after it, and for a result without its call.
    """
    if not isinstance(items, list) or not items:
        raise invalid_parameter("messages", "must be a list of at least one message")
    messages: list[Message] = []
    pending: dict[str, str] = {}
    for index, item in enumerate(items):
        path = f"messages[{index}]"
        if not isinstance(item, dict):
            raise invalid_parameter(path, "must be an object with a role and a content")
        role = _role(item, path)
        if role == "tool":
            messages.append(_result(item, path, pending))
            continue
        _check_answered(pending)
        parts = _parts(item, path, role)
        pending = {part.id: part.name for part in parts if isinstance(part, ToolCall)}
        if len(pending) != sum(isinstance(part, ToolCall) for part in parts):
            raise invalid_parameter(f"{path}.tool_calls", "has an id twice")
        if parts or index == len(items) - 1:
            messages.append(Message(role, parts))
    _check_answered(pending)
    return tuple(messages)


def _role(item: Mapping[str, Json], path: str) -> Role:
    role = item.get("role")
    known = _ROLES.get(role) if isinstance(role, str) else None
    if known is None:
        hint = "; send results of tools with the role 'tool'" if role == "function" else ""
        raise invalid_parameter(f"{path}.role", f"is {_shown(role)}, not one of {', '.join(_ROLES)}{hint}")
    return known


UNANSWERED: Final = (
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
    "The following tool_call_ids did not have response messages: "
)
NO_CALL: Final = "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'."


def _check_answered(pending: Mapping[str, str]) -> None:
    if pending:
        raise refused_conversation("messages", UNANSWERED + ", ".join(pending))


def _result(item: Mapping[str, Json], path: str, pending: dict[str, str]) -> Message:
    call_id = item.get("tool_call_id")
    if not isinstance(call_id, str) or call_id not in pending:
        message = f"{NO_CALL} The tool_call_id of {path} is {_shown(call_id)}."
        raise refused_conversation(f"{path}.tool_call_id", message)
    return Message("tool", (tool_output(call_id, pending.pop(call_id), item.get("content"), f"{path}.content"),))


def tool_output(call_id: str, name: str, content: Json, place: str, *, responses: bool = False) -> ToolOutput:
    """Return the result of a client's tool, of texts and pictures."""
    parts = content_parts(content, place, required=responses, files=True, responses=responses)
    return ToolOutput(call_id, name, result_content(parts), images=result_images(parts, place))


def _parts(item: Mapping[str, Json], path: str, role: Role) -> tuple[Part, ...]:
    place, is_user = f"{path}.content", role == "user"
    parts = [*content_parts(item.get("content"), place, required=role != "assistant", files=is_user, responses=False)]
    if role != "assistant":
        return tuple(parts)
    refusal = item.get("refusal")
    if not parts and isinstance(refusal, str) and refusal:
        parts.append(Text(refusal))
    if item.get("function_call") is not None:
        raise invalid_parameter(f"{path}.function_call", "is not supported; send tool_calls")
    calls = item.get("tool_calls")
    if calls is None:
        return tuple(parts)
    if not isinstance(calls, list):
        raise invalid_parameter(f"{path}.tool_calls", "must be a list of tool calls")
    return (*parts, *(_call(call, f"{path}.tool_calls[{index}]") for index, call in enumerate(calls)))


def _call(value: Json, path: str) -> ToolCall:
    if not isinstance(value, dict):
        raise invalid_parameter(path, "must be an object with an id and a function")
    kind = value.get("type", "function")
    if kind != "function":
        raise invalid_parameter(f"{path}.type", f"is {_shown(kind)}; only 'function' is supported")
    function = value.get("function")
    if not isinstance(function, dict):
        raise invalid_parameter(f"{path}.function", "must be an object with a name and arguments")
    return tool_call(
        _string(value, "id", path), _string(function, "name", f"{path}.function"), function.get("arguments"), path
    )


def tool_call(id: str, name: str, raw: Json, path: str) -> ToolCall:
    """Return an earlier call of a model. Arguments that are no JSON object stay as the model sent them."""
    if not isinstance(raw, str):
        raise invalid_parameter(f"{path}.function.arguments", "must be a string of JSON")
    try:
        arguments = safe_loads(raw) if raw.strip() else {}
    except JsonError as exc:
        return ToolCall(id, name, None, raw, problem=f"not valid JSON: {exc}")
    if not isinstance(arguments, dict):
        return ToolCall(id, name, None, raw, problem="not a JSON object")
    return ToolCall(id, name, arguments, raw)


def _string(values: Mapping[str, Json], key: str, path: str) -> str:
    value = values.get(key)
    if not isinstance(value, str) or not value:
        raise invalid_parameter(f"{path}.{key}", "must be a string that is not empty")
    return value


def _shown(value: Json) -> str:
    """Return a value for a message: a short text as it is, of others the type."""
    if value is None:
        return "missing"
    return repr(value) if isinstance(value, str) and len(value) <= 64 else f"of the type {type(value).__name__}"


CONTINUE: Final = "Continue your last message from where it ended."
"""Message in place of the user's, for a conversation that ends with one of the assistant."""

BEGIN: Final = "(The conversation begins.)"
"""Message of the user before a first one of the assistant: some providers refuse a conversation that begins with it."""

EMPTY: Final = "(The message is empty.)"
"""Text of a last user message that has none."""


class Conversation(Struct, frozen=True, kw_only=True):
    """Parts of a conversation.

    `message` is the text of the last user message, `content` has its parts if it has pictures or files. `history` has
    the messages before it, `iterations` those after it: the assistant's with calls of the client's tools, and their
    results. `instructions` are the system messages, wherever they were. After a last message of the assistant `message`
    is CONTINUE; of system messages alone, the last one is the message.
    """

    message: str
    content: tuple[Part, ...] = ()
    instructions: str = ""
    history: tuple[Message, ...] = ()
    iterations: tuple[Message, ...] = ()

    def chat_request(self, session_id: str | None, *, param: str) -> ChatRequest:
        """Return the request for the engine, whose message may be longer than those of other front ends.

        Raises RequestError that names `param` for one that is too long for a stored session.
        """
        if session_id is not None and len(self.message) > MAX_MESSAGE_CHARACTERS:
            raise invalid_parameter(
                param,
                f"has a last message of {len(self.message)} characters; a session stores {MAX_MESSAGE_CHARACTERS}:"
                " send it without a session",
            )
        return ChatRequest.model_construct(message=self.message, session_id=session_id)


def conversation_of(messages: Sequence[Message], *, param: str, instructions: str = "") -> Conversation:
    """Return the parts of `messages`; `instructions` come before those in them.

    `param` is the request's parameter with the messages. Raises RequestError for a conversation without a text, and for
    calls without results.
    """
    texts = [instructions, *(message.text for message in messages if message.role == "system")]
    texts = [text for text in texts if text.strip()]
    others = [message for message in messages if message.role != "system"]
    if not others:
        if not texts:
            raise invalid_parameter(param, "must contain a message with a text")
        return Conversation(message=texts[-1], instructions="\n\n".join(texts[:-1]))
    last = max((place for place, message in enumerate(others) if message.role == "user"), default=-1)
    _check_iterations(others[last + 1 :], param)
    if others[0].role != "user":
        others, last = [user(BEGIN), *others], last + (last >= 0)
    instructions = "\n\n".join(texts)
    if last < 0 or others[-1].role == "assistant":
        return Conversation(message=CONTINUE, instructions=instructions, history=tuple(others))
    asked = others[last]
    text = text_of(asked.parts)
    labels = " ".join(part.label for part in asked.attachments)
    return Conversation(
        message=text if text.strip() else labels or EMPTY,
        content=asked.parts if asked.attachments else (),
        instructions=instructions,
        history=tuple(others[:last]),
        iterations=tuple(others[last + 1 :]),
    )


def _check_iterations(iterations: Sequence[Message], param: str) -> None:
    """Raise RequestError unless each call has a result after it."""
    for place, message in enumerate(iterations):
        results = outputs(takewhile(lambda later: later.role == "tool", iterations[place + 1 :]))
        for call in message.tool_calls:
            if call.id not in {result.call_id for result in results}:
                raise refused_conversation(param, f"No tool output found for function call {call.id}.")


def outputs(messages: Iterable[Message]) -> list[ToolOutput]:
    """Return the tool results in `messages`."""
    return [part for message in messages for part in message.parts if isinstance(part, ToolOutput)]
