"""Conversation of a request as the engine's settings: instructions, history, last user message and later turns."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from msgspec import Struct

from flexchat.api.request import MAX_MESSAGE_CHARACTERS
from flexchat.messages import Message, ToolOutput
from functions.chat.openai_api.requests import invalid_parameter


class Conversation(Struct, frozen=True, kw_only=True):
    """Parts of a conversation.

    `message` is the last user message, `history` has the messages before it, `turns` those after it: the assistant's
    with calls of the client's tools, and their results. `instructions` are the system messages, wherever they were.
    """

    message: str
    instructions: str = ""
    history: tuple[Message, ...] = ()
    turns: tuple[Message, ...] = ()


def conversation_of(messages: Sequence[Message], *, param: str, instructions: str = "") -> Conversation:
    """Return the parts of `messages`; `instructions` come before those in them.

    `param` is the request's parameter with the messages. Raises RequestError for messages without one to answer, and
    for calls without results.
    """
    texts = [instructions, *(message.text for message in messages if message.role == "system")]
    others = [message for message in messages if message.role != "system"]
    last = max((place for place, message in enumerate(others) if message.role == "user"), default=None)
    if last is None:
        raise invalid_parameter(param, "must contain a message of the user")
    text = others[last].text
    if not text.strip():
        raise invalid_parameter(param, "has a last user message without text")
    if len(text) > MAX_MESSAGE_CHARACTERS:
        raise invalid_parameter(
            param, f"has a last user message of {len(text)} characters; at most {MAX_MESSAGE_CHARACTERS} are accepted"
        )
    turns = tuple(others[last + 1 :])
    _check_turns(turns, param)
    return Conversation(
        message=text,
        instructions="\n\n".join(text for text in texts if text.strip()),
        history=tuple(others[:last]),
        turns=turns,
    )


def _check_turns(turns: Sequence[Message], param: str) -> None:
    """Raise RequestError unless each call has one result after it, and a result is the last message."""
    if turns and turns[-1].role != "tool":
        raise invalid_parameter(param, "must end with a message of the user, or with the results of all tool calls")
    for place, message in enumerate(turns):
        results = outputs(takewhile(lambda later: later.role == "tool", turns[place + 1 :]))
        for call in message.tool_calls:
            if call.id not in {result.call_id for result in results}:
                raise invalid_parameter(param, f"has no result of the tool call {call.id!r}")


def outputs(messages: Iterable[Message]) -> list[ToolOutput]:
    """Return the tool results in `messages`."""
    return [part for message in messages for part in message.parts if isinstance(part, ToolOutput)]
