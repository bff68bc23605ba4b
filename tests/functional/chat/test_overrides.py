"""Settings of a chat by its front end: rule, model, instructions, options of the model and conversation."""

from typing import Any

import pytest

from flexchat.api import ChatRequest, ChatResponse
from flexchat.config.model_names import ModelName
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError
from flexchat.http_api.caller import Caller
from flexchat.messages import assistant, user
from functions.chat.generation.model_calls import ChatOverrides
from tests.functional.chat.client_chat import ALICE
from tests.functional.chat.harness import Chat, configuration, deploy
from tests.functional.chat.scripted_provider import text_completion

RULES = [
    {"name": "greeting", "match": {"topic": "greeting"}, "llm": "openai", "model": "gpt-4o-mini", "prompt": "Greet."},
    {
        "name": "general",
        "llm": "openai",
        "model": "gpt-4o",
        "prompt": "You help.",
        "max_tokens": 100,
        "temperature": 0.5,
    },
]


def answered(overrides: ChatOverrides, *, caller: Caller = ALICE, **request: Any) -> tuple[Chat, ChatResponse]:
    chat = deploy([text_completion("Done.")], {**configuration(), "responses": RULES})
    answer = chat.function.engine.answer(
        ChatRequest.model_validate({"message": "Hello", **request}),
        caller=caller,
        deadline=Deadline.after(60),
        request_id="one",
        overrides=overrides,
    )
    return chat, answer


def test_named_rule_answers_whatever_matches() -> None:
    _, answer = answered(ChatOverrides(rule="greeting"))

    assert (answer.rule, answer.model) == ("greeting", "gpt-4o-mini")


def test_unknown_rule_is_an_error_of_the_configuration() -> None:
    with pytest.raises(ConfigError, match="no rule has the name 'greetings'"):
        answered(ChatOverrides(rule="greetings"))


def test_named_model_answers_by_the_matched_rule_without_fallbacks() -> None:
    chat, answer = answered(ChatOverrides(model=ModelName("openai", "gpt-5")))

    assert (answer.rule, answer.model) == ("general", "gpt-5")
    assert chat.model.seen[0][0].text == "You help."


def test_instructions_follow_the_prompt_of_the_rule() -> None:
    chat, _ = answered(ChatOverrides(instructions="Answer in French."))

    assert chat.model.seen[0][0].text == "You help.\n\nAnswer in French."


def test_an_explanation_has_the_system_prompt_that_the_model_gets() -> None:
    operator = Caller("bob", frozenset({"operator"}))

    chat, answer = answered(ChatOverrides(instructions="Answer in French."), caller=operator, explain=True)

    assert answer.explain is not None
    assert answer.explain.system_prompt == chat.model.seen[0][0].text == "You help.\n\nAnswer in French."


@pytest.mark.parametrize(("wanted", "sent"), [(None, 100), (50, 50), (5_000, 100)])
def test_the_smaller_limit_of_tokens_applies(wanted: int | None, sent: int) -> None:
    chat, _ = answered(ChatOverrides(max_tokens=wanted))

    assert chat.model.options[0].max_tokens == sent


@pytest.mark.parametrize(("wanted", "sent"), [(None, 0.5), (0.0, 0.0), (1.5, 1.5)])
def test_temperature_takes_the_place_of_that_of_the_rule(wanted: float | None, sent: float) -> None:
    chat, _ = answered(ChatOverrides(temperature=wanted))

    assert chat.model.options[0].temperature == sent


def test_other_options_reach_the_model() -> None:
    chat, _ = answered(ChatOverrides(top_p=0.1, stop=("END",)))

    assert (chat.model.options[0].top_p, chat.model.options[0].stop) == (0.1, ("END",))


def test_conversation_of_the_front_end_takes_the_place_of_the_history() -> None:
    earlier = (user("Who are you?"), assistant("A service."))

    chat, _ = answered(ChatOverrides(history=earlier), history=[{"role": "user", "content": "Unused"}])

    assert chat.model.seen[0][1:] == (*earlier, user("Hello"))
