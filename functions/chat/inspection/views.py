"""API models of the live configuration, its problems, and the dry run of rules."""

from datetime import datetime

from flexchat.api.answer import FallbackView
from flexchat.api.base import ApiModel, Optional
from flexchat.api.explain import OfferedToolView, RuleView
from flexchat.api.listings import DisabledView
from flexchat.config.providers import ProviderType
from flexchat.config.service_types import RagServiceType
from flexchat.messages import Json


class ToolSettingsView(ApiModel):
    """Settings of all tools; times are milliseconds."""

    enabled: bool
    max_iterations: int
    max_calls_per_turn: int
    max_tool_calls: int
    default_timeout_ms: int
    max_parallel: int
    disabled_types: tuple[str, ...]


class ConfiguredToolView(ApiModel):
    """A tool. `problems` are the reasons why it is not offered; an invalid one has only `problems`."""

    name: str
    type: Optional[str] = None
    enabled: Optional[bool] = None
    timeout_ms: Optional[int] = None
    idempotent: Optional[bool] = None
    repeatable: Optional[bool] = None
    sequential: Optional[bool] = None
    per_principal: Optional[bool] = None
    problems: tuple[str, ...] = ()


class ConfiguredRuleView(ApiModel):
    """A response rule with its conditions, models and tools.

    `match` is as configured, empty for a fallback. `fallbacks` are those of its llm where it has none of its own.
    `allowed_tools` is null for every tool and empty for none; `max_iterations`, `max_calls_per_turn` and
    `max_tool_calls` are present when it has tools. An invalid one has only `problems`.
    """

    name: str
    match: Optional[dict[str, Json]] = None
    fallback: Optional[bool] = None
    llm: Optional[str] = None
    model: Optional[str] = None
    fallbacks: tuple[str, ...] = ()
    require_validated: Optional[bool] = None
    allowed_tools: tuple[str, ...] | None = ()
    max_iterations: Optional[int] = None
    max_calls_per_turn: Optional[int] = None
    max_tool_calls: Optional[int] = None
    problems: tuple[str, ...] = ()


class ConfiguredLlmView(ApiModel):
    """An llm. `host` is its address without path and credentials; `has_key` is true for an entry with a key; `demo` is
    true where the demo model answers."""

    name: str
    type: Optional[ProviderType] = None
    host: Optional[str] = None
    region: Optional[str] = None
    has_key: Optional[bool] = None
    demo: Optional[bool] = None
    models: tuple[str, ...] = ()
    fallbacks: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


class ConfiguredServiceView(ApiModel):
    """A search service. Thresholds are distances, smaller is nearer. Without `collections`, an `internal` one has all
    stored collections."""

    name: str
    type: Optional[RagServiceType] = None
    host: Optional[str] = None
    region: Optional[str] = None
    collections: tuple[str, ...] = ()
    match_threshold: Optional[float] = None
    partial_threshold: Optional[float] = None
    max_distance: Optional[float] = None
    top_k: Optional[int] = None
    problems: tuple[str, ...] = ()


class ConfiguredPhaseView(ApiModel):
    """A phase with a model call. `model` is `llm:model`; `intents` are the names of the configured intents."""

    enabled: bool
    model: Optional[str] = None
    intents: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


class PhasesView(ApiModel):
    """Configured phases."""

    topic: Optional[ConfiguredPhaseView] = None
    intent: Optional[ConfiguredPhaseView] = None


class SessionSettingsView(ApiModel):
    """Retention of a session after its last message in days, and the maximum tokens of its history for a model."""

    ttl_days: int
    max_history_tokens: int


class OpenAiApiView(ApiModel):
    """Rules and models that the OpenAI-compatible API offers beside `flexchat`, and its model of embeddings."""

    rules: tuple[str, ...]
    models: tuple[str, ...]
    embedding_model: Optional[str] = None


class ChoiceSettingsView(ApiModel):
    """Rules and models that callers with one of `roles` may choose for a message."""

    roles: tuple[str, ...]
    rules: tuple[str, ...]
    models: tuple[str, ...]


class LimitsView(ApiModel):
    """Limits of one caller or session; a missing one does not apply, or is that of a wider entry."""

    requests_per_minute: Optional[int] = None
    requests_per_day: Optional[int] = None
    requests_per_month: Optional[int] = None
    tool_calls_per_minute: Optional[int] = None
    tool_calls_per_day: Optional[int] = None
    tool_calls_per_month: Optional[int] = None
    tokens_per_minute: Optional[int] = None
    tokens_per_day: Optional[int] = None
    tokens_per_month: Optional[int] = None
    usd_per_minute: Optional[float] = None
    usd_per_day: Optional[float] = None
    usd_per_month: Optional[float] = None


class LimitSettingsView(ApiModel):
    """Limits of every caller, of roles, of single tokens by their ids, of all callers with a role, and of every
    session."""

    caller: LimitsView
    roles: dict[str, LimitsView]
    principals: dict[str, LimitsView]
    role_totals: dict[str, LimitsView]
    session: LimitsView
    reserved_tokens: int
    reserved_usd: float


class ScheduleBudgetView(ApiModel):
    """Budget of a scheduled run in chats, tokens and US dollars; the first one reached stops it."""

    calls: Optional[int] = None
    tokens: Optional[int] = None
    usd: Optional[float] = None


class ValidationSettingsView(ApiModel):
    """Settings of scheduled validation."""

    models: tuple[str, ...]
    suite: str
    repeats: int
    stop_early: bool
    budget: ScheduleBudgetView
    problems: tuple[str, ...] = ()


class ConfigurationView(ApiModel):
    """Live configuration without prompts, keys and headers.

    `version` changes with every change of the configuration; `changed_at` and `revision` are the date and the number of
    that change, `read_at` is the time of the last read by this function, which reads again after its TTL. Valid entries
    are in the order of the file, followed by invalid ones with their `problems`; `disabled` contains all invalid ones,
    as the list of tools does. `caller_fields` are the fields of a request's profile that rules may match.
    """

    stage: str
    version: str
    revision: Optional[int] = None
    changed_at: Optional[datetime] = None
    read_at: Optional[datetime] = None
    tool_settings: ToolSettingsView
    tools: tuple[ConfiguredToolView, ...]
    rules: tuple[ConfiguredRuleView, ...]
    llms: tuple[ConfiguredLlmView, ...]
    services: tuple[ConfiguredServiceView, ...]
    phases: PhasesView
    caller_fields: tuple[str, ...]
    sessions: SessionSettingsView
    limits: LimitSettingsView
    validation: ValidationSettingsView
    openai_api: OpenAiApiView
    choices: ChoiceSettingsView
    disabled: tuple[DisabledView, ...]


class RuleMatch(ApiModel):
    """A profile for the dry run of rules, such as `{"intent": "weather"}`. Missing fields are those of a chat without
    search results."""

    profile: dict[str, Json]


class RuleMatchView(ApiModel):
    """Rule, model and tools for a profile.

    `rules` are the tried ones, down to the matching one. `fallback` is present when another model than the rule's own
    would answer. `problem` is the error of a chat where no rule matches or no model may answer.
    """

    rule: Optional[str] = None
    llm: Optional[str] = None
    model: Optional[str] = None
    fallback: Optional[FallbackView] = None
    problem: Optional[str] = None
    rules: tuple[RuleView, ...]
    tools: tuple[OfferedToolView, ...] = ()
