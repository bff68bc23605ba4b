"""The `llms` section: providers and the capabilities of their models."""

from fnmatch import fnmatchcase
from typing import Annotated, Any, Literal, Self, cast

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from flexchat.config.models.base import (
    AWS_REGION_PATTERN,
    ConfigModel,
    ExtraBody,
    Flag,
    Headers,
    Milliseconds,
    Price,
    ReasoningEffort,
    Temperature,
    allow_comment,
    without_comment,
)
from flexchat.config.providers import PROVIDER_ALIASES, PROVIDER_TYPES, PROVIDERS, ProviderType
from flexchat.messages import Json


def typed_entries(value: object) -> object:
    """Return the entries without their comment, each with a type: its own, or its name when that is a provider type."""
    entries = without_comment(value)
    if not isinstance(entries, dict):
        return value
    typed: dict[str, object] = {}
    for name, entry in cast("dict[str, object]", entries).items():
        named_for_type = name in PROVIDER_TYPES or name in PROVIDER_ALIASES
        if named_for_type and isinstance(entry, dict) and "type" not in entry:
            typed[name] = {"type": name, **cast("dict[str, object]", entry)}
        else:
            typed[name] = entry
    return typed


def _provider_type(value: object) -> object:
    return PROVIDER_ALIASES.get(value, value) if isinstance(value, str) else value


def _make_type_optional(schema: dict[str, Any]) -> None:
    schema.pop("required", None)


ProviderName = Annotated[
    ProviderType,
    BeforeValidator(_provider_type),
    WithJsonSchema({"enum": [*PROVIDER_TYPES, *PROVIDER_ALIASES], "type": "string"}),
]


RequestFeature = Literal[
    "temperature",
    "top_p",
    "temperature_with_top_p",
    "stop",
    "max_tokens",
    "max_completion_tokens",
    "tool_choice",
    "forced_tool_choice",
    "named_tool_choice",
    "parallel_tool_calls",
    "reasoning_effort",
    "reasoning_with_tools",
    "response_format",
    "response_format_with_tools",
    "stream",
    "stream_options",
    "non_streaming",
    "prompt_cache_key",
    "cached_tools",
    "cached_system",
    "cached_messages",
    "cached_results",
    "long_call_ids",
    "messages_without_reasoning",
    "unsigned_calls",
]
"""Parameters and forms of a request that a model may refuse."""


ContextWindow = Annotated[int, Field(ge=1, strict=True)]


class RefreshedProfile(ConfigModel):
    """Values that `flexchat models refresh` has read from the price list `source` on `date`, for one model.

    They override the built-in profile and are overridden by every other value of a profile.
    """

    source: str
    date: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    tools: Flag | None = None
    parallel_tool_calls: Flag | None = None
    reasoning: Flag | None = None
    context_window: ContextWindow | None = None
    input_price: Price | None = None
    output_price: Price | None = None
    cached_input_price: Price | None = None
    cache_write_price: Price | None = None


class ProfileConfig(ConfigModel):
    """Capabilities of models, which override the built-in profile; an omitted field keeps its built-in value.

    `tools`: the models call tools. `parallel_tool_calls`: several calls in one iteration are allowed.
    `text_tool_calls`: calls that a model writes as text are parsed (decision C46). `temperature` and `system_text`:
    the models accept a temperature and a system prompt. `limit_parameter`: name of the token limit in requests to
    OpenAI-compatible servers. `short_call_ids`: an OpenAI-compatible server accepts only ids of calls that have nine
    letters and digits. `format_with_tools`: the schema of a structured answer may be sent together with tools.
    letters and digits. `vision`: the models read pictures. `pdf`: they read PDF files, others get the text of the file.
    `prompt_cache`: requests use the provider's prompt cache. `context_window` is in tokens.
    `unsupported` and `supported`: what else the models refuse and accept in a request. `reasoning_effort` and
    `extra_body`: as those of the llm, for these models.
    Prices are US dollars per million tokens: of input and output, of input that the prompt cache has, and of input that
    is written to it. `refreshed` has the values of a price list.
    """

    tools: Flag | None = None
    parallel_tool_calls: Flag | None = None
    text_tool_calls: Flag | None = None
    temperature: Flag | None = None
    limit_parameter: Literal["max_tokens", "max_completion_tokens"] | None = None
    short_call_ids: Flag | None = None
    system_text: Flag | None = None
    reasoning: Flag | None = None
    format_with_tools: Flag | None = None
    prompt_cache: Flag | None = None
    vision: Flag | None = None
    pdf: Flag | None = None
    unsupported: tuple[RequestFeature, ...] = ()
    supported: tuple[RequestFeature, ...] = ()
    reasoning_effort: ReasoningEffort | None = None
    extra_body: ExtraBody = Field(default_factory=dict[str, Json])
    context_window: ContextWindow | None = None
    input_price: Price | None = None
    output_price: Price | None = None
    cached_input_price: Price | None = None
    cache_write_price: Price | None = None
    refreshed: RefreshedProfile | None = None

    @model_validator(mode="after")
    def _is_unambiguous(self) -> Self:
        """Refuse a name that is in both lists."""
        for name in self.unsupported:
            if name in self.supported:
                raise ValueError(f"{name!r} must be in only one of `unsupported` and `supported`")
        return self


class LlmConfig(ConfigModel):
    """One entry of `llms`: address, credentials and models of a provider.

    `type` may be omitted when the entry's name is a provider type. `region` is that of Bedrock, by default the
    function's. `api_key` and `headers` may refer to secrets as `${NAME}`. `timeout_ms` limits one HTTP attempt,
    `max_retries` is the number of further attempts. `profiles` are keyed by patterns of model names, such as `*` or
    `qwen3*`. `fallbacks` apply to rules without fallbacks of their own. `prompt_cache` is false for requests
    that do not use the provider's prompt cache. `demo`: the demo model answers at `base_url`, and its answers and
    scores are marked as such. `reasoning_effort` is that of rules and profiles without one. `extra_body` is merged into
    the body of each request, then that of the profiles and of the rule.
    """

    model_config = ConfigDict(json_schema_extra=_make_type_optional)

    type: ProviderName
    base_url: str | None = None
    region: Annotated[str, Field(pattern=AWS_REGION_PATTERN)] | None = None
    api_key: Annotated[str | None, Field(repr=False)] = None
    headers: Headers = Field(default_factory=dict[str, str])
    models: tuple[str, ...] = ()
    temperature: Temperature | None = None
    max_tokens: Annotated[int, Field(ge=1, strict=True)] | None = None
    reasoning_effort: ReasoningEffort | None = None
    extra_body: ExtraBody = Field(default_factory=dict[str, Json])
    timeout_ms: Milliseconds = 60_000
    max_retries: Annotated[int, Field(ge=0, le=5, strict=True)] = 2
    profiles: Annotated[
        dict[str, ProfileConfig], BeforeValidator(without_comment), Field(json_schema_extra=allow_comment)
    ] = Field(default_factory=dict[str, ProfileConfig])
    fallbacks: tuple[str, ...] = ()
    prompt_cache: Flag = True
    demo: Flag = False

    @field_validator("base_url")
    @classmethod
    def _ends_before_request_paths(cls, base_url: str | None, info: ValidationInfo) -> str | None:
        """Refuse the address of a whole request, to which the service would add the path of its own."""
        address, mark, query = (base_url or "").partition("?")
        path = address.rstrip("/")
        provider: ProviderType | None = info.data.get("type")
        for added in PROVIDERS[provider].request_paths if provider else ():
            if path.endswith(added):
                right = f"{path.removesuffix(added)}{mark}{query}"
                raise ValueError(f"must end before {added!r}, which the service adds: {right!r}")
        return base_url

    def profiles_of(self, model: str) -> tuple[ProfileConfig, ...]:
        """Return the profiles whose pattern matches `model`, the longest pattern last: it takes precedence."""
        patterns = sorted(self.profiles, key=lambda pattern: (len(pattern), pattern))
        return tuple(self.profiles[pattern] for pattern in patterns if fnmatchcase(model, pattern))

    def refreshed_of(self, model: str) -> RefreshedProfile | None:
        """Return the values of a price list for `model`, those of the longest pattern."""
        found = (profile.refreshed for profile in reversed(self.profiles_of(model)))
        return next((refreshed for refreshed in found if refreshed is not None), None)
