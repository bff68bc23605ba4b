"""Warnings about rules that no message can reach."""

import pytest

from flexchat.config_check.check import check_source
from flexchat.messages import Json
from tests.unit.config.sources import problem_lines, rule, source

SERVICES: Json = {
    "docs": {"type": "http", "url": "https://docs.example.com", "collections": ["guides", "faq"]},
    "wiki": {"type": "http", "url": "https://wiki.example.com"},
}


PLAN: Json = {"caller_fields": ["plan"]}


def warnings(*matches: Json, **changes: Json) -> list[str]:
    rules: list[Json] = [*(rule(match=match) for match in matches), rule()]
    document = source(**{"rag_services": SERVICES, "responses": rules, "tools": {}, "profile": PLAN, **changes})
    return problem_lines(check_source(document, {})[1], "warning")


@pytest.mark.parametrize(
    ("match", "problem"),
    [
        ({"service": "dcos"}, "service: never true: 'service' is one of 'docs', 'wiki'; did you mean 'docs'?"),
        ({"service_regexp": "/^tech/"}, "service_regexp: never true: 'service' is one of 'docs', 'wiki'"),
        ({"service_contains": "tech"}, "service_contains: never true: 'service' is one of 'docs', 'wiki'"),
        ({"service": 7}, "service: never true: 'service' is one of 'docs', 'wiki'"),
        ({"collection": "guide"}, "collection: never true: 'collection' is one of 'faq', 'guides', 'wiki'"),
        ({"rag_results": "found"}, "rag_results: never true: 'rag_results' is one of 'match', 'none', 'partial'"),
        ({"topic": 5}, "topic: never true: 'topic' is text"),
        (
            {"intent": "rain"},
            "intent: never true: 'intent' is one of 'docs/faq', 'docs/guides', 'other', 'weather', 'wiki/wiki'",
        ),
        (
            {"intent_regexp": "/^refund/"},
            "intent_regexp: never true: 'intent' is one of 'docs/faq', 'docs/guides', 'other', 'weather', 'wiki/wiki'",
        ),
    ],
)
def test_a_condition_on_an_impossible_value_of_its_field_is_a_warning(match: Json, problem: str) -> None:
    (found,) = warnings(match)

    assert found.startswith(f"responses[0].match.{problem}")


@pytest.mark.parametrize(
    "match",
    [
        {"service": "docs"},
        {"service": None},
        {"service_regexp": "/^WIKI/i"},
        {"collection": "guides"},
        {"intent": "weather"},
        {"intent": "other"},
        {"intent": "docs/faq"},
        {"intent_contains": "EATHER"},
        {"rag_results": "any"},
        {"rag_results": "none"},
        {"topic": "anything at all"},
        {"user_message_regexp": "/lawyer/"},
        {"plan": "gold"},
        {"documents_contains": "d"},
    ],
)
def test_a_possible_condition_is_no_warning(match: Json) -> None:
    assert warnings(match) == []


@pytest.mark.parametrize("section", [None, {"enabled": False, "detection": {"intents": {"weather": "The weather"}}}])
def test_a_condition_on_the_intent_without_an_intent_phase_is_a_warning(section: Json) -> None:
    assert warnings({"intent_regexp": "/weather/"}, intent=section) == [
        "responses[0].match.intent_regexp: never true: nothing in this configuration sets 'intent'"
    ]


@pytest.mark.parametrize("condition", ["plan", "plan_regexp", "plan_contains"])
def test_a_condition_on_a_field_that_nothing_sets_is_a_warning(condition: str) -> None:
    (found,) = warnings({condition: "gold"}, profile={})

    reason = "nothing sets 'plan'; if callers shall, list it in profile.caller_fields"
    assert found == f"responses[0].match.{condition}: never true: {reason}"


def test_a_field_set_by_callers_can_have_any_value() -> None:
    caller_profile: Json = {"caller_fields": ["intent", "service", "collection"]}
    match: Json = {"intent": "rain", "service": "elsewhere", "collection": "any"}

    assert warnings(match, profile=caller_profile, intent=None) == []


def test_an_intent_phase_defines_the_values_although_callers_can_set_an_intent() -> None:
    (found,) = warnings({"intent": "rain"}, profile={"caller_fields": ["intent"]})

    assert found.startswith("responses[0].match.intent: never true")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("topic", "'topic' is set by the service; a caller cannot set it"),
        ("documents", "'documents' is set by the service; a caller cannot set it"),
        ("plan_regexp", "'plan_regexp' ends with an operator of match; use the name of the field without it"),
        ("plan_contains", "'plan_contains' ends with an operator of match; use the name of the field without it"),
    ],
)
def test_a_service_field_cannot_be_opened_for_callers(name: str, problem: str) -> None:
    document = source(profile={"caller_fields": [name]}, tools={})

    assert problem_lines(check_source(document, {})[1], "error") == [f"profile.caller_fields[0]: {problem}"]


def test_a_condition_on_search_results_without_a_service_is_a_warning() -> None:
    document = source(rag_services={}, responses=[rule(match={"rag_results": "any"}), rule()], tools={})

    assert problem_lines(check_source(document, {})[1], "warning") == [
        "responses[0].match.rag_results: never true: 'rag_results' is one of 'none'"
    ]


def test_a_service_without_a_list_of_collections_can_have_any() -> None:
    services: Json = {"own": {"type": "internal"}}
    match: list[Json] = [{"collection": "any"}, {"intent": "own/any"}]
    document = source(rag_services=services, responses=[*(rule(match=each) for each in match), rule()], tools={})

    assert problem_lines(check_source(document, {})[1], "warning") == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"service": "docs"}, {"service": "docs", "rag_results": "match"}),
        ({"plan": "gold"}, {"plan": "gold"}),
        ({"rag_results": "any"}, {"rag_results": "partial"}),
        ({"intent_contains": "eath"}, {"intent": "weather"}),
        ({"intent_regexp": "/weather|forecast/"}, {"intent": "weather", "plan": "gold"}),
        ({"user_message_regexp": "/.*/"}, {"plan": "gold"}),
        ({"topic_contains": ""}, {"plan": "gold"}),
    ],
)
def test_a_rule_after_one_that_always_matches_first_is_a_warning(first: Json, second: Json) -> None:
    assert warnings({"plan": "silver"}, first, second) == [
        "responses[2]: never used: responses[1] matches all messages of this rule"
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"service": "docs", "rag_results": "match"}, {"service": "docs"}),
        ({"rag_results": "match"}, {"rag_results": "any"}),
        ({"user_message_regexp": "/^$/"}, {"plan": "gold"}),
        ({"user_message_regexp": "/^weather/"}, {"user_message_contains": "weather"}),
        ({"plan_regexp": "/.*/"}, {"service": "docs"}),
    ],
)
def test_a_rule_after_one_that_matches_less_is_no_warning(first: Json, second: Json) -> None:
    assert warnings(first, second) == []


def test_the_fallback_hides_no_rule_at_any_position() -> None:
    document = source(
        tools={}, profile=PLAN, responses=[rule(), rule(match={"plan": "gold"}), rule(match={"plan": "silver"})]
    )

    assert problem_lines(check_source(document, {})[1], "warning") == []


def test_dead_rules_are_searched_only_in_a_valid_format() -> None:
    document = source(rag_services={"docs": {"type": "htp"}}, responses=[rule(match={"service": "docs"}), rule()])

    assert [line for line in problem_lines(check_source(document, {})[1], "warning") if "never" in line] == []
