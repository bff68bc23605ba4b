"""The live configuration as an operator sees it: what there is, what is wrong with it, and which rule would answer."""

from datetime import datetime

from flexchat.api.answer import FallbackView
from flexchat.api.base import ApiModel, Optional
from flexchat.api.explain import OfferedToolView, RuleView
from flexchat.api.listings import DisabledView
from flexchat.config.providers import ProviderType
from flexchat.config.service_types import RagServiceType
from flexchat.messages import Json
from flexchat.tokens import Role


class ToolSettingsView(ApiModel):
    """What holds for all tools; times are milliseconds."""

    enabled: bool
    max_iterations: int
    max_calls_per_turn: int
    max_tool_calls: int
    default_timeout_ms: int
    max_parallel: int
    disabled_types: tuple[str, ...]


class ConfiguredToolView(ApiModel):
    """A tool. `problems` say why no model is offered it; of one that cannot be read, they are all there is."""

    name: str
    type: Optional[str] = None
    enabled: Optional[bool] = None
    timeout_ms: Optional[int] = None
    idempotent: Optional[bool] = None
    repeatable: Optional[bool] = None
    sequential: Optional[bool] = None
    problems: tuple[str, ...] = ()


class ConfiguredRuleView(ApiModel):
    """A response rule: for whom it answers, by which models, with which tools.

    `match` is as the operator wrote it, empty for a fallback. `fallbacks` are those of its llm where it has none of its
    own. `allowed_tools` is null for every tool and empty for none; `max_iterations`, `max_calls_per_turn` and
    `max_tool_calls` are there when it has tools. Of one that cannot be read, `problems` are all there is.
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
    """An llm. `host` is where it is, without path and credentials, `has_key` whether the entry names a key, `demo` that
    the demo model answers there."""

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
    """A service that is searched. Thresholds are distances, smaller is nearer. Without `collections`, an `internal` one
    has all that are stored."""

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
    """A phase that asks a model. `model` is `llm:model`; `intents` are the names that the intent is chosen from."""

    enabled: bool
    model: Optional[str] = None
    intents: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


class PhasesView(ApiModel):
    """The phases that have a section in the configuration."""

    topic: Optional[ConfiguredPhaseView] = None
    intent: Optional[ConfiguredPhaseView] = None


class SessionSettingsView(ApiModel):
    """How long a session is kept after its last message, and how many tokens of it a model is sent."""

    ttl_days: int
    max_history_tokens: int


class LimitsView(ApiModel):
    """Limits of one caller or session; one that is left out does not apply, or is that of a wider entry."""

    requests_per_minute: Optional[int] = None
    tool_calls_per_minute: Optional[int] = None
    tokens_per_day: Optional[int] = None


class LimitSettingsView(ApiModel):
    """The limits of every caller, of roles and of single tokens by their ids, and of every session."""

    caller: LimitsView
    roles: dict[Role, LimitsView]
    principals: dict[str, LimitsView]
    session: LimitsView
    reserved_tokens: int


class ScheduleBudgetView(ApiModel):
    """When a scheduled run stops: after so many chats, tokens or US dollars, whichever comes first."""

    calls: Optional[int] = None
    tokens: Optional[int] = None
    usd: Optional[float] = None


class ValidationSettingsView(ApiModel):
    """What the schedule validates."""

    models: tuple[str, ...]
    suite: str
    repeats: int
    stop_early: bool
    budget: ScheduleBudgetView
    problems: tuple[str, ...] = ()


class ConfigurationView(ApiModel):
    """What is live. No prompt, no key and no header is in it.

    `version` changes with every change of the configuration; `changed_at` and `revision` are the date and the number of
    that change, `read_at` is when this function read it, which it does again after its TTL. Healthy entries come in the
    order of the file, then those that cannot be used, with `problems` that say why; `disabled` has all of the latter at
    once, as the list of tools has. `caller_fields` are the fields of a request's profile that rules may match on.
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
    disabled: tuple[DisabledView, ...]


class RuleMatch(ApiModel):
    """A profile to try the rules with, such as `{"intent": "weather"}`. What it leaves out is as in a chat for which
    nothing was found."""

    profile: dict[str, Json]


class RuleMatchView(ApiModel):
    """Which rule would answer for a profile, by which model and with which tools.

    `rules` are those that were tried, down to the one that matched. `fallback` is there when another model than the
    rule's own would answer. `problem` is what a chat would fail with, where no rule matches or no model may answer.
    """

    rule: Optional[str] = None
    llm: Optional[str] = None
    model: Optional[str] = None
    fallback: Optional[FallbackView] = None
    problem: Optional[str] = None
    rules: tuple[RuleView, ...]
    tools: tuple[OfferedToolView, ...] = ()
