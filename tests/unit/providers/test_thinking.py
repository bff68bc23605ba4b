"""Reasoning that a model writes into its text."""

import pytest

from flexchat.messages import Completion, Message, ProviderState, Reasoning, Text, ToolCall, Usage, assistant, user
from functions.chat.providers.base import CallDelta, Delta, TextDelta
from functions.chat.providers.thinking import TextFilter, with_reasoning, with_tags

CALL = ToolCall("c1", "add", {}, "{}")


def completion(*parts: Text | ToolCall) -> Completion:
    return Completion(Message("assistant", parts), "stop", Usage(), "m")


def shown(pieces: list[str], *, calls: bool = False) -> str:
    received: list[Delta] = []
    receive = TextFilter(received.append)
    for piece in pieces:
        receive(TextDelta(piece))
    if calls:
        receive(CallDelta(0, "add"))
    receive.finish()
    assert (CallDelta(0, "add") in received) == calls
    assert all(delta.text for delta in received if isinstance(delta, TextDelta))
    return "".join(delta.text for delta in received if isinstance(delta, TextDelta))


@pytest.mark.parametrize(
    ("text", "reasoning", "answer"),
    [
        ("<think>\nHm.\n</think>\n\nHello.", "Hm.", "Hello."),
        ("\n<think></think>Hello.", "", "Hello."),
        ("<thinking>Hm <b>x</b></thinking> Hello.", "Hm <b>x</b>", "Hello."),
        ("<think>Hm, and", "Hm, and", ""),
        ("<think>a</think>b<think>c</think>", "a", "b<think>c</think>"),
        ("<think>if a</thinking> b</think>c", "if a</thinking> b", "c"),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 100])
def test_reasoning_in_tags_is_a_part_of_its_own_and_not_shown(
    text: str, reasoning: str, answer: str, size: int
) -> None:
    parts = with_reasoning(completion(Text(text), CALL), "main:m").message.parts

    state = ProviderState("text", text.removesuffix(answer) if answer else text, "main:m")
    assert parts == (Reasoning(state, reasoning), *((Text(answer),) if answer else ()), CALL)
    assert shown([text[start : start + size] for start in range(0, len(text), size)], calls=True) == answer


@pytest.mark.parametrize(
    "text",
    [
        *("Hello.", "", " \n", "<", "<thin", "<thinker>Hello.", "a <think>b</think>", "```\n</think>"),
        "The tag `</think>` ends the reasoning.",
        "It ends with </think>\nand a line.",
    ],
)
@pytest.mark.parametrize("size", [1, 3, 100])
def test_any_other_text_is_unchanged(text: str, size: int) -> None:
    plain = completion(Text(text))

    assert with_reasoning(plain, "main:m") == plain
    assert shown([text[start : start + size] for start in range(0, len(text), size)]) == text


@pytest.mark.parametrize(
    ("text", "reasoning", "answer"),
    [
        ("Hm.\n</think>\n\nHello.", "Hm.", "Hello."),
        ("Hm.\nSo.\n</think>", "Hm.\nSo.", ""),
        ("</think>\nHello.", "", "Hello."),
    ],
)
def test_reasoning_whose_opening_tag_is_in_the_template_ends_at_a_closing_tag_alone_on_its_line(
    text: str, reasoning: str, answer: str
) -> None:
    message = with_reasoning(completion(Text(text)), "main:m").message

    assert (message.reasoning, message.text) == (reasoning, answer)


def test_the_model_gets_its_text_back_as_it_was_and_no_other_model_does() -> None:
    text = "<think>\nHm.\n</think>\n\nHello."
    message = with_reasoning(completion(Text(text)), "main:m").message
    history = [user("Hi"), message, assistant("Bye.")]

    assert [each.text for each in with_tags(history, "main:m")] == ["Hi", text, "Bye."]
    other = with_tags(history, "other:m")
    assert [each.text for each in other] == ["Hi", "Hello.", "Bye."]
    assert not any(isinstance(part, Reasoning) for each in other for part in each.parts)
