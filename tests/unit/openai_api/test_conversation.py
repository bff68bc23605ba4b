"""Parts of a conversation: instructions, history, the last user message and the turns after it."""

import pytest

from flexchat.errors import Problem, RequestError
from flexchat.messages import Message, ToolCall, ToolOutput, assistant, system, user
from functions.chat.openai_api.messages import CONTINUE, Conversation, conversation_of


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


def test_conversation_without_a_text_is_rejected() -> None:
    assert refused() == "must contain a message with a text"
    assert refused(system(" ")) == "must contain a message with a text"


def test_of_system_messages_alone_the_last_one_is_answered() -> None:
    found = conversation_of([system("One."), system("Two.")], param="messages", instructions="Zero.")

    assert found == Conversation(message="Two.", instructions="Zero.\n\nOne.")


@pytest.mark.parametrize(
    "messages",
    [
        [assistant("a")],
        [user("a"), assistant("b")],
        [user("a"), call("1"), result("1"), assistant("b")],
        [call("1"), result("1")],
        [system("s"), assistant("a"), assistant("b")],
    ],
)
def test_a_conversation_that_ends_without_a_question_is_continued(messages: list[Message]) -> None:
    found = conversation_of(messages, param="messages")

    assert found.message == CONTINUE
    sent = tuple(message for message in messages if message.role != "system")
    assert found.history in (sent, (user("(The conversation begins.)"), *sent))
    assert found.history[0].role == "user"
    assert found.iterations == ()


def test_a_conversation_that_begins_with_the_assistant_begins_with_a_note_of_the_user() -> None:
    found = conversation_of([assistant("Hello!"), user("Hi."), call("1"), result("1")], param="messages")

    assert found.history == (user("(The conversation begins.)"), assistant("Hello!"))
    assert (found.message, found.iterations) == ("Hi.", (call("1"), result("1")))


def test_an_empty_last_message_of_the_user_says_that_it_is_empty() -> None:
    assert conversation_of([user("a"), user(" \n")], param="messages").message == "(The message is empty.)"


def test_a_long_last_message_is_whole_without_a_session() -> None:
    found = conversation_of([user("a" * 500_000)], param="messages")

    assert found.chat_request(None, param="messages").message == "a" * 500_000
    with pytest.raises(RequestError, match="a session stores 32000"):
        found.chat_request("s1", param="messages")


@pytest.mark.parametrize(
    "turns",
    [
        [call("1", "2"), result("1")],
        [call("2"), call("1"), result("1")],
        [call("2"), call("1"), result("1"), result("2")],
    ],
)
def test_call_without_a_result_directly_after_it_is_rejected(turns: list[Message]) -> None:
    assert refused(user("a"), *turns) == "No tool output found for function call 2."


def test_error_has_the_path_of_the_parameter_and_a_complete_message() -> None:
    with pytest.raises(RequestError) as caught:
        conversation_of([], param="input")

    assert caught.value.message == "input must contain a message with a text"
    assert caught.value.details == (Problem("input", "must contain a message with a text"),)
