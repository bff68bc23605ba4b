"""Trials: single chats with given models and tools."""

from typing import Annotated

from pydantic import ConfigDict, Field

from flexchat.api.answer import ChatResponse
from flexchat.api.base import ApiModel, Optional
from flexchat.api.errors import ErrorResponse
from flexchat.api.request import MAX_DEADLINE_MS, MAX_MESSAGE_CHARACTERS, MIN_DEADLINE_MS, HistoryMessage
from flexchat.config.models.base import MAX_ITERATIONS_CAP
from flexchat.config.models.tools import ToolDefinition


class TrialRequest(ApiModel):
    """One chat with `model` (`llm:model`), outside of all rules and sessions.

    `tools` are its own, which must be of type `mock`; left out, those of the configuration. So is `max_iterations`.
    `deadline_ms` is in milliseconds.
    """

    model: Annotated[str, Field(min_length=1, max_length=512)]
    message: Annotated[str, Field(min_length=1, max_length=MAX_MESSAGE_CHARACTERS)]
    history: tuple[HistoryMessage, ...] = ()
    prompt: Annotated[str, Field(max_length=MAX_MESSAGE_CHARACTERS)]
    tools: tuple[ToolDefinition, ...] | None = None
    max_tokens: Annotated[int, Field(ge=1)] = 500
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_iterations: Annotated[int, Field(ge=1, le=MAX_ITERATIONS_CAP)] | None = None
    deadline_ms: Annotated[int, Field(ge=MIN_DEADLINE_MS, le=MAX_DEADLINE_MS)] | None = None


class TrialEvent(ApiModel):
    """Event of the chat function for a trial."""

    trial: TrialRequest


class TrialOutcome(ApiModel):
    """Result of a trial: the answer or the error."""

    answer: Optional[ChatResponse] = None
    error: Optional[ErrorResponse] = None


class ToolTest(ApiModel):
    """A query for a test of a model with the configured tools.

    `query` and `model` are required; a test without them is refused. The test is recorded
    apart from the model's validation, unless an operator has it `count`.
    """

    model_config = ConfigDict(json_schema_extra={"required": ["query", "model"]})

    query: Annotated[str, Field(max_length=MAX_MESSAGE_CHARACTERS)] | None = None
    model: Annotated[str, Field(max_length=512)] | None = None
    count: bool = False
