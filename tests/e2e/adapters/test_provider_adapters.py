"""Every adapter against the demo model over HTTP: answers, calls and history."""

import json
from collections.abc import Callable, Mapping

import pytest

from flexchat.config.providers import PROVIDER_TYPES, ProviderType
from flexchat.messages import Completion, Json, Message, ToolOutput, assistant, system, user
from tests.e2e.adapters.adapter_chat import MODELS, Chat

BOTH = "What is 15% of 45, and the weather in Paris?"
SYSTEM = system("You are helpful.")


def success(result: Json) -> str:
    return json.dumps({"success": True, "result": result})


def failure(error: str) -> str:
    return json.dumps({"success": False, "error": error})


def results(calls_turn: Completion, result_of: Callable[[str], str]) -> Message:
    """Return the tool message with a result of `result_of` for the arguments of each call."""
    outputs = [
        ToolOutput(call.id, call.name, content, is_error='"success": false' in content)
        for call in calls_turn.message.tool_calls
        for content in [result_of(str(call.arguments))]
    ]
    return Message("tool", tuple(outputs))


def called(completion: Completion) -> list[tuple[str, Mapping[str, Json] | None]]:
    return [(call.name, call.arguments) for call in completion.message.tool_calls]


def test_adapter_returns_a_text_answer(chat: Chat) -> None:
    answer = chat.send_chat(SYSTEM, user("Hello!"), tools=False)

    assert answer.message.text.startswith("(demo model) Hello.")
    assert (answer.finish_reason, answer.model) == ("stop", MODELS[chat.type])
    assert answer.usage.input_tokens > 0
    assert answer.usage.output_tokens > 0


def test_parallel_calls_each_get_their_own_result(chat: Chat) -> None:
    question = user("What is 15% of 45, and the weather in Oslo, Rome and Bonn?")

    calls_turn = chat.send_chat(SYSTEM, question)
    answer = chat.send_chat(SYSTEM, question, calls_turn.message, results(calls_turn, success))

    assert calls_turn.finish_reason == "tool_calls"
    assert called(calls_turn) == [
        ("calculate", {"expression": "15% of 45"}),
        *(("get_weather", {"location": place}) for place in ("Oslo", "Rome", "Bonn")),
    ]
    assert len({call.id for call in calls_turn.message.tool_calls}) == 4
    assert answer.finish_reason == "stop"
    for place in ("Oslo", "Rome", "Bonn"):
        assert f"The weather in {place}: {{'location': '{place}'}}." in answer.message.text


def test_calls_in_three_successive_turns_have_unique_ids(chat: Chat) -> None:
    messages = [SYSTEM, user('[demo:call=calculate {"expression": "1+1"} times=3] go')]
    ids: list[str] = []

    for _ in range(3):
        calls_turn = chat.send_chat(*messages)
        assert called(calls_turn) == [("calculate", {"expression": "1+1"})]
        ids += [call.id for call in calls_turn.message.tool_calls]
        messages += [calls_turn.message, results(calls_turn, lambda _: success(2))]

    assert chat.send_chat(*messages).message.text.startswith("(demo model) calculate says: 2.")
    assert len(set(ids)) == 3


def test_tool_error_reaches_the_model_and_the_chat_continues(chat: Chat) -> None:
    calls_turn = chat.send_chat(user("Weather in Oslo?"))

    answer = chat.send_chat(
        user("Weather in Oslo?"), calls_turn.message, results(calls_turn, lambda _: failure("no such place"))
    )

    assert answer.message.text == "(demo model) I could not get the weather in Oslo: no such place."


def test_history_with_tool_calls_is_accepted(chat: Chat) -> None:
    messages = [SYSTEM, user(BOTH)]
    calls_turn = chat.send_chat(*messages)
    messages += [calls_turn.message, results(calls_turn, success)]
    messages += [chat.send_chat(*messages).message, user("What is 2 + 2?")]

    assert called(chat.send_chat(*messages)) == [("calculate", {"expression": "2 + 2"})]
    assert chat.send_chat(*messages, tools=False).message.text == "(demo model) 2 + 2 is 4."


def test_history_with_calls_of_tools_not_offered_is_accepted(chat: Chat) -> None:
    messages = [user('[demo:call=functions.get_weather {"location": "Rome"}] go')]
    calls_turn = chat.send_chat(*messages)
    messages += [calls_turn.message, results(calls_turn, lambda _: failure("there is no such tool"))]

    assert called(calls_turn) == [("functions.get_weather", {"location": "Rome"})]
    assert "there is no such tool" in chat.send_chat(*messages).message.text


@pytest.mark.parametrize("second", PROVIDER_TYPES)
def test_provider_can_change_between_a_call_and_its_result(chat: Chat, second: ProviderType, address: str) -> None:
    calls_turn = chat.send_chat(user("[demo:think] Weather in Oslo and Rome?"))

    answer = Chat(second, address).send_chat(
        user("[demo:think] Weather in Oslo and Rome?"), calls_turn.message, results(calls_turn, success)
    )

    assert "The weather in Oslo: {'location': 'Oslo'}." in answer.message.text


def test_signed_reasoning_is_returned_unchanged_in_every_step(chat: Chat) -> None:
    messages = [user('[demo:think] [demo:call=calculate {"expression": "1+1"} times=2] go')]

    for _ in range(2):
        calls_turn = chat.send_chat(*messages)
        messages += [calls_turn.message, results(calls_turn, lambda _: success(2))]

    assert chat.send_chat(*messages).finish_reason == "stop"


def test_history_may_begin_with_an_assistant_message(chat: Chat) -> None:
    """Callers may send any history."""
    answer = chat.send_chat(assistant("How can I help?"), user("Hello!"))

    assert answer.message.text.startswith("(demo model) Hello.")


def test_consecutive_user_messages_are_accepted(chat: Chat) -> None:
    answer = chat.send_chat(user("Good evening."), user("What is 2 + 2? Answer without tools."))

    assert "2 + 2 is 4." in answer.message.text
