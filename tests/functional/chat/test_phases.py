"""Topic and intent phases: selected rule, prompt and explanation, and chats despite failed phases."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from flexchat.messages import Completion, Message
from functions.chat.providers.base import ChatOptions
from tests.functional.chat.harness import Answer, Chat
from tests.functional.chat.phase_chat import DOWN, INTENTS, RULES, broken, found, phases, requests_with, service


def system_prompt(chat: Chat) -> str:
    (prompt,) = (messages[0].text for messages in chat.model.seen if messages[0].role == "system")
    return prompt


def step_kinds(answer: Answer) -> list[tuple[str, str, bool]]:
    return sorted((step["step"], step["name"], step["ok"]) for step in answer.body["timings"]["steps"])


def test_topic_and_intent_select_the_rule_and_are_in_its_prompt() -> None:
    chat = service(phases())

    answer = chat.post({"message": "Will it rain in Paris?", "profile": {"intent": "order_status"}})

    assert answer.status == 200
    assert {name: answer.body[name] for name in ("content", "topic", "intent", "rule")} == {
        "content": "It is sunny.",
        "topic": "weather in Paris",
        "intent": "weather",
        "rule": "weather",
    }
    assert system_prompt(chat) == "Topic weather in Paris, intent weather."
    assert step_kinds(answer) == [
        ("intent", "openai:gpt-4o", True),
        ("model", "openai:gpt-4o", True),
        ("topic", "openai:gpt-4o-mini", True),
    ]
    assert answer.body["usage"]["total_tokens"] == 45


@pytest.mark.parametrize(("pattern", "cost"), [("*", 0.00021), ("gpt-4o", None)], ids=["all", "not the topic's"])
def test_cost_includes_the_calls_of_the_phases(pattern: str, cost: float | None) -> None:
    prices = {"input_price": 2, "output_price": 10}
    server = "https://models.example.com/v1"  # without built-in prices
    chat = service(phases(), llms={"openai": {"type": "openai", "base_url": server, "profiles": {pattern: prices}}})

    answer = chat.post({"message": "Will it rain in Paris?"})

    assert answer.body["usage"].get("cost_usd") == cost


def test_failed_phase_adds_no_cost() -> None:
    llms = {"openai": {"type": "openai", "profiles": {"*": {"input_price": 2, "output_price": 10}}}}

    answer = service(phases(topic=DOWN), llms=llms).post({"message": "Will it rain in Paris?"})

    assert answer.body["usage"]["cost_usd"] == 0.00014


def test_rule_temperature_of_zero_is_sent() -> None:
    chat = service(phases())

    chat.post({"message": "Will it rain in Paris?"})

    assert [options.temperature for options in chat.model.options] == [0, 0, 0]


def test_unconfigured_phases_call_no_model_and_leave_no_variable_unresolved() -> None:
    chat = service(phases(), topic=None, intent=None)

    answer = chat.post({"message": "Hello {{user_message}}"})

    assert len(chat.model.seen) == 1
    assert system_prompt(chat) == "Topic Hello {{user_message}}."
    assert "topic" not in answer.body
    assert "intent" not in answer.body


def test_disabled_phases_call_no_model() -> None:
    chat = service(phases(), topic={"enabled": False}, intent={"enabled": False, "detection": {"intents": INTENTS}})

    assert chat.post({"message": "Hello", "topic": "greetings"}).status == 200

    assert len(chat.model.seen) == 1
    assert system_prompt(chat) == "Topic greetings."


@pytest.mark.parametrize(
    ("reply", "retrieval", "rule", "prompt"),
    [
        (phases(topic=DOWN), found(0.9), "weather", "Topic Will it rain in Paris?, intent weather."),
        (phases(topic=""), found(0.9), "weather", "Topic Will it rain in Paris?, intent weather."),
        (phases(intent=DOWN), found(0.9), "fallback", "Topic weather in Paris."),
        (phases(intent="no idea"), found(0.9), "fallback", "Topic weather in Paris."),
        (phases(intent=DOWN), found(0.4), "found", "From kb/faq."),
        (phases(), broken, "weather", "Topic weather in Paris, intent weather."),
        (phases(topic=DOWN, intent=DOWN), broken, "fallback", "Topic Will it rain in Paris?."),
    ],
)
def test_failed_phase_does_not_stop_the_chat(
    reply: Callable[[Sequence[Message], ChatOptions], Completion],
    retrieval: Callable[[Any, Any], Any],
    rule: str,
    prompt: str,
) -> None:
    chat = service(reply, retrieval=retrieval)

    answer = chat.post({"message": "Will it rain in Paris?", "selected_collections": ["kb/faq"]})

    assert (answer.status, answer.body["content"], answer.body["status"]) == (200, "It is sunny.", "complete")
    assert answer.body["rule"] == rule
    assert system_prompt(chat) == prompt


def test_matching_collection_sets_the_intent() -> None:
    chat = service(phases(), retrieval=found(0.1))

    answer = chat.post({"message": "How long does a refund take?", "selected_collections": ["kb/faq"]})

    assert (answer.body["intent"], answer.body["rule"]) == ("kb/faq", "found")
    assert requests_with(chat, "Answer with exactly one name from this list") == []


def test_later_turns_are_searched_by_topic() -> None:
    chat = service(phases(), retrieval=found(0.1))

    chat.post(
        {
            "message": "And tomorrow?",
            "history": [{"role": "user", "content": "Will it rain?"}, {"role": "assistant", "content": "No."}],
            "topic": "weather",
            "selected_collections": ["kb/faq"],
        }
    )

    ((question, _),) = requests_with(chat, "topic_status")
    assert "Current topic: weather\n" in question
    assert "user: Will it rain?\nassistant: No.\n" in question
    assert [event["query"] for event in chat.lambdas.executed] == ["weather in Paris"]


def test_chat_without_a_matching_rule_is_a_service_error() -> None:
    chat = service(phases(intent="other"), responses=RULES, topic=None)

    answer = chat.post({"message": "Hello"})

    assert (answer.status, answer.body["error"]) == (500, "configuration")
    assert "no rule matches, and no fallback is configured; add a rule without 'match'" in answer.body["message"]


def test_matching_rule_answers_after_failed_phases_without_a_fallback_rule() -> None:
    rule = {**RULES[0], "match": {"user_message_contains": "rain"}}
    chat = service(phases(), responses=[rule], topic={})

    answer = chat.post({"message": "Will it rain?", "explain": True}, roles="user,operator")

    no_model = "no model is configured: set llm and model, or add a rule without 'match'"
    assert answer.status == 200
    assert answer.body["explain"]["topic"]["error"] == no_model
    assert answer.body["explain"]["intent"]["error"] == no_model


def test_answer_is_explained_on_request() -> None:
    chat = service(phases())

    answer = chat.post({"message": "Will it rain in Paris?", "explain": True}, roles="user,operator")

    account = answer.body["explain"]
    assert account["topic"] | {"duration_ms": 0} == {
        "topic_status": "new_topic",
        "topic_summary": "weather in Paris",
        "model": "openai:gpt-4o-mini",
        "answer": '{"topic_status": "new_topic", "topic_summary": "weather in Paris"}',
        "duration_ms": 0,
    }
    assert account["intent"] | {"duration_ms": 0} == {
        "intent": "weather",
        "source": "model",
        "candidates": ["weather", "order_status", "other"],
        "model": "openai:gpt-4o",
        "answer": "weather",
        "duration_ms": 0,
    }
    assert account["rules"] == [
        {
            "rule": "weather",
            "matched": True,
            "fallback": False,
            "conditions": [{"condition": "intent", "expected": "weather", "actual": "weather", "holds": True}],
        }
    ]
    assert account["tools"] == [{"tool": "get_weather", "offered": True, "reason": "allowed by the rule"}]
    assert account["system_prompt"] == "Topic weather in Paris, intent weather."
    assert account["history_messages"] == 0
    assert "not-a-key" not in json.dumps(answer.body)


def test_explanation_is_returned_to_operators_only() -> None:
    chat = service(phases())

    answer = chat.post({"message": "Will it rain in Paris?", "explain": True})

    assert (answer.status, answer.body["error"]) == (403, "forbidden")
    assert chat.model.seen == []


def test_answer_has_no_explanation_by_default() -> None:
    assert "explain" not in service(phases()).post({"message": "Will it rain in Paris?"}).body
