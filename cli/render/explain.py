"""Explanation of an answer as text."""

import json
from collections.abc import Iterator, Mapping

from rich.console import RenderableType
from rich.padding import Padding

from cli.console import Table, Text
from flexchat.api.explain import ConditionView, ExplainView, IntentView, RuleView, TopicView
from flexchat.messages import Json
from flexchat.text import counted, truncate

VALUE_WIDTH = 100
SHOWN_ELSEWHERE = ("user_message", "documents", "rag_context")
"""Fields of the profile that the answer or the command line already contains."""


def explanation(explained: ExplainView) -> Iterator[RenderableType]:
    """Yield the decision of each phase, in order; the system prompt last."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    if explained.topic is not None:
        table.add_row("topic", _topic(explained.topic))
    if explained.intent is not None:
        table.add_row("intent", _intent(explained.intent))
    table.add_row("profile", _profile(explained.profile))
    for position, rule in enumerate(explained.rules):
        table.add_row("" if position else "rules", _rule(rule))
    for position, tool in enumerate(explained.tools):
        line = Text.assemble(_mark(holds=tool.offered), f" {tool.tool}", (f"  {tool.reason}", "dim"))
        table.add_row("" if position else "tools", line)
    table.add_row("history", counted(explained.history_messages, "message"))
    yield table
    yield Text("prompt", style="bold")
    yield Padding(Text(explained.system_prompt), (0, 0, 0, 4), expand=False)


def _topic(topic: TopicView) -> Text:
    return _asked(f"{topic.topic_status.replace('_', ' ')}: {topic.topic_summary}", topic)


def _intent(intent: IntentView) -> Text:
    found = {"rag_match": "a collection matches", "nearest_partial": "the nearest collection", "none": "", "model": ""}
    how = f", {found[intent.source]}" if found[intent.source] else ""
    among = f", of {', '.join(intent.candidates)}" if intent.candidates else ""
    return _asked(f"{intent.intent or 'none'}{how}{among}", intent)


def _asked(text: str, view: TopicView | IntentView) -> Text:
    model_details = f"  {view.model}, {view.duration_ms} ms" if view.model else ""
    return Text.assemble(text, (model_details, "dim"), (f"  {view.error}" if view.error else "", "red"))


def _profile(profile: Mapping[str, Json]) -> Text:
    shown = {name: value for name, value in profile.items() if name not in SHOWN_ELSEWHERE and value is not None}
    return Text("  ".join(f"{name}={_short(value)}" for name, value in shown.items()))


def _rule(rule: RuleView) -> Text:
    if rule.fallback:
        conditions = Text("no conditions: the fallback", style="dim")
    else:
        conditions = Text(", ").join(_condition(condition) for condition in rule.conditions)
    return Text.assemble(_mark(holds=rule.matched), f" {rule.rule}  ", conditions)


def _condition(condition: ConditionView) -> Text:
    if condition.holds:
        return Text(f"{condition.condition} {_short(condition.expected)}", style="green")
    return Text.assemble(
        (f"{condition.condition} {_short(condition.expected)}", "red"), (f" (is {_short(condition.actual)})", "dim")
    )


def _mark(*, holds: bool) -> tuple[str, str]:
    return ("✓", "green") if holds else ("✗", "red")


def _short(value: Json) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    line = " ".join(text.split())
    return truncate(line, VALUE_WIDTH)
