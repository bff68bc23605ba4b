"""Thinking of Claude models in requests to Anthropic and Bedrock, by the reasoning effort."""

from collections.abc import Mapping
from copy import replace
from typing import Final

from flexchat.config.models.base import ReasoningEffort
from flexchat.messages import Json
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.profiles import ModelProfile, reasoning_effort

DEFAULT_MAX_TOKENS_WITH_REASONING: Final = 16_384
"""Token limit of a request without one to a model that reasons."""

MIN_BUDGET: Final = 1_024
"""Smallest budget of thinking that the API accepts."""

_BUDGET_SHARES: Final[Mapping[ReasoningEffort, float]] = {"low": 0.2, "medium": 0.5, "high": 0.8}
"""Shares of the token limit that are for thinking, by effort, in models with a budget.

https://openrouter.ai/docs/guides/best-practices/reasoning-tokens
"""


def claude_thinking(options: ChatOptions, profile: ModelProfile, limit: int) -> dict[str, Json]:
    """Return the fields of a request for its reasoning effort, whose answer has at most `limit` tokens.

    Models up to Claude 4.5 have a budget of thinking, later ones an effort and decide by themselves
    (https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking). The API refuses thinking together with a
    forced tool call, which then takes precedence, and a budget that leaves no tokens for an answer.
    """
    effort = reasoning_effort(options, profile)
    if effort is None:
        return {}
    if effort == "none":
        return {"thinking": {"type": "disabled"}}
    forces = options.forces_tools and profile.supports("tool_choice") and profile.supports("forced_tool_choice")
    if profile.effort_form == "budget":
        budget = max(MIN_BUDGET, int(limit * _BUDGET_SHARES[effort]))
        return {} if forces or budget >= limit else {"thinking": {"type": "enabled", "budget_tokens": budget}}
    thinking: dict[str, Json] = {} if forces else {"thinking": {"type": "adaptive"}}
    return {**thinking, "output_config": {"effort": effort}}


def with_thinking(profile: ModelProfile, fields: Mapping[str, Json]) -> ModelProfile:
    """Return the profile of a request with the `fields` of thinking, with which the API refuses a temperature.

    https://platform.claude.com/docs/en/build-with-claude/extended-thinking
    """
    match fields.get("thinking"):
        case {"type": "enabled" | "adaptive"}:
            return replace(profile, unsupported=profile.unsupported | {"temperature", "top_p"})
        case _:
            return profile
