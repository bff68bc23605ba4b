"""The `responses` section: response rules."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from flexchat.config.models.base import (
    ConfigModel,
    ExtraBody,
    Flag,
    ReasoningEffort,
    Temperature,
    without_comment,
)
from flexchat.config.models.guardrails import RuleGuardrails
from flexchat.config.models.tools import ResponseToolsConfig
from flexchat.messages import Json


class ResponseRule(ConfigModel):
    """One response rule. A rule with an empty or no `match` is the fallback rule.

    `fallbacks` are models that answer, in order, while the rule's model is overloaded or unreachable; by default those
    of its llm. With `require_validated` only validated models among all of these answer, in the same order.
    `reasoning_effort` is that of all these models, `extra_body` is sent to the models of the rule's llm.
    `response_schema` is the JSON Schema of the answer, a JSON object. `guardrails` check the message and the answer.
    """

    name: str | None = None
    match: Annotated[dict[str, Json], BeforeValidator(without_comment)] = Field(default_factory=dict[str, Json])
    llm: str
    model: str
    prompt: str
    max_tokens: Annotated[int, Field(ge=1, strict=True)] | None = None
    temperature: Temperature | None = None
    reasoning_effort: ReasoningEffort | None = None
    extra_body: ExtraBody = Field(default_factory=dict[str, Json])
    response_schema: dict[str, Json] | None = None
    tools: ResponseToolsConfig | None = None
    fallbacks: tuple[str, ...] | None = None
    require_validated: Flag = False
    guardrails: RuleGuardrails | None = None

    @property
    def is_fallback(self) -> bool:
        return not self.match
