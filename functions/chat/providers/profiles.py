"""Profiles of models: what each supports, and the options of a request by them."""

from collections.abc import Mapping, Sequence
from copy import replace
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import Struct

from flexchat.config.models.base import ReasoningEffort
from flexchat.config.models.llms import LlmConfig, ProfileConfig
from flexchat.config.providers import ProviderType
from flexchat.egress.policy import EgressPolicy
from flexchat.errors import ConfigError, ModelError, Problem
from flexchat.messages import Json
from flexchat.model_families import EffortForm, families_of
from functions.chat.providers.base import ChatOptions, NamedTool, ToolChoice
from functions.chat.providers.wire_format import merged_patches

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
        "prompt_cache_key",
        "reasoning_effort",
        "response_format",
    }
)
"""Optional parameters of a request. `tools` is not among them, since an answer without tools is a different answer."""

COMBINATIONS = frozenset(
    {
        "forced_tool_choice",
        "named_tool_choice",
        "non_streaming",
        "reasoning_with_tools",
        "response_format_with_tools",
        "response_schema",
        "temperature_with_top_p",
    }
)
"""Requests that a model may refuse although it accepts their parameters: a required tool, a named one, an answer in one
piece, reasoning or the form of an answer while tools are offered, a certain schema, and a temperature with `top_p`."""

OF_ONE_REQUEST: Final = frozenset({"response_schema"})
"""Refusals that say nothing of later requests."""

CACHE_MARKS = frozenset({"prompt_cache", "cached_tools", "cached_system", "cached_messages", "cached_results"})
"""Marks for the prompt cache that a model may refuse: all of them, or those of one part, or of messages with results of
tools."""


REFUSED_HISTORY = frozenset({"long_call_ids", "messages_without_reasoning", "unsigned_calls"})
"""Forms of a history that a server may refuse: call ids other than nine letters and digits, messages of the assistant
without `reasoning_content`, and calls without a thought signature."""


class UnsupportedParameterError(ModelError):
    """A provider refused the optional `parameter` of a request."""

    parameter: str

    @classmethod
    def of(cls, error: ModelError, parameter: str) -> "UnsupportedParameterError":
        refused = cls(
            error.message,
            type=error.type,
            provider=error.provider,
            status=error.status,
            public_message=error.public_message,
        )
        refused.parameter = parameter
        return refused


class ModelProfile(Struct, frozen=True):
    """Capabilities of a model family.

    `unsupported` parameters, in the canonical names of `ADJUSTABLE_PARAMETERS`, are left out of requests, and
    `COMBINATIONS`, `CACHE_MARKS` and `REFUSED_HISTORY` are avoided. A model without `tools` is offered none, one
    without `system_text` gets the system prompt at the head of the first user message, and with `text_tool_calls` tool
    calls are parsed from text (decision C46): adapters ignore these three.
    Without `parallel_tool_calls` the adapter requests one call an iteration, where its API has an option for it.
    With `format_with_tools` the form of an answer may be sent beside tools: the model still calls them.
    `prompt_cache` is whether requests ask for the provider's prompt cache, `None` for the adapter's own rule.
    `context_window` is in tokens, `None` when unknown. `efforts` are the reasoning efforts that the model accepts,
    empty when unknown, `vision` is whether it reads pictures, `None` when unknown, `pdf` whether it reads PDF files,
    and `result_images` whether results of tools may contain pictures at a provider whose older models refuse them.
    `effort_form` is their form in a request, `None` for the adapter's own. `reasoning_effort`
    and `extra_body` are those of the configuration.
    """

    unsupported: frozenset[str] = frozenset()
    tools: bool = True
    parallel_tool_calls: bool = True
    system_text: bool = True
    text_tool_calls: bool = False
    reasoning: bool = False
    format_with_tools: bool = False
    prompt_cache: bool | None = None
    context_window: int | None = None
    efforts: tuple[ReasoningEffort, ...] = ()
    effort_form: EffortForm | None = None
    reasoning_effort: ReasoningEffort | None = None
    extra_body: Mapping[str, Json] = {}
    vision: bool | None = None
    pdf: bool = False
    result_images: bool = False

    @property
    def limit_parameter(self) -> str | None:
        """Name of the token limit in OpenAI's API; `None` for a model without one."""
        return next((name for name in LIMIT_PARAMETERS if name not in self.unsupported), None)

    def supports(self, parameter: str) -> bool:
        return parameter not in self.unsupported

    def without(self, parameter: str) -> "ModelProfile":
        """Return the profile without support of `parameter`."""
        return replace(self, unsupported=self.unsupported | {parameter})


def model_profile(provider: ProviderType, model: str, config: LlmConfig) -> ModelProfile:
    """Return the profile of `model`: the built-in one of its families, overridden by the llm's `profiles`."""
    profile = built_in_profile(provider, model)
    if provider == "openai" and not _is_openai(config):
        profile = replace(profile, pdf=False)
    return configured_profile(profile, model, config)


def _is_openai(config: LlmConfig) -> bool:
    """Return whether requests go to OpenAI or Azure: compatible servers know no files."""
    host = urlsplit(config.base_url or "").hostname or "api.openai.com"
    return f".{host}".endswith((".api.openai.com", ".openai.azure.com"))


_BUILT_IN: Final = (
    "tools",
    "system_text",
    "reasoning",
    "format_with_tools",
    "prompt_cache",
    "context_window",
    "efforts",
    "effort_form",
    "vision",
    "pdf",
    "result_images",
)
"""Fields of a profile that have the same name in a family."""


def built_in_profile(provider: ProviderType, model: str) -> ModelProfile:
    """Return the profile of all families that match `model`, the special ones last."""
    changes: dict[str, Any] = {}
    for family in families_of(provider, model):
        if family.unsupported is not None:
            changes["unsupported"] = frozenset(family.unsupported)
        changes.update({name: value for name in _BUILT_IN if (value := getattr(family, name)) is not None})
    return ModelProfile(**changes)


REFRESHED: Final = ("tools", "parallel_tool_calls", "reasoning", "context_window")
"""Fields of a profile that a price list has."""


def configured_profile(profile: ModelProfile, model: str, config: LlmConfig) -> ModelProfile:
    """Return `profile` overridden by a price list, then by the llm's own `profiles`; the longest pattern comes last."""
    profile = replace(profile, reasoning_effort=config.reasoning_effort, extra_body=config.extra_body)
    if (refreshed := config.refreshed_of(model)) is not None:
        profile = replace(
            profile, **{name: value for name in REFRESHED if (value := getattr(refreshed, name)) is not None}
        )
    for override in config.profiles_of(model):
        profile = _overridden(profile, override)
    return profile


def _overridden(profile: ModelProfile, override: ProfileConfig) -> ModelProfile:
    flags = (
        "tools",
        "parallel_tool_calls",
        "system_text",
        "text_tool_calls",
        "reasoning",
        "format_with_tools",
        "prompt_cache",
        "context_window",
        "reasoning_effort",
        "vision",
        "pdf",
    )
    changes = {name: value for name in flags if (value := getattr(override, name)) is not None}
    unsupported = profile.unsupported
    if override.temperature is not None:
        unsupported = unsupported - {"temperature"} if override.temperature else unsupported | {"temperature"}
    if override.limit_parameter is not None:
        unsupported = unsupported.union(LIMIT_PARAMETERS) - {override.limit_parameter}
    if override.short_call_ids is not None:
        ids = frozenset({"long_call_ids"})
        unsupported = unsupported | ids if override.short_call_ids else unsupported - ids
    unsupported = unsupported.union(override.unsupported).difference(override.supported)
    extra_body = merged_patches(profile.extra_body, override.extra_body)
    return replace(profile, unsupported=unsupported, extra_body=extra_body, **changes)


PLAIN: Final = ModelProfile()


def max_tokens(options: ChatOptions, config: LlmConfig) -> int | None:
    """Return the token limit of the rule, else of the llm, else None."""
    return config.max_tokens if options.max_tokens is None else options.max_tokens


def temperature(options: ChatOptions, config: LlmConfig) -> float | None:
    """Return the temperature of the rule, else of the llm, else None: the model has its own (decision C35)."""
    return config.temperature if options.temperature is None else options.temperature


def sampling(options: ChatOptions, config: LlmConfig, profile: ModelProfile) -> tuple[float | None, float | None]:
    """Return the temperature and `top_p` of a request, `None` for one that is left out.

    A model that accepts only one of them gets the one with an effect: `top_p`, unless it is 1 or the temperature is 0.
    """
    degree = temperature(options, config) if profile.supports("temperature") else None
    top_p = options.top_p if profile.supports("top_p") else None
    if degree is None or top_p is None or profile.supports("temperature_with_top_p"):
        return degree, top_p
    return (degree, None) if degree == 0 or top_p >= 1 else (None, top_p)


def tool_choice(options: ChatOptions, profile: ModelProfile) -> ToolChoice | None:
    """Return the tool choice of a request; `None` without tools or support for it."""
    if not options.tools or not profile.supports("tool_choice"):
        return None
    if options.forces_tools and not profile.supports("forced_tool_choice"):
        return "auto"
    if isinstance(options.tool_choice, NamedTool) and not profile.supports("named_tool_choice"):
        return "required"
    return options.tool_choice


_EFFORTS: Final[tuple[ReasoningEffort, ...]] = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
"""Reasoning efforts in ascending order."""


def reasoning_effort(options: ChatOptions, profile: ModelProfile) -> ReasoningEffort | None:
    """Return the reasoning effort of a request: the nearest one to that of the rule, else of the profile; else None.

    A model that reasons without tools alone gets "none" with tools.
    """
    if options.tools and not profile.supports("reasoning_with_tools"):
        return "none"
    wanted = options.reasoning_effort or profile.reasoning_effort
    if wanted is None or not profile.supports("reasoning_effort"):
        return None
    return _nearest_effort(wanted, profile.efforts)


def _nearest_effort(wanted: ReasoningEffort, accepted: Sequence[ReasoningEffort]) -> ReasoningEffort:
    """Return the highest effort up to `wanted` of those `accepted`, in ascending order, else the lowest level."""
    if wanted in accepted or not accepted:
        return wanted
    levels = [_EFFORTS.index(each) for each in accepted if each != "none"]
    return _EFFORTS[max((level for level in levels if level < _EFFORTS.index(wanted)), default=levels[0])]


def extra_body(options: ChatOptions, profile: ModelProfile) -> Mapping[str, Json]:
    """Return the fields that are merged into the body of a request."""
    return merged_patches(profile.extra_body, options.extra_body)


def offered_tools(options: ChatOptions, profile: ModelProfile) -> ChatOptions:
    """Return the options with the named tool alone, where the model accepts no other form of this choice."""
    choice = options.tool_choice
    if not isinstance(choice, NamedTool) or profile.supports("named_tool_choice"):
        return options
    named = [tool for tool in options.tools if _name_of(tool) == choice.name]
    return replace(options, tools=named) if named else options


def _name_of(tool: Mapping[str, Json]) -> Json:
    function = tool.get("function")
    return function.get("name") if isinstance(function, dict) else tool.get("name")


def check_endpoint(name: str, config: LlmConfig) -> None:
    """Check the address, the key and the headers of an endpoint.

    Raises ConfigError for one that no HTTP client could send; its text contains neither key nor header.
    """
    values = {"api_key": config.api_key or "", **{f"headers.{key}": value for key, value in config.headers.items()}}
    problems = [
        Problem(f"llms.{name}.{field}", "must be printable ASCII on one line")
        for field, value in values.items()
        if not (value.isascii() and value.isprintable())
    ]
    if config.base_url is not None and not _is_http_address(config.base_url):
        problems.append(Problem(f"llms.{name}.base_url", "must be an address such as 'https://host/v1'"))
    if problems:
        raise ConfigError(tuple(problems))


def check_address(name: str, url: str, egress: EgressPolicy) -> None:
    """Check the address of the llm `name` before any connection. Raises ConfigError for one that is not allowed."""
    problem = egress.address_problem(url)
    if problem is not None:
        raise ConfigError((Problem(f"llms.{name}.base_url", problem),))


def _is_http_address(address: str) -> bool:
    try:
        url = urlsplit(address)
        return url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        return False
