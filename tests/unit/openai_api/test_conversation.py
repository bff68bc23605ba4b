"""Parts of a conversation: instructions, history, the last user message and the turns after it."""

import pytest

from flexchat.errors import Problem, RequestError
from flexchat.messages import Message, ToolCall, ToolOutput, assistant, system, user
from functions.chat.openai_api.messages import Conversation, conversation_of


def call(*ids: str) -> Message:
    return Message("assistant", tuple(ToolCall(each, "f", {}, "{}") for each in ids))


def result(id: str) -> Message:
    return Message("tool", (ToolOutput(id, "f", "1"),))


def refused(*messages: Message) -> str:
    with pytest.raises(RequestError) as caught:
        conversation_of(messages, param="messages")
    assert caught.value.status == 400
    assert caught.value.details[0].path == "messages"
    return caught.value.details[0].message


def test_last_user_message_divides_the_history_from_the_later_turns() -> None:
    messages = [system("Be brief."), user("a"), assistant("b"), user("c"), call("1", "2"), result("2"), result("1")]

    assert conversation_of(messages, param="messages") == Conversation(
        message="c",
        instructions="Be brief.",
        history=(user("a"), assistant("b")),
        iterations=(call("1", "2"), result("2"), result("1")),
    )


def test_instructions_are_those_of_the_request_and_of_all_system_messages() -> None:
    messages = [system("One."), user("a"), system(" "), assistant("b"), system("Two."), user("c")]

    conversation = conversation_of(messages, param="messages", instructions="Zero.")

    assert conversation.instructions == "Zero.\n\nOne.\n\nTwo."
    assert conversation.history == (user("a"), assistant("b"))


@pytest.mark.parametrize("messages", [[], [system("a")], [assistant("a")], [call("1"), result("1")]])
def test_conversation_without_a_user_message_is_rejected(messages: list[Message]) -> None:
    assert refused(*messages) == "must contain a message of the user"


def test_last_user_message_without_text_is_rejected() -> None:
    assert refused(user("a"), user(" \n")) == "has a last user message without text"


def test_last_user_message_that_is_too_long_is_rejected() -> None:
    message = "has a last user message of 32001 characters; at most 32000 are accepted"

    assert refused(user("a" * 32_001)) == message
    assert conversation_of([user("a" * 32_000)], param="messages").message == "a" * 32_000


@pytest.mark.parametrize("turns", [[assistant("b")], [call("1")], [call("1"), result("1"), assistant("b")]])
def test_conversation_that_ends_with_the_assistant_is_rejected(turns: list[Message]) -> None:
    message = "must end with a message of the user, or with the results of all tool calls"

    assert refused(user("a"), *turns) == message


@pytest.mark.parametrize(
    "turns",
    [
        [call("1", "2"), result("1")],
        [call("2"), call("1"), result("1")],
        [call("2"), call("1"), result("1"), result("2")],
    ],
)
def test_call_without_a_result_directly_after_it_is_rejected(turns: list[Message]) -> None:
    assert refused(user("a"), *turns) == "has no result of the tool call '2'"


def test_error_has_the_path_of_the_parameter_and_a_complete_message() -> None:
    with pytest.raises(RequestError) as caught:
        conversation_of([], param="input")

    assert caught.value.message == "input must contain a message of the user"
    assert caught.value.details == (Problem("input", "must contain a message of the user"),)
