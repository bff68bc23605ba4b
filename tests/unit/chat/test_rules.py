"""Response rules: the first match, or the fallback."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from flexchat.config.catalog import Catalog
from flexchat.config.matching import holds, match_rule
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.rules import ResponseRule
from flexchat.errors import ConfigError
from flexchat.messages import Json
from functions.chat.phases.profile import Condition, TriedRule, explain_rules

PROFILE: dict[str, Json] = {
    "intent": "weather_forecast",
    "service": "docs",
    "rag_results": "partial",
    "tags": ["a", "b"],
    "collection": None,
    "level": 3,
    "odd_regexp": "x",
}


@pytest.mark.parametrize(
    ("condition", "expected", "holds_for_it"),
    [
        ("service", "docs", True),
        ("service", "Docs", False),
        ("level", 3, True),
        ("level", "3", False),
        ("collection", None, True),
        ("missing", None, False),
        ("missing", "x", False),
        ("intent_regexp", "/(weather|forecast)/", True),
        ("intent_regexp", "/WEATHER/", False),
        ("intent_regexp", "/WEATHER/i", True),
        ("intent_regexp", "^weather", True),
        ("level_regexp", "3", False),
        ("missing_regexp", ".*", False),
        ("intent_contains", "FORE", True),
        ("intent_contains", "rain", False),
        ("intent_contains", 5, False),
        ("tags_contains", "b", True),
        ("tags_contains", "c", False),
        ("level_contains", "3", False),
        ("rag_results", "any", True),
        ("rag_results", "match", False),
        ("rag_results", "partial", True),
        ("odd_regexp", "x", False),
        ("level_contains_regexp", "3", False),
    ],
)
def test_each_condition_is_evaluated_as_documented(condition: str, expected: Any, *, holds_for_it: bool) -> None:
    assert holds(condition, expected, PROFILE) is holds_for_it


def test_any_rag_result_is_false_without_a_search() -> None:
    assert not holds("rag_results", "any", {"rag_results": "none"})


def rule(name: str, **match: Any) -> ResponseRule:
    return ResponseRule(name=name, match=match, llm="openai", model="m", prompt="p")


def test_the_first_rule_with_only_true_conditions_is_selected() -> None:
    rules = [
        rule("fallback"),
        rule("two", service="docs", intent="other"),
        rule("three", service="docs"),
        rule("four", service="docs"),
    ]
    assert match_rule(rules, PROFILE).name == "three"


def test_the_first_fallback_at_any_position_is_selected() -> None:
    rules = [rule("a", service="x"), rule("first"), rule("second")]
    assert match_rule(rules, PROFILE).name == "first"


def test_no_matching_rule_and_no_fallback_is_an_error_with_the_remedy() -> None:
    with pytest.raises(ConfigError, match="add a rule without 'match'"):
        match_rule([rule("a", service="x")], PROFILE)


def named(rules: Sequence[ResponseRule]) -> Iterator[tuple[str, ResponseRule]]:
    return Catalog(Configuration(responses=tuple(rules)), (), "1").named_rules()


def test_the_trace_has_every_condition_of_every_rule_up_to_the_matching_one() -> None:
    rules = [
        rule("fallback"),
        rule("two", service="docs", intent_regexp="/rain/", tags_contains="b"),
        ResponseRule(match={"missing": 1}, llm="openai", model="m", prompt="p"),
        rule("three", odd_regexp="x"),
        rule("four", rag_results="any", level=3),
        rule("five", service="docs"),
    ]

    assert explain_rules(named(rules), PROFILE) == (
        TriedRule(
            "two",
            matched=False,
            fallback=False,
            conditions=(
                Condition("service", "docs", "docs", holds=True),
                Condition("intent_regexp", "/rain/", "weather_forecast", holds=False),
                Condition("tags_contains", "b", ["a", "b"], holds=True),
            ),
        ),
        TriedRule(
            "responses[2]", matched=False, fallback=False, conditions=(Condition("missing", 1, None, holds=False),)
        ),
        TriedRule(
            "three", matched=False, fallback=False, conditions=(Condition("odd_regexp", "x", None, holds=False),)
        ),
        TriedRule(
            "four",
            matched=True,
            fallback=False,
            conditions=(
                Condition("rag_results", "any", "partial", holds=True),
                Condition("level", 3, 3, holds=True),
            ),
        ),
    )


def test_the_trace_ends_with_the_first_fallback_without_a_match() -> None:
    rules = [rule("first"), rule("a", service="x"), rule("second")]

    assert [(tried.rule, tried.matched, tried.fallback) for tried in explain_rules(named(rules), PROFILE)] == [
        ("a", False, False),
        ("first", True, True),
    ]
    assert [(tried.rule, tried.matched) for tried in explain_rules(named(rules[1:2]), PROFILE)] == [("a", False)]
