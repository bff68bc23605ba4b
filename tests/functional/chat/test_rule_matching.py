"""Route that matches a profile to the rules without a chat."""

from typing import Any

import pytest

from flexchat.config.catalog import Catalog, DisabledEntry
from tests.functional.chat.configuration_api import FALLBACK, OPERATOR, SOURCE, WEATHER, catalog_of, deployed, source
from tests.functional.chat.harness import (
    Answer,
)
from tests.functional.chat.scripted_provider import text_completion


def matched(catalog: Catalog, **profile: Any) -> dict[str, Any]:
    answer = match_profile(catalog, {"profile": profile})
    assert answer.status == 200, answer.body
    return answer.body


def match_profile(catalog: Catalog, body: Any) -> Answer:
    return deployed(catalog).post(body, path="/api/config/match", roles=OPERATOR)


def test_matched_rule_is_reported_with_its_model_and_tools() -> None:
    assert matched(catalog_of(SOURCE), intent="weather", tags=["x"]) == {
        "rule": "weather",
        "llm": "main",
        "model": "gpt-4o",
        "rules": [
            {
                "rule": "weather",
                "matched": True,
                "fallback": False,
                "conditions": [
                    {"condition": "intent", "expected": "weather", "actual": "weather", "holds": True},
                    {"condition": "tags_contains", "expected": "x", "actual": ["x"], "holds": True},
                ],
            }
        ],
        "tools": [
            {"tool": "get_weather", "offered": True, "reason": "allowed by the rule"},
            {"tool": "calculate", "offered": False, "reason": "disabled in the configuration"},
        ],
    }


def test_profile_field_not_settable_by_callers_matches_no_rule() -> None:
    closed = catalog_of({**SOURCE, "profile": {"caller_fields": ["plan"]}})
    request = {"message": "rain?", "profile": {"intent": "weather", "tags": ["x"], "tags_contains": "x"}}

    body = matched(closed, intent="weather", tags=["x"], tags_contains="x")
    answered = deployed(closed, text_completion("Rain.")).post({**request, "explain": True}, roles=OPERATOR).body

    assert body["rules"][0]["conditions"][1] == {
        "condition": "tags_contains",
        "expected": "x",
        "actual": None,
        "holds": False,
    }
    assert body["rule"] == "responses[1]"
    explained = answered["explain"]
    assert [(rule["rule"], rule["matched"]) for rule in explained["rules"]] == [
        ("weather", False),
        ("responses[1]", True),
    ]
    assert explained["profile"]["intent"] is None


def test_fallback_rule_matches_without_a_condition_and_is_named_by_its_index() -> None:
    body = matched(catalog_of(SOURCE, rule_positions=(3, 7)))

    assert (body["rule"], body["llm"], body["model"]) == ("responses[7]", "local", "qwen3:8b")
    assert [(rule["rule"], rule["matched"]) for rule in body["rules"]] == [("weather", False), ("responses[7]", True)]


def test_omitted_profile_fields_match_as_in_a_chat_without_results() -> None:
    rules: list[dict[str, Any]] = [
        {**WEATHER, "match": {"rag_results": "none", "topic": "hello", "documents": []}},
        FALLBACK,
    ]

    assert matched(catalog_of(source(responses=rules)), user_message="hello")["rule"] == "weather"
    assert matched(catalog_of(source(responses=rules)), user_message="hello", rag_results="match")["rule"] != "weather"


def test_error_of_a_chat_without_a_rule_is_reported_with_the_tried_rules() -> None:
    catalog = catalog_of(source(responses=[WEATHER], topic=None, intent=None))

    body = matched(catalog, intent="weather")

    chat = deployed(catalog).post({"message": "hello"})
    assert body["problem"] == "responses: no rule matches, and no fallback is configured; add a rule without 'match'"
    assert body.keys() == {"problem", "rules", "tools"}
    assert [condition["holds"] for condition in body["rules"][0]["conditions"]] == [True, False]
    assert (chat.status, body["problem"] in chat.body["message"]) == (500, True)


def test_error_of_a_chat_without_a_model_is_reported_with_the_rule() -> None:
    disabled = (DisabledEntry("llm", "claude", ("secret 'K' is not stored",)),)
    rule = {**FALLBACK, "llm": "claude", "model": "sonnet"}

    body = matched(catalog_of(source(responses=[rule]), disabled=disabled))

    assert body["problem"] == "llms.claude: Provider claude not found: secret 'K' is not stored"
    assert (body["rule"], body["llm"], body["model"]) == ("responses[0]", "claude", "sonnet")
    assert [tool["tool"] for tool in body["tools"]] == ["get_weather", "calculate"]


def test_model_without_tool_support_is_offered_none() -> None:
    body = matched(catalog_of(source(responses=[{**FALLBACK, "model": "tiny"}])))

    assert body["tools"][0] == {"tool": "get_weather", "offered": False, "reason": "the model does not support tools"}


def test_profile_is_matched_as_in_a_chat() -> None:
    catalog = catalog_of(source(topic=None, intent=None))
    request = {"message": "rain?", "profile": {"intent": "weather", "tags": ["y"]}, "explain": True}

    account = deployed(catalog, text_completion("No.")).post(request, roles=OPERATOR).body["explain"]
    body = matched(catalog, **account["profile"])

    assert (body["rules"], body["tools"]) == (account["rules"], account["tools"])


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "profile"),
        ({"profile": ["intent"]}, "profile"),
        ({"profile": {}, "rule": "weather"}, "rule"),
    ],
)
def test_invalid_match_request_names_the_field(body: Any, path: str) -> None:
    answer = match_profile(catalog_of(SOURCE), body)

    assert (answer.status, answer.body["error"]) == (400, "invalid_request")
    assert [detail["path"] for detail in answer.body["details"]] == [path]


def test_profile_larger_than_a_chat_request_is_rejected() -> None:
    answer = match_profile(catalog_of(SOURCE), {"profile": {"user_message": "a" * 256 * 1024}})

    assert (answer.status, answer.body["error"]) == (413, "payload_too_large")
