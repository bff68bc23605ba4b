"""Model profiles: the differences between model families as data, overridden by the configuration.

Parameters that a provider refuses beyond these are learned from its errors (`parameter_fallback`).
"""

import re
from collections.abc import Sequence
from copy import replace
from typing import Final

from msgspec import Struct

from flexchat.config.models.llms import LlmConfig, ProfileConfig
from flexchat.errors import ModelError

LIMIT_PARAMETERS = ("max_tokens", "max_completion_tokens")
"""Names of the token limit, the most common first."""

ADJUSTABLE_PARAMETERS = frozenset(
    {
        *LIMIT_PARAMETERS,
        "temperature",
        "top_p",
        "stop",
        "tool_choice",
        "parallel_tool_calls",
        "stream",
        "stream_options",
    }
)
"""Optional parameters of a request. `tools` is not among them, since an answer without tools is a different answer."""

COMBINATIONS = frozenset({"forced_tool_choice", "temperature_with_top_p"})
"""Values that a model may refuse although it accepts their parameters: a required or named tool, and both together."""


class UnsupportedParameterError(ModelError):
    """A provider refused the optional `parameter` of a request."""

    parameter: str

    @classmethod
    def of(cls, error: ModelError, parameter: str) -> "UnsupportedParameterError":
        refused = cls(error.message, type=error.type, provider=error.provider, status=error.status)
        refused.parameter = parameter
        return refused


class ModelProfile(Struct, frozen=True):
    """Capabilities of a model family.

    `unsupported` parameters, in the canonical names of `ADJUSTABLE_PARAMETERS`, are left out of requests, and
    `COMBINATIONS` are avoided. A model without `tools` is offered none, one without `system_text` gets the system
    prompt at the head of the first user message, and with `text_tool_calls` tool calls are parsed from text (decision
    C46): adapters ignore these three.
    Without `parallel_tool_calls` the adapter requests one call a turn, where its API has an option for it.
    `context_window` is in tokens, `None` when unknown.
    """

    unsupported: frozenset[str] = frozenset()
    tools: bool = True
    parallel_tool_calls: bool = True
    system_text: bool = True
    text_tool_calls: bool = False
    reasoning: bool = False
    context_window: int | None = None

    @property
    def limit_parameter(self) -> str | None:
        """Name of the token limit in OpenAI's API; `None` for a model without one."""
        return next((name for name in LIMIT_PARAMETERS if name not in self.unsupported), None)

    def supports(self, parameter: str) -> bool:
        return parameter not in self.unsupported

    def without(self, parameter: str) -> "ModelProfile":
        """Return the profile without support of `parameter`."""
        return replace(self, unsupported=self.unsupported | {parameter})


type Families = Sequence[tuple[re.Pattern[str], ModelProfile]]
"""Profiles by name pattern; the first match decides. Lists only families that refuse or lack something."""


def model_profile(families: Families, model: str, config: LlmConfig) -> ModelProfile:
    """Return the profile of `model`: the built-in one of its family, overridden by the llm's `profiles`."""
    return configured_profile(built_in_profile(families, model), model, config)


def built_in_profile(families: Families, model: str) -> ModelProfile:
    """Return the profile of the first family that matches `model`, without a vendor's path or a fine-tuning prefix.

    Examples: `openai/gpt-5.1`, `ft:o4-mini:team::id`.
    """
    name = model.rsplit("/", 1)[-1].removeprefix("ft:")
    return next((profile for pattern, profile in families if pattern.search(name)), PLAIN)


def configured_profile(profile: ModelProfile, model: str, config: LlmConfig) -> ModelProfile:
    """Return `profile` overridden by the llm's own `profiles` that match `model`; the longest pattern comes last."""
    for override in config.profiles_of(model):
        profile = _overridden(profile, override)
    return profile


def _overridden(profile: ModelProfile, override: ProfileConfig) -> ModelProfile:
    flags = ("tools", "parallel_tool_calls", "system_text", "text_tool_calls", "reasoning", "context_window")
    changes = {name: value for name in flags if (value := getattr(override, name)) is not None}
    unsupported = profile.unsupported
    if override.temperature is not None:
        unsupported = unsupported - {"temperature"} if override.temperature else unsupported | {"temperature"}
    if override.limit_parameter is not None:
        unsupported = unsupported.union(LIMIT_PARAMETERS) - {override.limit_parameter}
    return replace(profile, unsupported=unsupported, **changes)


PLAIN: Final = ModelProfile()
NO_TOOLS: Final = ModelProfile(tools=False)
NO_TOOLS_NO_SYSTEM: Final = ModelProfile(tools=False, system_text=False)

CLAUDE: Final[Families] = (
    (re.compile(r"claude-(v?2|instant)"), NO_TOOLS),
    (
        # From Opus 4.7 on, a temperature and top_p are refused as deprecated.
        re.compile(r"claude-[a-z]+-(4[-.][7-9]|[5-9])(?!\d)"),
        ModelProfile(unsupported=frozenset({"temperature", "top_p"}), reasoning=True),
    ),
    (
        # "temperature and top_p cannot both be specified for this model" (its error message), from Opus 4.1 on.
        re.compile(r"claude-[a-z]+-4[-.][1-6](?!\d)"),
        ModelProfile(unsupported=frozenset({"temperature_with_top_p"}), reasoning=True),
    ),
    (re.compile(r"claude-(3[-.]7|[a-z]+-4)"), ModelProfile(reasoning=True)),
)
"""Claude models, which several providers serve."""
