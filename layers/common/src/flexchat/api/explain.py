"""Explanation of an answer: the decisions of each phase."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from flexchat.api.base import ApiModel, Optional
from flexchat.api.request import MAX_HISTORY_MESSAGES, MAX_MESSAGE_CHARACTERS, ClientMessage
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


PhasePrompt = Annotated[str, Field(min_length=1, max_length=MAX_MESSAGE_CHARACTERS)]
EntryName = Annotated[str, Field(min_length=1, max_length=256)]


class PhaseTrial(ApiModel):
    """A message for a test of a phase; `prompt`, `llm` and `model` replace the configured ones."""

    message: Annotated[str, Field(max_length=MAX_MESSAGE_CHARACTERS, examples=["How long does a refund take?"])]
    topic: Annotated[str, Field(max_length=2_000)] | None = None
    prompt: PhasePrompt | None = None
    llm: EntryName | None = None
    model: EntryName | None = None

    @field_validator("message")
    @classmethod
    def _is_not_blank(cls, message: str) -> str:
        if not message.strip():
            raise ValueError("must contain more than white space")
        return message


class TopicTrial(PhaseTrial):
    """Test of phase 1: a message, its history and the current topic."""

    history: Annotated[tuple[ClientMessage, ...], Field(max_length=MAX_HISTORY_MESSAGES)] = ()


class IntentTrial(PhaseTrial):
    """Test of phase 3: a message, its topic, and the collections to search first. The query of the search is the topic,
    if there is one, as after the first turn of a chat."""

    selected_collections: Annotated[tuple[Annotated[str, Field(max_length=256)], ...], Field(max_length=50)] = ()
    intents: Annotated[dict[EntryName, Annotated[str, Field(max_length=2_000)]], Field(max_length=200)] | None = None
