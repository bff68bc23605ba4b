"""Requests that a chat sends once more: after a malformed call, an overlong conversation and an empty answer."""

from collections.abc import Sequence
from typing import Any

import pytest

from flexchat.errors import ModelError
from flexchat.messages import Completion, Message, ProviderState, Reasoning, Text, Usage, user
from tests.functional.chat.harness import CALCULATE, Chat, configuration, deploy
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.functional.chat.tool_chat import send_chat

SUM = call_completion(("calculate", {"expression": "2 + 3"}))
EMPTY = text_completion("")


def malformed(**fields: Any) -> ModelError:
    return ModelError("Failed to call a function", type="malformed_tool_call", provider="openai", status=400, **fields)


def too_long() -> ModelError:
    return ModelError("Context size has been exceeded", type="context_length", provider="openai", status=500)


def requests_of(chat: Chat) -> list[str]:
    """Return the last message of each request."""
    return [messages[-1].text for messages in chat.model.seen]


def test_the_model_is_told_once_what_was_wrong_with_its_call() -> None:
    chat = deploy([malformed(rejected_call='{"a": '), SUM, text_completion("5")], configuration(tools=[CALCULATE]))

    body = send_chat(chat)

    assert (body["content"], body["outcome"]) == ("5", "answered")
    first, second, third = chat.model.seen
    assert second[:-1] == first
    assert "Failed to call a function" in second[-1].text
    assert '{"a": ' in second[-1].text
    assert not any("could not be read" in message.text for message in third)


def test_a_second_malformed_call_of_an_iteration_starts_the_fallback() -> None:
    script = [malformed(), malformed(), text_completion("5")]
    chat = deploy(script, configuration(tools=[CALCULATE], rule={"fallbacks": ["openai:spare"]}))

    body = send_chat(chat)

    first, corrected, fallback = chat.model.seen
    assert (corrected[:-1], fallback) == (first, first)
    assert (body["content"], body["fallback"]) == (
        "5",
        {"instead_of": "openai:gpt-4o", "reason": "malformed_tool_call"},
    )


def test_a_server_that_refuses_the_correction_gets_the_request_without_it() -> None:
    refused = ModelError("Expected last role User", type="invalid_request", provider="openai", status=400)
    chat = deploy([malformed(), refused, text_completion("5")], configuration(tools=[CALCULATE]))

    assert send_chat(chat)["content"] == "5"

    assert chat.model.seen[2] == chat.model.seen[0]


def test_malformed_calls_end_with_an_error_that_names_the_call() -> None:
    chat = deploy([malformed(), malformed()], configuration(tools=[CALCULATE]))

    answer = chat.post({"message": "Hello"})

    assert (answer.status, answer.body["error"]) == (502, "model_malformed_tool_call")
    assert chat.model.script == []


def history(turns: int) -> list[dict[str, str]]:
    return [
        message
        for number in range(turns)
        for message in ({"role": "user", "content": f"{number} {'a ' * 100}"}, {"role": "assistant", "content": "Yes."})
    ]


def complete(messages: Sequence[dict[str, str]], chat: Chat) -> Any:
    body = {"model": "flexchat", "messages": [*messages, {"role": "user", "content": "Now?"}]}
    return chat.post(body, path="/v1/chat/completions")


def test_an_overlong_conversation_is_shortened_once() -> None:
    chat = deploy([too_long(), SUM, text_completion("5")], configuration(tools=[CALCULATE]))

    answer = complete(history(8), chat)

    assert answer.body["choices"][0]["message"]["content"] == "5"
    first, second, third = chat.model.seen
    assert (second[0], second[-1]) == (first[0], user("Now?"))
    assert second[1].role == "user"
    assert len(second) < len(first) * 0.6
    assert third[: len(second)] == second


def test_a_conversation_that_is_still_too_long_is_an_error_of_the_caller() -> None:
    chat = deploy([too_long(), too_long()], configuration(tools=[CALCULATE]))

    answer = complete(history(8), chat)

    assert (answer.status, answer.body["error"]["code"]) == (400, "context_length_exceeded")
    assert chat.model.script == []


def test_a_single_overlong_message_is_not_sent_again() -> None:
    chat = deploy([too_long()], configuration(tools=[CALCULATE]))

    answer = chat.post({"message": "Hello"})

    assert (answer.status, answer.body["error"]) == (400, "model_context_length")


@pytest.mark.parametrize("tools", [[CALCULATE], []])
def test_an_empty_answer_is_asked_for_once_more(tools: list[dict[str, Any]]) -> None:
    chat = deploy([*([SUM] if tools else []), EMPTY, text_completion("5")], configuration(tools=tools))

    assert send_chat(chat)["content"] == "5"

    assert chat.model.seen[-1][:-1] == chat.model.seen[-2]
    assert "empty" in chat.model.seen[-1][-1].text


def test_a_text_in_the_reasoning_alone_is_the_answer_if_the_model_repeats_it() -> None:
    hidden = Message("assistant", (Reasoning(ProviderState("openai", {"reasoning_content": "It is 5."}), "It is 5."),))
    completion = Completion(hidden, "stop", Usage(), "m")
    chat = deploy([completion, completion], configuration(tools=[CALCULATE]))

    body = send_chat(chat)

    assert (body["content"], body["outcome"]) == ("It is 5.", "answered")


def test_a_budget_spent_on_reasoning_is_named_with_what_to_raise() -> None:
    chat = deploy([text_completion("<think>Hm, and", "length")], configuration(tools=[CALCULATE]))

    body = send_chat(chat)

    assert "max_tokens" in body["content"]
    assert (body["outcome"], body["finish_reason"]) == ("cut_off", "length")


def test_reasoning_in_the_text_is_not_shown_and_sent_back_to_its_model() -> None:
    call = Message("assistant", (Text("<think>Hm.</think>\nI look."), *SUM.message.parts))
    script = [Completion(call, "tool_calls", Usage(), "m"), text_completion("<think>So.</think>5")]
    chat = deploy(script, configuration(tools=[CALCULATE]))

    assert send_chat(chat)["content"] == "5"

    sent = [message.text for message in chat.model.seen[1] if message.role == "assistant"]
    assert sent == ["<think>Hm.</think>\nI look."]


@pytest.mark.parametrize(("roles", "is_shown"), [("user", False), ("operator", True)])
@pytest.mark.parametrize("after_tools", [False, True])
def test_only_operators_see_the_text_of_a_provider(roles: str, is_shown: bool, after_tools: bool) -> None:
    error = ModelError(
        "find your API key at https://example.com/keys",
        type="authentication",
        provider="openai",
        status=401,
        public_message="",
    )
    chat = deploy([*([SUM] if after_tools else []), error], configuration(tools=[CALCULATE]))

    answer = chat.post({"message": "Hello"}, roles=roles)

    shown = answer.body["error"]["message"] if after_tools else answer.body["message"]
    assert ("example.com" in shown) == is_shown
    assert after_tools or "refused the configured key (openai" in shown


def test_a_fallback_is_told_about_its_own_malformed_call() -> None:
    script = [malformed(), malformed(), malformed(), SUM, text_completion("5")]
    chat = deploy(script, configuration(tools=[CALCULATE], rule={"fallbacks": ["openai:spare"]}))

    assert send_chat(chat)["content"] == "5"

    told = ["could not be read" in text for text in requests_of(chat)]
    assert told == [False, True, False, True, False]
