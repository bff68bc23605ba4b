"""Tokens that a request reserves of its caller's budget."""

from flexchat.api import ChatRequest
from flexchat.messages import Message, Text, ToolCall, ToolOutput, user
from flexchat.sessions import message_tokens, text_tokens
from functions.chat.chat_limits import prompt_tokens
from functions.chat.generation.model_calls import NO_OVERRIDES, ChatOverrides, ClientTool

LONG = "a long text " * 100
HISTORY = (user(LONG), Message("assistant", (Text(LONG),)))


def request(**fields: object) -> ChatRequest:
    return ChatRequest.model_validate({"message": "Hello", **fields})


def test_request_reserves_its_message_and_the_history_that_the_model_may_get() -> None:
    sent = request(history=[{"role": "user", "content": LONG}])

    assert prompt_tokens(sent, NO_OVERRIDES, max_history=10_000) == text_tokens("Hello") + message_tokens(user(LONG))
    assert prompt_tokens(sent, NO_OVERRIDES, max_history=100) == text_tokens("Hello") + 100


def test_messages_of_a_front_end_are_reserved_in_place_of_the_history() -> None:
    sent = request(history=[{"role": "user", "content": "not sent"}])

    assert prompt_tokens(sent, ChatOverrides(history=()), max_history=100) == text_tokens("Hello")
    assert prompt_tokens(sent, ChatOverrides(history=HISTORY), max_history=10_000) == (
        text_tokens("Hello") + sum(map(message_tokens, HISTORY))
    )


def test_instructions_tools_and_turns_are_reserved() -> None:
    call = ToolCall("call_1", "lookup", {"city": "Oslo"}, raw="")
    turns = (Message("assistant", (call,)), Message("tool", (ToolOutput("call_1", "lookup", LONG),)))
    tool = ClientTool(name="lookup", description=LONG, parameters={"type": "object"})

    reserved = prompt_tokens(
        request(), ChatOverrides(instructions=LONG, tools=(tool,), iterations=turns), max_history=10_000
    )

    assert reserved >= text_tokens("Hello") + 2 * text_tokens(LONG) + sum(map(message_tokens, turns))
