"""What differs between model families, as data: by the llm's type and the model's name, then by configuration.

What a provider refuses beyond this is learnt from its refusal, for the life of the environment.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from flexchat.config.models.llms import LlmConfig, ProfileConfig
from flexchat.config.providers import ProviderType
from flexchat.errors import ModelError

LIMIT_PARAMETERS = ("max_tokens", "max_completion_tokens")
"""The names a token limit has, best known first."""

ADJUSTABLE_PARAMETERS = frozenset({*LIMIT_PARAMETERS, "temperature", "tool_choice", "parallel_tool_calls"})
"""Parameters a request can do without. `tools` is not among them: an answer without the tools is another answer."""


class UnsupportedParameterError(ModelError):
    """The provider refused `parameter`, and the request can do without it."""

    parameter: str

    @classmethod
    def of(cls, error: ModelError, parameter: str) -> "UnsupportedParameterError":
        refused = cls(error.message, type=error.type, provider=error.provider, status=error.status)
        refused.parameter = parameter
        return refused


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """What a model family can do.

    `unsupported` are parameters it does not take, in the canonical names of `ADJUSTABLE_PARAMETERS`; the request is
    written without them. A model without `tools` is asked without any, one without `system_text` gets the system prompt
    at the head of the first user message, and with `text_tool_calls` calls are read that a model wrote as text
    (decision C46): no adapter has to look at these three. Without `parallel_tool_calls` the adapter asks for one call a
    turn, where its wire has a word for it. `context_window` is in tokens, `None` when not known.
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
        """The name its token limit goes by on OpenAI's wire, or `None` when it takes none."""
        return next((name for name in LIMIT_PARAMETERS if name not in self.unsupported), None)

    def takes(self, parameter: str) -> bool:
        return parameter not in self.unsupported

    def without(self, parameter: str) -> "ModelProfile":
        """This profile after the provider refused `parameter`."""
        return replace(self, unsupported=self.unsupported | {parameter})


def profile_for(type: ProviderType, model: str, config: LlmConfig) -> ModelProfile:
    """The profile of `model` at a provider of `type`.

    Every one of the llm's own `profiles` whose pattern fits the name has its say after the built-in one; of two that
    disagree, the longer pattern wins.
    """
    return configured_profile(built_in_profile(type, model), model, config)


def configured_profile(profile: ModelProfile, model: str, config: LlmConfig) -> ModelProfile:
    """`profile` with what the llm's own `profiles` say of `model`."""
    for own in config.profiles_of(model):
        profile = _overridden(profile, own)
    return profile


def _overridden(profile: ModelProfile, own: ProfileConfig) -> ModelProfile:
    flags = ("tools", "parallel_tool_calls", "system_text", "text_tool_calls", "reasoning", "context_window")
    given = {name: value for name in flags if (value := getattr(own, name)) is not None}
    unsupported = profile.unsupported
    if own.temperature is not None:
        unsupported = unsupported - {"temperature"} if own.temperature else unsupported | {"temperature"}
    if own.limit_parameter is not None:
        unsupported = unsupported.union(LIMIT_PARAMETERS) - {own.limit_parameter}
    return replace(profile, unsupported=unsupported, **given)


type _Families = Sequence[tuple[re.Pattern[str], ModelProfile]]
"""The first family whose pattern is found in the model's name decides."""

_PLAIN: Final = ModelProfile()
_NO_TOOLS: Final = ModelProfile(tools=False)
_NO_TOOLS_NO_SYSTEM: Final = ModelProfile(tools=False, system_text=False)
_NO_TEMPERATURE: Final = ModelProfile(unsupported=frozenset({"temperature"}), reasoning=True)
_REASONING: Final = ModelProfile(unsupported=frozenset({"max_tokens", "temperature"}), reasoning=True)

_CLAUDE: _Families = (
    (re.compile(r"claude-(v?2|instant)"), _NO_TOOLS),
    (re.compile(r"claude-[a-z]+-(4[-.][7-9]|[5-9])(?!\d)"), _NO_TEMPERATURE),
    (re.compile(r"claude-(3[-.]7|[a-z]+-4)"), ModelProfile(reasoning=True)),
)
"""From Opus 4.7 on, a temperature is refused as deprecated."""

_FAMILIES: Mapping[ProviderType, _Families] = {
    "openai": (
        (re.compile(r"^gpt-5-chat\b"), _PLAIN),
        (re.compile(r"^o1-(mini|preview)(?!\w)"), replace(_REASONING, tools=False, system_text=False)),
        (re.compile(r"^(o[134]|gpt-[5-9])(?!\w)"), _REASONING),
        *_CLAUDE,
    ),
    "ollama": (
        (
            re.compile(
                r"^(gemma[23]?|gemma3n|codegemma|llama2|codellama|tinyllama|llava|phi|phi3(\.5)?|phi4)(?![\w.-])"
            ),
            _NO_TOOLS,
        ),
        (re.compile(r"^(gpt-oss|deepseek-r1|qwq|magistral|qwen3)(?!-coder|-embed|\d)"), ModelProfile(reasoning=True)),
    ),
    "gemini": (
        (re.compile(r"^gemma-3"), _NO_TOOLS_NO_SYSTEM),
        (re.compile(r"^gemini-(2\.5|[3-9])"), ModelProfile(reasoning=True)),
    ),
    "anthropic": _CLAUDE,
    "bedrock": (
        *_CLAUDE,
        (
            re.compile(r"amazon\.titan|cohere\.command-(light-)?text|ai21\.j2|mistral\.mi[sx]tral-\d"),
            _NO_TOOLS_NO_SYSTEM,
        ),
        (re.compile(r"meta\.llama(2|3-\d+b|3-2-[13]b)|ai21\.jamba-instruct|deepseek\.r1"), _NO_TOOLS),
    ),
}
"""Only what is refused or missing: a model that no family names is asked for everything."""


def built_in_profile(type: ProviderType, model: str) -> ModelProfile:
    """By the name without a vendor's path or the mark of fine-tuning: `openai/gpt-5.1`, `ft:o4-mini:team::id`."""
    name = model.rsplit("/", 1)[-1].removeprefix("ft:")
    return next((profile for pattern, profile in _FAMILIES[type] if pattern.search(name)), _PLAIN)
