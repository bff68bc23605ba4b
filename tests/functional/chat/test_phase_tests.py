"""Routes that test a phase without a chat."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.functional.chat.harness import Answer, Chat
from tests.functional.chat.phase_chat import DOWN, INTENTS, found, phases, requests_with, service

OPERATOR = "user,operator"


def post_phase_test(chat: Chat, phase: str, body: Mapping[str, Any], *, roles: str = OPERATOR) -> Answer:
    """Return the response to a phase test of a caller with `roles`."""
    return chat.post(body, path=f"/api/{phase}/test", roles=roles)


def test_operator_can_test_the_topic_phase() -> None:
    chat = service(phases())

    answer = post_phase_test(
        chat, "topic", {"message": "Will it rain?", "history": [{"content": "In Paris."}], "topic": "Paris"}
    )

    assert answer.status == 200
    assert answer.body | {"duration_ms": 0} == {
        "topic_status": "new_topic",
        "topic_summary": "weather in Paris",
        "model": "openai:gpt-4o-mini",
        "answer": '{"topic_status": "new_topic", "topic_summary": "weather in Paris"}',
        "duration_ms": 0,
    }
    ((question, _),) = requests_with(chat, "topic_status")
    assert "Current topic: Paris\n" in question
    assert "user: In Paris.\n" in question


def test_phase_test_can_replace_prompt_and_model() -> None:
    chat = service(phases(answer="rain"))

    answer = post_phase_test(
        chat, "topic", {"message": "Will it rain?", "prompt": "Name it: {{userMessage}}", "model": "gpt-5"}
    )

    assert (answer.body["topic_summary"], answer.body["model"]) == ("rain", "openai:gpt-5")
    assert chat.model.seen[0][0].text == "Name it: Will it rain?"


def test_phase_test_with_another_llm_uses_its_default_model() -> None:
    chat = service(phases(), llms={"openai": {"type": "openai"}, "local": {"type": "ollama", "models": ["llama3.2"]}})

    assert post_phase_test(chat, "topic", {"message": "Hi", "llm": "local"}).body["model"] == "local:llama3.2"
    assert post_phase_test(chat, "topic", {"message": "Hi", "llm": "local", "model": "m"}).body["model"] == "local:m"


@pytest.mark.parametrize("phase", ["topic", "intent"])
def test_disabled_phase_can_be_tested(phase: str) -> None:
    detection = {"detection": {"intents": INTENTS}} if phase == "intent" else {}
    sections: dict[str, Any] = {phase: {"enabled": False, **detection}}

    answer = post_phase_test(service(phases(), **sections), phase, {"message": "Will it rain?"})

    assert answer.status == 200
    assert answer.body["model"] == "openai:gpt-4o"


def test_operator_can_test_the_intent_phase() -> None:
    chat = service(phases(), retrieval=found(0.4))

    answer = post_phase_test(
        chat, "intent", {"message": "Will it rain?", "topic": "Paris", "selected_collections": ["kb/faq"]}
    )

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

    answer = post_phase_test(chat, "intent", {"message": "Will it snow?", "intents": {"snow": "Asks about snow"}})

    assert (answer.body["intent"], answer.body["candidates"]) == ("snow", ["snow", "other"])


def test_phase_test_reports_a_model_error() -> None:
    chat = service(phases(topic=DOWN))

    answer = post_phase_test(chat, "topic", {"message": "Will it rain?"})

    assert answer.status == 200
    assert (answer.body["topic_summary"], answer.body["error"]) == (
        "Will it rain?",
        "the provider is down (server_error)",
    )


@pytest.mark.parametrize("phase", ["topic", "intent"])
def test_phase_test_is_forbidden_to_users(phase: str) -> None:
    chat = service(phases())

    answer = post_phase_test(chat, phase, {"message": "Hello"}, roles="user")

    assert (answer.status, answer.body["error"]) == (403, "forbidden")
    assert chat.model.seen == []


@pytest.mark.parametrize("phase", ["topic", "intent"])
def test_unconfigured_phase_cannot_be_tested(phase: str) -> None:
    sections: dict[str, Any] = {phase: None}

    answer = post_phase_test(service(phases(), **sections), phase, {"message": "Hello"})

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
    answer = post_phase_test(service(phases()), phase, body)

    assert (answer.status, answer.body["error"]) == (400, "invalid_request")
    assert [detail["path"] for detail in answer.body["details"]] == [path]


def test_phase_test_with_an_unknown_llm_is_rejected() -> None:
    answer = post_phase_test(service(phases()), "intent", {"message": "Hello", "llm": "opnai"})

    assert (answer.status, answer.body["error"]) == (400, "invalid_request")
    assert answer.body["message"] == "no llm named 'opnai'; did you mean 'openai'?"


def test_phase_tests_are_in_the_openapi_document() -> None:
    paths = service(phases()).get("/api/openapi.json").body["paths"]

    for path in ("/api/topic/test", "/api/intent/test"):
        responses = paths[path]["post"]["responses"]
        assert {"200", "400", "401", "403", "409", "500"} <= responses.keys()
