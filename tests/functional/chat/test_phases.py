"""Phases 1, 3 and 5 through the real handler: what they find decides the answer, and none of them can prevent one."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from flexchat.errors import ModelError
from flexchat.messages import Completion, Message
from flexchat.retrieval import classify
from flexchat.search import SearchHit, SearchResponse
from functions.chat.providers.base import ChatOptions
from tests.functional.chat.harness import Answer, Chat, configuration, deploy, mock_tool
from tests.functional.chat.scripted_provider import text_turn

OPERATOR = "user,operator"

DOWN = ModelError("the provider is down", type="server_error", provider="openai")

TOPIC_ANSWER = '```json\n{"topic_status": "new_topic", "topic_summary": "weather in Paris"}\n```'

INTENTS = {"weather": "Asks about the weather", "order_status": "Asks where an order is"}

RULES: list[dict[str, Any]] = [
    {
        "name": "weather",
        "match": {"intent": "weather"},
        "llm": "openai",
        "model": "gpt-4o",
        "prompt": "Topic {{topic}}, intent {{intent}}.",
        "temperature": 0,
        "tools": {"enabled": True, "allowed_tools": ["get_weather"]},
    },
    {
        "name": "found",
        "match": {"rag_results": "any"},
        "llm": "openai",
        "model": "gpt-4o",
        "prompt": "From {{intent}}.",
    },
]


def phases(
    *, topic: str | ModelError = TOPIC_ANSWER, intent: str | ModelError = "weather", answer: str = "It is sunny."
) -> Callable[[Sequence[Message], ChatOptions], Completion]:
    """A model that knows by its question which phase asks it."""

    def reply(messages: Sequence[Message], _options: ChatOptions) -> Completion:
        question = messages[-1].text
        if "topic_status" in question:
            text = topic
        elif "Answer with exactly one name from this list" in question:
            text = intent
        else:
            text = answer
        if isinstance(text, ModelError):
            raise text
        return text_turn(text)

    return reply


def found(distance: float, title: str = "Refunds") -> Callable[[Any, Any], dict[str, Any]]:
    """The retrieval function of a deployment in which every collection has one passage."""

    def handler(_event: Any, _context: Any) -> dict[str, Any]:
        relevance = classify(distance, match_threshold=0.25, partial_threshold=0.5)
        hit = SearchHit(
            title=title,
            source="refunds.md",
            text="14 days.",
            distance=distance,
            collection="faq",
            relevance=relevance,
        )
        return SearchResponse(hits=(hit,)).model_dump(mode="json")

    return handler


def broken(_event: Any, _context: Any) -> dict[str, Any]:
    raise ArithmeticError("the retrieval function crashed")


def service(
    reply: Callable[[Sequence[Message], ChatOptions], Completion],
    *,
    retrieval: Callable[[Any, Any], Any] = broken,
    **sections: Any,
) -> Chat:
    """A chat function with a topic and an intent phase; `sections` change the configuration."""
    config = configuration(tools=[mock_tool()], rule={"name": "fallback", "prompt": "Topic {{topic}}."})
    config["responses"] = [*RULES, *config["responses"]]
    config |= {
        "topic": {"provider": {"model": "gpt-4o-mini"}},
        "intent": {"detection": {"intents": INTENTS}},
        "rag_services": {"kb": {}},
        **sections,
    }
    given = {name: section for name, section in config.items() if section is not None}
    return deploy([reply] * 10, given, handlers={"internal": retrieval})


def asked(chat: Chat, marker: str) -> list[tuple[str, ChatOptions]]:
    """The questions to the model that hold `marker`, with their options."""
    return [
        (messages[-1].text, options)
        for messages, options in zip(chat.model.seen, chat.model.options, strict=True)
        if marker in messages[-1].text
    ]


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
    chat = service(phases(), llms={"openai": {"type": "openai", "profiles": {pattern: prices}}})

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
    assert asked(chat, "Answer with exactly one name from this list") == []


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

    ((question, _),) = asked(chat, "topic_status")
    assert "Current topic: weather\n" in question
    assert "user: Will it rain?\nassistant: No.\n" in question
    assert [event["query"] for event in chat.lambdas.executed] == ["weather in Paris"]


def test_chat_without_a_matching_rule_is_a_service_error() -> None:
    chat = service(phases(intent="other"), responses=RULES, topic=None)

    answer = chat.post({"message": "Hello"})

    assert (answer.status, answer.body["error"]) == (500, "configuration")
    assert "no rule matches and there is no fallback; add a rule without 'match'" in answer.body["message"]


def test_matching_rule_answers_after_failed_phases_without_a_fallback_rule() -> None:
    rule = {**RULES[0], "match": {"user_message_contains": "rain"}}
    chat = service(phases(), responses=[rule], topic={})

    answer = chat.post({"message": "Will it rain?", "explain": True}, roles="user,operator")

    no_model = "there is no model to ask: name llm and model, or add a rule without 'match'"
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


def tried(chat: Chat, phase: str, body: Mapping[str, Any], *, roles: str = OPERATOR) -> Answer:
    """Response to the test of a phase for a caller with `roles`."""
    return chat.post(body, path=f"/api/{phase}/test", roles=roles)


def test_operator_can_test_the_topic_phase() -> None:
    chat = service(phases())

    answer = tried(chat, "topic", {"message": "Will it rain?", "history": [{"content": "In Paris."}], "topic": "Paris"})

    assert answer.status == 200
    assert answer.body | {"duration_ms": 0} == {
        "topic_status": "new_topic",
        "topic_summary": "weather in Paris",
        "model": "openai:gpt-4o-mini",
        "answer": '{"topic_status": "new_topic", "topic_summary": "weather in Paris"}',
        "duration_ms": 0,
    }
    ((question, _),) = asked(chat, "topic_status")
    assert "Current topic: Paris\n" in question
    assert "user: In Paris.\n" in question


def test_phase_test_can_replace_prompt_and_model() -> None:
    chat = service(phases(answer="rain"))

    answer = tried(chat, "topic", {"message": "Will it rain?", "prompt": "Name it: {{userMessage}}", "model": "gpt-5"})

    assert (answer.body["topic_summary"], answer.body["model"]) == ("rain", "openai:gpt-5")
    assert chat.model.seen[0][0].text == "Name it: Will it rain?"


def test_phase_test_with_another_llm_uses_its_default_model() -> None:
    chat = service(phases(), llms={"openai": {"type": "openai"}, "local": {"type": "ollama", "models": ["llama3.2"]}})

    assert tried(chat, "topic", {"message": "Hi", "llm": "local"}).body["model"] == "local:llama3.2"
    assert tried(chat, "topic", {"message": "Hi", "llm": "local", "model": "m"}).body["model"] == "local:m"


@pytest.mark.parametrize("phase", ["topic", "intent"])
def test_disabled_phase_can_be_tested(phase: str) -> None:
    detection = {"detection": {"intents": INTENTS}} if phase == "intent" else {}
    sections: dict[str, Any] = {phase: {"enabled": False, **detection}}

    answer = tried(service(phases(), **sections), phase, {"message": "Will it rain?"})

    assert answer.status == 200
    assert answer.body["model"] == "openai:gpt-4o"


def test_operator_can_test_the_intent_phase() -> None:
    chat = service(phases(), retrieval=found(0.4))

    answer = tried(chat, "intent", {"message": "Will it rain?", "topic": "Paris", "selected_collections": ["kb/faq"]})

    assert answer.body | {"duration_ms": 0} == {
        "intent": "weather",
        "source": "model",
        "candidates": ["weather", "order_status", "kb/faq", "other"],
        "model": "openai:gpt-4o",
        "answer": "weather",
        "duration_ms": 0,
    }
    assert [event["query"] for event in chat.lambdas.executed] == ["Paris"]


def test_phase_test_can_replace_the_intents() -> None:
    chat = service(phases(intent="snow"))

    answer = tried(chat, "intent", {"message": "Will it snow?", "intents": {"snow": "Asks about snow"}})

    assert (answer.body["intent"], answer.body["candidates"]) == ("snow", ["snow", "other"])


def test_phase_test_reports_a_model_error() -> None:
    chat = service(phases(topic=DOWN))

    answer = tried(chat, "topic", {"message": "Will it rain?"})

    assert answer.status == 200
    assert (answer.body["topic_summary"], answer.body["error"]) == (
        "Will it rain?",
        "the provider is down (server_error)",
    )


@pytest.mark.parametrize("phase", ["topic", "intent"])
def test_phase_test_is_forbidden_to_users(phase: str) -> None:
    chat = service(phases())

    answer = tried(chat, phase, {"message": "Hello"}, roles="user")

    assert (answer.status, answer.body["error"]) == (403, "forbidden")
    assert chat.model.seen == []


@pytest.mark.parametrize("phase", ["topic", "intent"])
def test_unconfigured_phase_cannot_be_tested(phase: str) -> None:
    sections: dict[str, Any] = {phase: None}

    answer = tried(service(phases(), **sections), phase, {"message": "Hello"})

    assert (answer.status, answer.body["error"]) == (409, "not_configured")
    assert f"the configuration has no section '{phase}'; add \"{phase}\": {{" in answer.body["message"]


@pytest.mark.parametrize(
    ("phase", "body", "path"),
    [
        ("topic", {"message": "  "}, "message"),
        ("topic", {}, "message"),
        ("topic", {"message": "Hello", "prompt": ""}, "prompt"),
        ("topic", {"message": "Hello", "intents": {}}, "intents"),
        ("intent", {"message": "Hello", "history": []}, "history"),
        ("intent", {"message": "Hello", "intents": {"": "x"}}, "intents..[key]"),
    ],
)
def test_invalid_phase_test_is_rejected(phase: str, body: dict[str, Any], path: str) -> None:
    answer = tried(service(phases()), phase, body)

    assert (answer.status, answer.body["error"]) == (400, "invalid_request")
    assert [detail["path"] for detail in answer.body["details"]] == [path]


def test_phase_test_with_an_unknown_llm_is_rejected() -> None:
    answer = tried(service(phases()), "intent", {"message": "Hello", "llm": "opnai"})

    assert (answer.status, answer.body["error"]) == (400, "invalid_request")
    assert answer.body["message"] == "no llm named 'opnai'; did you mean 'openai'?"


def test_phase_tests_are_in_the_openapi_document() -> None:
    paths = service(phases()).get("/api/openapi.json").body["paths"]

    for path in ("/api/topic/test", "/api/intent/test"):
        responses = paths[path]["post"]["responses"]
        assert {"200", "400", "401", "403", "409", "500"} <= responses.keys()
