"""Why a message was answered the way it was: what each phase decided, for whoever configures the service."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from flexchat.api.base import ApiModel, Optional
from flexchat.api.request import MAX_HISTORY_MESSAGES, MAX_MESSAGE_CHARACTERS, ClientMessage
from flexchat.messages import Json

TopicStatus = Literal["continuation", "new_topic"]

IntentSource = Literal["rag_match", "model", "nearest_partial", "none"]
"""How an intent was found: the collection that matched, the model's choice, the nearest of the partly matching
collections when the model chose "other", or not at all."""


class TopicView(ApiModel):
    """What phase 1 says. `answer` is the model's own text; `error` says why the message itself became the topic."""

    topic_status: TopicStatus
    topic_summary: str
    model: Optional[str] = None
    answer: Optional[str] = None
    error: Optional[str] = None
    duration_ms: int


class IntentView(ApiModel):
    """What phase 3 says. `candidates` are what the model chose from, `answer` is its own text."""

    intent: str | None
    source: IntentSource
    candidates: tuple[str, ...] = ()
    model: Optional[str] = None
    answer: Optional[str] = None
    error: Optional[str] = None
    duration_ms: int


class ConditionView(ApiModel):
    """One condition of a rule: what it wanted, what the profile has, and whether it held."""

    condition: str
    expected: Json
    actual: Json
    holds: bool


class RuleView(ApiModel):
    """A rule that was tried, in order. A fallback has no conditions and answers when no other rule does."""

    rule: str
    matched: bool
    fallback: bool
    conditions: tuple[ConditionView, ...] = ()


class OfferedToolView(ApiModel):
    """A configured tool: whether the model was offered it, and why or why not."""

    tool: str
    offered: bool
    reason: str


class ExplainView(ApiModel):
    """Everything that was decided before the model was asked, in the order of the phases."""

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
    """A message to try a phase with; `prompt`, `llm` and `model` are tried in the place of the configured ones."""

    message: Annotated[str, Field(max_length=MAX_MESSAGE_CHARACTERS, examples=["How long does a refund take?"])]
    topic: Annotated[str, Field(max_length=2_000)] | None = None
    prompt: PhasePrompt | None = None
    llm: EntryName | None = None
    model: EntryName | None = None

    @field_validator("message")
    @classmethod
    def _is_not_blank(cls, message: str) -> str:
        if not message.strip():
            raise ValueError("message must contain more than white space")
        return message


class TopicTrial(PhaseTrial):
    """What phase 1 is asked: a message, what was said before it, and what that was about."""

    history: Annotated[tuple[ClientMessage, ...], Field(max_length=MAX_HISTORY_MESSAGES)] = ()


class IntentTrial(PhaseTrial):
    """What phase 3 is asked: a message, its topic, and the collections that are searched for it first. With a topic,
    that is what they are searched for, as after the first turn of a chat."""

    selected_collections: Annotated[tuple[Annotated[str, Field(max_length=256)], ...], Field(max_length=50)] = ()
    intents: Annotated[dict[EntryName, Annotated[str, Field(max_length=2_000)]], Field(max_length=200)] | None = None
