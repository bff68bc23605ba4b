"""Shorter conversations for a model that refused one."""

from flexchat.messages import Message, ToolCall, ToolOutput, assistant, system, user
from flexchat.sessions import message_tokens
from functions.chat.generation.shortening import MIN_RESULT_CHARACTERS, Shortening

CALL = Message("assistant", (ToolCall("c1", "look", {}, "{}"),))


def result(text: str) -> Message:
    return Message("tool", (ToolOutput("c1", "look", text),))


def tokens(messages: list[Message]) -> int:
    return sum(map(message_tokens, messages))


def test_the_oldest_turns_are_left_out_as_a_whole() -> None:
    turns = [
        part for number in range(8) for part in (user(f"{number} {'a ' * 50}"), CALL, result("b " * 50), assistant("c"))
    ]
    messages = [system("You help."), *turns, user("Now?")]

    found = Shortening.of(messages)

    assert found is not None
    shortened = found.apply(messages)
    assert tokens(shortened) <= tokens(messages) / 2
    assert shortened[0] == messages[0]
    assert shortened[1].role == "user"
    assert shortened[1:] == messages[-len(shortened) + 1 :]
    assert (found.omitted % 4, found.result_characters) == (0, None)


def test_long_results_of_the_turn_are_cut_in_their_middle() -> None:
    messages = [system("You help."), user("Now?"), CALL, result(f"start {'x ' * 5_000} end"), CALL, result("short")]

    found = Shortening.of(messages)

    assert found is not None
    shortened = found.apply([*messages, assistant("later")])
    assert tokens(shortened) <= tokens(messages) / 2 + 100
    content = [part.content for message in shortened for part in message.parts if isinstance(part, ToolOutput)]
    assert content[0].startswith("start x")
    assert content[0].endswith("x  end")
    assert "characters left out" in content[0]
    assert content[1] == "short"
    assert shortened[-1] == assistant("later")


def test_results_keep_a_beginning_however_little_room_there_is() -> None:
    messages = [system("s " * 5_000), user("Now?"), CALL, result("x " * 2_000)]

    found = Shortening.of(messages)

    assert found is not None
    assert found.result_characters == MIN_RESULT_CHARACTERS


def test_a_conversation_of_one_message_cannot_be_shortened() -> None:
    assert Shortening.of([system("You help."), user("x " * 5_000)]) is None
    assert Shortening.of([system("You help."), user("x " * 5_000), CALL, result("short")]) is None
