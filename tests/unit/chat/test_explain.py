"""Explanation of a chat: topic, intent, rule and tools with reasons, without secrets."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from flexchat.api.explain import (
    ConditionView,
    ExplainView,
    IntentView,
    OfferedToolView,
    RuleView,
    TopicView,
)
from flexchat.config.catalog import Catalog, DisabledEntry
from flexchat.config.models.configuration import Configuration
from flexchat.messages import Json
from flexchat.tools import CallTool, ToolReply
from functions.chat.generation.answer_form import AnswerForm
from functions.chat.inspection.explain import MAX_CONTEXT_CHARACTERS, MAX_VALUE_CHARACTERS, explain, rule_views
from functions.chat.phases.intent import IntentDecision
from functions.chat.phases.runner import PhaseResults
from functions.chat.phases.topic import TopicDecision
from functions.chat.providers.base import ResponseFormat
from functions.chat.providers.profiles import ModelProfile
from functions.chat.tools.manager import ToolManager

RULE: dict[str, Any] = {"llm": "main", "model": "m", "prompt": "You help with {{topic}}."}


class Invoker:
    """Reaches mock tools only."""

    types = frozenset({"mock"})

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        raise NotImplementedError


def tool(name: str, kind: str = "mock", **changes: Any) -> dict[str, Any]:
    return {
        "name": name,
        "description": name,
        "parameters": {"type": "object"},
        "implementation": {"type": kind, "headers": {"X-Key": "s3cret"}},
        **changes,
    }


def explained(
    *,
    phases: PhaseResults | None = None,
    profile: Mapping[str, Json] | None = None,
    rules: Sequence[dict[str, Any]] = (),
    tools: Mapping[str, Any] | None = None,
    disabled: tuple[DisabledEntry, ...] = (),
    takes_tools: bool = True,
    form: AnswerForm | None = None,
    instructions: str = "",
) -> ExplainView:
    """Explanation of a chat that the last rule answers."""
    configuration = Configuration.model_validate(
        {
            "llms": {"main": {"type": "openai", "api_key": "s3cret", "headers": {"X-Key": "s3cret"}}},
            "responses": rules or [RULE],
            "tools": tools or {},
        }
    )
    return explain(
        phases=phases or PhaseResults(),
        profile={"topic": "refunds"} if profile is None else profile,
        rule=configuration.responses[-1],
        catalog=Catalog(configuration, disabled, "1"),
        manager=ToolManager(config=configuration.tools, invoker=Invoker()),
        model=ModelProfile(tools=takes_tools),
        form=form,
        history_messages=3,
        instructions=instructions,
        nonce="n",
    )


def test_the_system_prompt_is_that_of_the_rule_and_the_instructions_of_the_client() -> None:
    assert explained(instructions="Answer in French.").system_prompt == "You help with refunds.\n\nAnswer in French."


def test_the_system_prompt_has_the_form_of_the_answer() -> None:
    form = AnswerForm(ResponseFormat())

    assert explained(form=form).system_prompt == (
        "You help with refunds.\n\nGive your final answer as one JSON object\n"
        "Write nothing before or after the JSON object."
    )


def test_every_decision_is_explained_in_order() -> None:
    phases = PhaseResults(
        topic=TopicDecision("continuation", "refunds", "main:m", "{...}", None, 12),
        intent=IntentDecision(
            "other", candidates=("a", "other"), model="main:m", error="down (timeout)", duration_ms=7
        ),
    )
    rules = [{**RULE, "name": "docs", "match": {"service": "docs", "topic_contains": "ref"}}, RULE]

    account = explained(phases=phases, rules=rules, tools={"enabled": True, "registry": [tool("a")]})

    assert account == ExplainView(
        topic=TopicView(
            topic_status="continuation", topic_summary="refunds", model="main:m", answer="{...}", duration_ms=12
        ),
        intent=IntentView(
            intent="other",
            source="none",
            candidates=("a", "other"),
            model="main:m",
            error="down (timeout)",
            duration_ms=7,
        ),
        profile={"topic": "refunds"},
        rules=(
            RuleView(
                rule="docs",
                matched=False,
                fallback=False,
                conditions=(
                    ConditionView(condition="service", expected="docs", actual=None, holds=False),
                    ConditionView(condition="topic_contains", expected="ref", actual="refunds", holds=True),
                ),
            ),
            RuleView(rule="responses[1]", matched=True, fallback=True),
        ),
        tools=(OfferedToolView(tool="a", offered=False, reason="the rule has no tools"),),
        system_prompt="You help with refunds.",
        history_messages=3,
    )


def test_a_rule_without_a_name_has_its_position_in_the_file_even_after_unusable_rules() -> None:
    configuration = Configuration.model_validate({"responses": [RULE]})

    (rule,) = rule_views(Catalog(configuration, (), "1", rule_positions=(2,)), {})

    assert rule == RuleView(rule="responses[2]", matched=True, fallback=True)


def test_unconfigured_phases_are_omitted() -> None:
    assert explained().model_dump(mode="json") == {
        "profile": {"topic": "refunds"},
        "rules": [{"rule": "responses[0]", "matched": True, "fallback": True, "conditions": []}],
        "tools": [],
        "system_prompt": "You help with refunds.",
        "history_messages": 3,
    }


def test_found_passages_are_truncated() -> None:
    profile: dict[str, Json] = {
        "documents": [{"title": "Refunds", "text": "x" * 5_000}, {"title": "Short", "text": "y"}, "not an object"],
        "rag_context": "z" * 5_000,
        "topic": "t" * 5_000,
    }

    account = explained(profile=profile, rules=[{**RULE, "match": {"topic_regexp": "^t", "documents": []}}])

    assert account.profile == {
        "documents": [
            {"title": "Refunds", "text": f"{'x' * (MAX_VALUE_CHARACTERS - 1)}…"},
            {"title": "Short", "text": "y"},
            "not an object",
        ],
        "rag_context": f"{'z' * (MAX_CONTEXT_CHARACTERS - 1)}…",
        "topic": "t" * 5_000,
    }
    of_topic, of_documents = account.rules[0].conditions
    assert of_topic.actual == f"{'t' * (MAX_VALUE_CHARACTERS - 1)}…"
    assert isinstance(of_documents.actual, str)
    assert of_documents.actual.startswith('[{"title":"Refunds","text":"xxx')
    assert len(of_documents.actual) == MAX_VALUE_CHARACTERS


EVERY_REASON: dict[str, Any] = {
    "enabled": True,
    "disabled_types": ["http"],
    "registry": [
        tool("allowed"),
        tool("not_allowed"),
        tool("off", enabled=False),
        tool("of_type_off", "http"),
        tool("out_of_reach", "mcp"),
    ],
}


def offered(account: ExplainView) -> dict[str, tuple[bool, str]]:
    return {view.tool: (view.offered, view.reason) for view in account.tools}


def test_each_tool_has_its_reason() -> None:
    allowed = ["allowed", "off", "of_type_off", "out_of_reach", "broken", "nowhere"]
    rule = {**RULE, "tools": {"enabled": True, "allowed_tools": allowed}}

    account = explained(
        rules=[rule],
        tools=EVERY_REASON,
        disabled=(DisabledEntry("tool", "broken", ("parameters: must be an object",)),),
    )

    assert offered(account) == {
        "allowed": (True, "allowed by the rule"),
        "not_allowed": (False, "not in the rule's allowed_tools"),
        "off": (False, "disabled in the configuration"),
        "of_type_off": (False, "tools of type 'http' are disabled in the configuration"),
        "out_of_reach": (False, "no function runs tools of type 'mcp' in this deployment"),
        "broken": (False, "parameters: must be an object"),
        "nowhere": (False, "no tool of this name is configured"),
    }


def test_a_rule_without_allowed_tools_offers_all_usable_tools() -> None:
    account = explained(rules=[{**RULE, "tools": {"enabled": True}}], tools=EVERY_REASON)

    every = (True, "every tool is offered: the rule has no allowed_tools")
    assert {name: why for name, why in offered(account).items() if why[0]} == {"allowed": every, "not_allowed": every}


@pytest.mark.parametrize(
    ("rule", "enabled", "takes_tools", "reason"),
    [
        ({}, True, True, "the rule has no tools"),
        ({"tools": {"enabled": False}}, True, True, "the rule has no tools"),
        ({"tools": {"enabled": True, "allowed_tools": []}}, True, True, "not in the rule's allowed_tools"),
        ({"tools": {"enabled": True}}, False, True, "tools are disabled: tools.enabled is false"),
        ({"tools": {"enabled": True}}, True, False, "the model does not support tools"),
        ({"tools": {"enabled": True, "allowed_tools": ["a"]}}, True, False, "the model does not support tools"),
    ],
)
def test_offering_no_tool_has_a_reason(rule: dict[str, Any], enabled: bool, takes_tools: bool, reason: str) -> None:
    account = explained(
        rules=[{**RULE, **rule}], tools={"enabled": enabled, "registry": [tool("a")]}, takes_tools=takes_tools
    )

    assert offered(account) == {"a": (False, reason)}


def test_explanations_contain_no_secret() -> None:
    account = explained(rules=[{**RULE, "tools": {"enabled": True}}], tools=EVERY_REASON)

    assert "s3cret" not in account.model_dump_json()
