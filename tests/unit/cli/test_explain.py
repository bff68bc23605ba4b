"""Printed explanations of an answer."""

from typing import Any

from rich.console import Group

from cli.console import Console
from cli.render.explain import explanation
from flexchat.api.explain import ExplainView

RULES: list[Any] = [
    {
        "rule": "escalate",
        "matched": False,
        "fallback": False,
        "conditions": [
            {"condition": "user_message_regexp", "expected": "/lawyer/i", "actual": "And abroad?", "holds": False}
        ],
    },
    {
        "rule": "refund",
        "matched": True,
        "fallback": False,
        "conditions": [
            {"condition": "intent", "expected": "refund", "actual": "refund", "holds": True},
            {"condition": "plan", "expected": ["a", "b"], "actual": ["a", "b"], "holds": True},
        ],
    },
    {"rule": "responses[2]", "matched": False, "fallback": True, "conditions": []},
]
EXPLAINED: dict[str, Any] = {
    "topic": {
        "topic_status": "new_topic",
        "topic_summary": "refunds abroad",
        "model": "openai:gpt-4o-mini",
        "answer": "{}",
        "duration_ms": 120,
    },
    "intent": {
        "intent": "refund",
        "source": "model",
        "candidates": ["refund", "other"],
        "model": "openai:gpt-4o-mini",
        "answer": "refund",
        "duration_ms": 90,
    },
    "profile": {
        "intent": "refund",
        "service": None,
        "user_message": "And abroad?",
        "documents": [{"text": "never shown here"}],
        "rag_context": "never shown here",
        "plan": ["a", "b"],
        "note": "xxxxx",
    },
    "rules": RULES,
    "tools": [
        {"tool": "calculate", "offered": True, "reason": "allowed by the rule"},
        {"tool": "uuid", "offered": False, "reason": "not in the rule's allowed_tools"},
    ],
    "system_prompt": "You [help].\nBriefly.",
    "history_messages": 4,
}


def shown(**changes: Any) -> str:
    console = Console(width=130)
    view = ExplainView.model_validate({**EXPLAINED, **changes})
    with console.capture() as capture:
        console.print(Group(*explanation(view)), highlight=False)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def test_every_phase_prints_its_decision_and_reason() -> None:
    assert shown() == (
        "topic    new topic: refunds abroad  openai:gpt-4o-mini, 120 ms\n"
        "intent   refund, of refund, other  openai:gpt-4o-mini, 90 ms\n"
        'profile  intent=refund  plan=["a", "b"]  note=xxxxx\n'
        "rules    ✗ escalate  user_message_regexp /lawyer/i (is And abroad?)\n"
        '         ✓ refund  intent refund, plan ["a", "b"]\n'
        "         ✗ responses[2]  no conditions: the fallback\n"
        "tools    ✓ calculate  allowed by the rule\n"
        "         ✗ uuid  not in the rule's allowed_tools\n"
        "history  4 messages\n"
        "prompt\n"
        "    You [help].\n"
        "    Briefly."
    )


def test_unconfigured_phases_are_omitted() -> None:
    assert shown(topic=None, intent=None).startswith("profile  intent=refund")


def test_a_failed_phase_has_its_reason_and_a_collection_its_match() -> None:
    failed = {**EXPLAINED["topic"], "error": "busy (rate_limit)"}
    for source, how in (("rag_match", "a collection matches"), ("nearest_partial", "the nearest collection")):
        found: Any = {"intent": "kb/faq", "source": source, "candidates": [], "duration_ms": 0}

        lines = shown(topic=failed, intent=found).splitlines()

        assert lines[0] == "topic    new topic: refunds abroad  openai:gpt-4o-mini, 120 ms  busy (rate_limit)"
        assert lines[1] == f"intent   kb/faq, {how}"


def test_a_missing_intent_is_none() -> None:
    assert "intent   none" in shown(intent={"intent": None, "source": "none", "duration_ms": 0})


def test_a_long_value_is_truncated() -> None:
    profile = shown(profile={"note": "x" * 150}, topic=None, intent=None).splitlines()[0]

    assert profile == f"profile  note={'x' * 99}…"
