"""API models of requests that test one phase."""

from typing import Annotated

from pydantic import Field, field_validator

from flexchat.api.base import ApiModel
from flexchat.api.request import MAX_HISTORY_MESSAGES, MAX_MESSAGE_CHARACTERS, ClientMessage

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
