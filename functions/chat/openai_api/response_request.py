"""Request of the Responses API, checked parameter by parameter, and its input items as messages."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any, Final

from pydantic import ConfigDict, Field

from flexchat.errors import RequestError
from flexchat.json import StrictNumberModel
from flexchat.messages import Json, Message, Part, Role, Text, ToolCall
from flexchat.text import truncate
from functions.chat.openai_api.errors import invalid_parameter, refused_conversation
from functions.chat.openai_api.messages import tool_call, tool_output
from functions.chat.openai_api.parameters import END_USER, MAX_TOOLS, RefusedValues, RequestParameters
from functions.chat.openai_api.parts import content_parts

MAX_ITEMS: Final = 2_000
MAX_METADATA: Final = 16


class ResponsesRequest(StrictNumberModel):
    """Request for a response. Other parameters of OpenAI's API are ignored, or rejected if they would change the
    answer."""

    model_config = ConfigDict(frozen=True, extra="allow")

    model: Annotated[str, Field(min_length=1, max_length=512, examples=["flexchat"])]
    input: (
        Annotated[str, Field(examples=["What is 15% of 45?"])]
        | Annotated[list[dict[str, Json]], Field(max_length=MAX_ITEMS)]
    )
    instructions: str | None = None
    previous_response_id: Annotated[str, Field(max_length=256)] | None = None
    store: bool | None = None
    background: bool | None = None
    stream: bool | None = None
    max_output_tokens: Annotated[int, Field(ge=1)] | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(ge=0, le=1)] | None = None
    tools: Annotated[list[dict[str, Json]], Field(max_length=MAX_TOOLS)] | None = None
    tool_choice: str | dict[str, Json] | None = None
    reasoning: dict[str, Json] | None = None
    text: dict[str, Json] | None = None
    metadata: Annotated[dict[str, Annotated[str, Field(max_length=512)]], Field(max_length=MAX_METADATA)] | None = None
    safety_identifier: Any = None
    user: Any = None

    @property
    def parameters(self) -> RequestParameters:
        """Return the parameters that are read with those of chat completions."""
        return RequestParameters(
            {
                **(self.model_extra or {}),
                "tools": [*(self.tools or ())],
                "tool_choice": self.tool_choice,
                "reasoning": self.reasoning,
                "text": self.text,
                "metadata": {**(self.metadata or {})},
                "safety_identifier": self.safety_identifier,
                "user": self.user,
            }
        )

    @property
    def is_stored(self) -> bool:
        """Return whether a later request may continue the response."""
        return self.store is not False


REFUSED: Final[Mapping[str, RefusedValues]] = {
    "conversation": RefusedValues((), "is not supported; use previous_response_id or metadata.session_id"),
    "moderation": RefusedValues((), "is not supported"),
    "prompt": RefusedValues((), "is not supported; the prompts are those of the response rules"),
    "top_logprobs": RefusedValues((0,), "is not supported; log probabilities are not returned"),
}
"""Parameters that are refused, with the values that are not."""

HONOURED: Final[Mapping[str, str]] = {
    "model": "required; an id of `GET /v1/models`",
    "input": "required; a text, or a list of messages, function calls, their results and references to stored items",
    "instructions": "follow the prompt of the rule; those of a previous response are not repeated",
    "previous_response_id": "continues the conversation of a stored response of the same token",
    "store": "`false` does not store the conversation; the default is `true`",
    "background": "`true` answers in the [background](#background); needs `store`, and no session",
    "stream": "`true` streams the response",
    "text": (
        "`format` is `text`, `json_object` or `json_schema`, in place of the rule's `response_schema`; see "
        "[Structured answers](structured-answers.md)"
    ),
    "max_output_tokens": "tokens of one model call, in place of those of the llm",
    "temperature": "0 to 2, in place of the rule's",
    "top_p": "0 to 1",
    "reasoning": "`effort` is that of `reasoning_effort` of chat completions; summaries are not returned",
    "tools": "function tools that the client runs, at most 128; others are skipped with a warning",
    "tool_choice": "`auto`, `none`, `required` or one function; `none` excludes the tools of the service too",
    "metadata": "returned unchanged; `session_id` names a session",
    **END_USER,
}
"""Meaning of each parameter that has an effect."""

IGNORED: Final[tuple[str, ...]] = (
    "include",
    "max_tool_calls",
    "parallel_tool_calls",
    "prompt_cache_key",
    "service_tier",
    "stream_options",
    "truncation",
)
"""Known parameters without an effect; so are all unknown ones."""


def check_refused(request: ResponsesRequest) -> None:
    """Raise RequestError for a parameter without which the answer would not be the one that a client expects."""
    RequestParameters(request.model_extra or {}).refuse(REFUSED)


def previous_not_found(response_id: str) -> RequestError:
    """Return the error of a previous response that is unknown, expired, or of another caller."""
    return invalid_parameter(
        "previous_response_id",
        f"is {response_id!r}, which is unknown or expired; send the conversation in input",
        code="previous_response_not_found",
    )


def previous_unfinished(response_id: str, status: str) -> RequestError:
    """Return the error of a previous response of a background run without an answer."""
    advice = "retrieve it until it is completed" if status in ("queued", "in_progress") else "continue another one"
    return invalid_parameter("previous_response_id", f"is {response_id!r}, whose status is {status!r}; {advice}")


def response_not_found(response_id: str) -> RequestError:
    """Return the error of a response that is unknown, expired, or of another caller, in OpenAI's words."""
    message = f"Response with id '{response_id}' not found."
    return RequestError(message, status=HTTPStatus.NOT_FOUND, code="not_found")


_ROLES: Final[Mapping[str, Role]] = {
    "user": "user",
    "system": "system",
    "developer": "system",
    "assistant": "assistant",
}

type FindItem = Callable[[str], Mapping[str, Json] | None]
"""Returns the output item of a stored response by its id."""

OWN_ITEMS: Final = ("message", "function_call", "function_call_output", "item_reference", "reasoning")
"""Types of items that have a meaning; others are calls of OpenAI's built-in tools, and their results."""


def skipped_items(items: str | Sequence[Mapping[str, Json]]) -> tuple[str, ...]:
    """Return a warning for each item of a type that has no meaning here."""
    if isinstance(items, str):
        return ()
    kinds = ((index, item.get("type", "message")) for index, item in enumerate(items))
    return tuple(
        f"input[{index}] is of the type {truncate(kind, 64)!r} and was skipped"
        for index, kind in kinds
        if isinstance(kind, str) and kind not in OWN_ITEMS
    )


def input_messages(
    items: str | Sequence[Mapping[str, Json]],
    earlier: Iterable[Message] = (),
    *,
    find_item: FindItem = lambda _id: None,
) -> tuple[Message, ...]:
    """Return the messages of the parameter `input`, after the `earlier` ones.

    The calls of one iteration become one message. A reference is replaced by the item that `find_item` returns.
    Reasoning, and the items of `skipped_items`, are left out. Raises RequestError that names the item for one that
    cannot be used, for an unknown reference, and for a result without its call.
    """
    messages = list(earlier)
    if isinstance(items, str):
        return (*messages, Message("user", (Text(items),)))
    called = {call.id: call.name for message in messages for call in message.tool_calls}
    for index, item in enumerate(items):
        path = f"input[{index}]"
        if item.get("type") == "item_reference":
            item = _referenced(item, path, find_item)
        match item.get("type", "message"):
            case "message":
                messages.append(_message(item, path))
            case "function_call":
                call = _call(item, path)
                called[call.id] = call.name
                _add_to_iteration(messages, call)
            case "function_call_output":
                messages.append(_result(item, path, called))
            case str():
                continue
            case other:
                raise invalid_parameter(f"{path}.type", f"is {other!r}; send one of {', '.join(OWN_ITEMS)}")
    return tuple(messages)


def _referenced(item: Mapping[str, Json], path: str, find_item: FindItem) -> Mapping[str, Json]:
    item_id = _string(item, "id", path)
    if item_id.startswith("rs_"):
        return {"type": "reasoning"}
    found = find_item(item_id)
    if found is None:
        raise refused_conversation(
            f"{path}.id", f"Item with id '{item_id}' not found. Items are stored unless store is false."
        )
    return found


def _message(item: Mapping[str, Json], path: str) -> Message:
    role = _ROLES.get(str(item.get("role")))
    if role is None:
        raise invalid_parameter(f"{path}.role", f"is {item.get('role')!r}; send one of {', '.join(_ROLES)}")
    place, content = f"{path}.content", item.get("content")
    parts = content_parts(content, place, required=True, files=role == "user", responses=True)
    return Message(role, parts or (Text(""),))


def _call(item: Mapping[str, Json], path: str) -> ToolCall:
    call_id, name, arguments = (_string(item, key, path) for key in ("call_id", "name", "arguments"))
    return tool_call(call_id, name, arguments, path)


def _add_to_iteration(messages: list[Message], call: ToolCall) -> None:
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
        message = f"No tool call found for function call output with call_id {call_id}."
        raise refused_conversation(f"{path}.call_id", f"{message} Send the call, or previous_response_id.")
    output = tool_output(call_id, called[call_id], item.get("output"), f"{path}.output", responses=True)
    return Message("tool", (output,))


def _string(item: Mapping[str, Json], key: str, path: str) -> str:
    value = item.get(key)
    if not isinstance(value, str) or (not value and key != "arguments"):
        raise invalid_parameter(f"{path}.{key}", "must be a string that is not empty")
    return value
