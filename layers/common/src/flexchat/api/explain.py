"""Explanation of an answer: the decisions of each phase."""

from typing import Literal

from flexchat.api.base import ApiModel, Optional
from flexchat.messages import Json

TopicStatus = Literal["continuation", "new_topic"]

IntentSource = Literal["rag_match", "model", "nearest_partial", "none"]
"""Source of an intent: the collection that matched, the model's choice, the nearest of the partly matching collections
if the model chose "other", or none."""


class TopicView(ApiModel):
    """Result of phase 1. `answer` is the text of the model; `error` is the reason why the message became the topic."""

    topic_status: TopicStatus
    topic_summary: str
    model: Optional[str] = None
    answer: Optional[str] = None
    error: Optional[str] = None
    duration_ms: int


class IntentView(ApiModel):
    """Result of phase 3. `candidates` are the model's choices, `answer` is its text."""

    intent: str | None
    source: IntentSource
    candidates: tuple[str, ...] = ()
    model: Optional[str] = None
    answer: Optional[str] = None
    error: Optional[str] = None
    duration_ms: int


class ConditionView(ApiModel):
    """One condition of a rule: the expected value, the profile's value, and the result."""

    condition: str
    expected: Json
    actual: Json
    holds: bool


class RuleView(ApiModel):
    """A rule that was evaluated, in order. A fallback has no conditions and applies if no other rule does."""

    rule: str
    matched: bool
    fallback: bool
    conditions: tuple[ConditionView, ...] = ()


class OfferedToolView(ApiModel):
    """A configured tool, offered to the model or not, with the reason."""

    tool: str
    offered: bool
    reason: str


class ExplainView(ApiModel):
    """Decisions before the first model call, in the order of the phases."""

    topic: Optional[TopicView] = None
    intent: Optional[IntentView] = None
    profile: dict[str, Json]
    rules: tuple[RuleView, ...]
    tools: tuple[OfferedToolView, ...]
    system_prompt: str
    history_messages: int
