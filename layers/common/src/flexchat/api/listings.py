"""Lists of tools and models."""

from typing import Literal

from flexchat.api.base import ApiModel, Optional
from flexchat.api.rates import BadgeView, ModelState, RateView
from flexchat.config.providers import ProviderType
from flexchat.messages import Json


class ToolView(ApiModel):
    """A registered tool. `implementation` has its type only; the rest is visible to operators."""

    name: str
    description: str
    type: Literal["function"] = "function"
    handler: Optional[str] = None
    parameters: dict[str, Json]
    implementation: dict[str, Json]


class DisabledView(ApiModel):
    """A configured entry that is disabled, with the reasons."""

    kind: Literal["tool", "rule", "llm", "service", "mcp_server", "guardrail"]
    name: str
    problems: tuple[str, ...]


class ValidationView(ApiModel):
    """Validation of a model with tools.

    `last_tested` is ISO 8601 in UTC. Only a model that calls tools has a `badge`.
    """

    model_id: str
    tested: bool
    validated: bool
    state: ModelState = "untested"
    rate: Optional[RateView] = None
    last_tested: Optional[str] = None
    badge: Optional[BadgeView] = None


Capability = Literal["chat", "function-calling", "reasoning", "vision"]


ProfileOrigin = Literal["built_in", "provider", "refreshed", "configured"]
"""Source of a value of a profile: the built-in profiles, the provider's list of models, a price list, the operator."""


class ProfileValueView(ApiModel):
    """One value of a model's profile and its source. Of `extra_body` only the names of its fields are shown."""

    name: str
    value: Json
    origin: ProfileOrigin


class ModelView(ApiModel):
    """A model that chats may use (decision C32).

    `id` is `llm:model`, `llm` the name of the entry, `provider` its type. `configured` models are named in the
    configuration, others only in the provider's list. `context_window` is in tokens. `demo` is true for the demo model,
    whose scores are no measure of a real one, `operator_only` for a model that only an operator may test. `profile` has
    the values that are known of a model; prices are US dollars per million tokens.
    """

    id: str
    name: str
    llm: str
    provider: ProviderType
    type: Literal["chat"] = "chat"
    capabilities: tuple[Capability, ...]
    configured: bool
    context_window: Optional[int] = None
    demo: Optional[bool] = None
    operator_only: Optional[bool] = None
    profile: tuple[ProfileValueView, ...] = ()
    validation: ValidationView


class LlmErrorView(ApiModel):
    """Error of an llm's model list; its configured models are listed nevertheless.

    An entry with the `llm` `validation` is the reason for showing models as untested.
    """

    llm: str
    error: str


class ModelList(ApiModel):
    models: tuple[ModelView, ...]
    errors: tuple[LlmErrorView, ...] = ()


class ToolList(ApiModel):
    tools: tuple[ToolView, ...]
    disabled: tuple[DisabledView, ...] = ()
