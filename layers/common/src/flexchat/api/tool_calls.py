"""Calls of one tool by an operator."""

from typing import Annotated

from pydantic import Field

from flexchat.api.answer import ToolResultView
from flexchat.api.base import ApiModel, Optional
from flexchat.messages import Json
from flexchat.tool_inspection import Inspection


class ToolCallRequest(ApiModel):
    """A call of a configured tool, without a model."""

    tool: Annotated[str, Field(min_length=1, max_length=128)]
    arguments: Annotated[dict[str, Json], Field(default_factory=dict[str, Json])]


class ToolCallOutcome(ApiModel):
    """Result of a call. `arguments` are those that the tool received, with the defaults of its schema.

    `content` is the text that a model would receive as the result. `inspection` has the requests that the tool sent,
    if its type records them. `total_ms` includes the checks of the call and the reading of the configuration.
    """

    tool: str
    type: str
    arguments: dict[str, Json]
    result: ToolResultView
    content: str
    inspection: Optional[Inspection] = None
    request_id: str
    total_ms: int
