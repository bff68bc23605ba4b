"""The configuration, parsed once at the border."""

import re
from fnmatch import fnmatchcase
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from flexchat.config.service_types import MATCH_THRESHOLD, PARTIAL_THRESHOLD, ProviderType, RagServiceType
from flexchat.messages import Json
from flexchat.strict_numbers import StrictNumberModel
from flexchat.tokens import Role

PROVIDER_TYPES: tuple[ProviderType, ...] = ("openai", "ollama", "gemini", "anthropic", "bedrock")

PROVIDER_ALIASES: dict[str, ProviderType] = {
    "openai-compatible": "openai",
    "compatible": "openai",
    "azure": "openai",
}
"""Other words for a provider type (decision C30)."""

TOOL_NAME_PATTERN = r"^[a-zA-Z0-9_./:-]{1,128}$"
"""The names tools have in the world, such as `github/search` or `files.read`. No provider takes all of them: each goes
by a name of its own on the wire (decision C22)."""

ENTRY_NAME_PATTERN = r"^[a-zA-Z0-9_.-]{1,64}$"
"""The names an llm or a service may have: they are part of a parameter's name, and `llm:model` splits on the colon."""

AWS_REGION_PATTERN = r"^[a-z]{2}(-[a-z]+)+-[0-9]{1,2}$"

VECTOR_BUCKET_PATTERN = r"^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$"

SUITE_NAME_PATTERN = r"^[a-z0-9][a-z0-9_.-]{0,63}$"
"""The names that suites of validation cases have."""

OTHER_INTENT = "other"
"""The intent of a message that fits none of the configured ones."""

HANDLER_TYPES = ("builtin", "internal")
"""The tool types that run one of several handlers."""

MAX_ITERATIONS_CAP = 20
"""No rule and no default may ask for more turns of the tool loop (decision C18)."""


class ConfigModel(StrictNumberModel):
    """Frozen, unknown keys refused; a `comment` is allowed anywhere and read by nobody.

    An error never carries the value that was wrong, as it may be a key.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    comment: Annotated[Json, Field(exclude=True, repr=False)] = None


def _without_comment(value: object) -> object:
    """A mapping of names to entries may hold a `comment` too; it is no entry."""
    if not isinstance(value, dict):
        return value
    mapping = cast("dict[str, object]", value)
    return {name: entry for name, entry in mapping.items() if name != "comment"}


def _llm_entries(value: object) -> object:
    """The entries without their comment, each with its type: its own, or the one its name says."""
    entries = _without_comment(value)
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


def _comment_is_no_entry(schema: dict[str, Any]) -> None:
    schema["properties"] = {"comment": True}


def _type_may_be_left_out(schema: dict[str, Any]) -> None:
    schema.pop("required", None)


Flag = Annotated[bool, Field(strict=True)]
Iterations = Annotated[int, Field(ge=1, le=MAX_ITERATIONS_CAP, strict=True)]
CallsPerTurn = Annotated[int, Field(ge=1, le=128, strict=True)]
ToolCalls = Annotated[int, Field(ge=1, le=1_000, strict=True)]
Milliseconds = Annotated[int, Field(ge=1, le=900_000, strict=True)]
Temperature = Annotated[float, Field(ge=0, le=2, strict=True)]
Distance = Annotated[float, Field(ge=0, le=2, strict=True)]
Count = Annotated[int, Field(ge=1, le=1_000_000_000_000, strict=True)]
Price = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False, strict=True)]
ProviderName = Annotated[
    ProviderType,
    BeforeValidator(_provider_type),
    WithJsonSchema({"enum": [*PROVIDER_TYPES, *PROVIDER_ALIASES], "type": "string"}),
]
Headers = Annotated[
    dict[str, str],
    BeforeValidator(_without_comment),
    Field(repr=False, json_schema_extra=_comment_is_no_entry),
]


class ToolDefinition(ConfigModel):
    """What the operator writes about one tool.

    `parameters` is a JSON Schema of type object. `implementation` belongs to the tool's type and is opaque here, but
    for its `type` and the optional `timeout_ms` (decision C08). `implementation.handler` decides which handler runs;
    without it `handler` does, which is a label otherwise (decision C21). Only an `idempotent` tool may be called again
    after a call that was lost. Equal calls of a `repeatable` tool are never counted as repeated (decision C09). Calls
    of `sequential` tools in one turn run one after another in the order of the calls; other calls of the turn run at
    the same time. `max_result_size` bounds the characters of one result given to the model (decision C50).
    """

    name: Annotated[str, Field(pattern=TOOL_NAME_PATTERN)]
    description: Annotated[str, Field(min_length=1, max_length=4096)]
    type: Literal["function"] = "function"
    handler: str | None = None
    parameters: dict[str, Json]
    implementation: dict[str, Json]
    enabled: Flag = True
    idempotent: Flag = False
    repeatable: Flag = False
    sequential: Flag = False
    max_result_size: Annotated[int, Field(ge=64, strict=True)] | None = None

    @property
    def implementation_type(self) -> str:
        return str(self.implementation.get("type", ""))

    @property
    def complete_implementation(self) -> dict[str, Json]:
        """`implementation`, with the tool's own `handler` where its type runs one and names none (decision C21)."""
        wants_handler = self.implementation_type in HANDLER_TYPES and "handler" not in self.implementation
        if self.handler is None or not wants_handler:
            return self.implementation
        return {**self.implementation, "handler": self.handler}

    @property
    def timeout_ms(self) -> int | None:
        """The tool's own timeout in milliseconds, when its implementation names one."""
        value = self.implementation.get("timeout_ms")
        return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


class ToolsConfig(ConfigModel):
    """The global `tools` section.

    `max_iterations`, `max_calls_per_turn` and `max_tool_calls` (of one chat) are defaults that a rule may override in
    both directions.
    """

    enabled: Flag = False
    max_iterations: Iterations = 5
    max_calls_per_turn: CallsPerTurn = 32
    max_tool_calls: ToolCalls = 100
    default_timeout_ms: Milliseconds = 30_000
    max_parallel: Annotated[int, Field(ge=1, le=32, strict=True)] = 8
    max_result_size: Annotated[int, Field(ge=64, strict=True)] = 32_768
    result_format: Literal["json", "text"] = "json"
    disabled_types: tuple[str, ...] = ()
    registry: tuple[ToolDefinition, ...] = ()


class ResponseToolsConfig(ConfigModel):
    """A rule's `tools`: `allowed_tools` omitted means every registered tool, `[]` means none (decision C14)."""

    enabled: Flag = False
    allowed_tools: tuple[str, ...] | None = None
    max_iterations: Iterations | None = None
    max_calls_per_turn: CallsPerTurn | None = None
    max_tool_calls: ToolCalls | None = None


class ResponseRule(ConfigModel):
    """One response rule. Without `match`, or with an empty one, it is the fallback.

    `fallbacks` are models that take over, in order, while the rule's own is overloaded or out of reach; left out, they
    are those of its llm. With `require_validated` only those of all these answer that were validated, the first of them
    first.
    """

    name: str | None = None
    match: Annotated[dict[str, Json], BeforeValidator(_without_comment)] = Field(default_factory=dict[str, Json])
    llm: str
    model: str
    prompt: str
    max_tokens: Annotated[int, Field(ge=1, strict=True)] | None = None
    temperature: Temperature | None = None
    tools: ResponseToolsConfig | None = None
    fallbacks: tuple[str, ...] | None = None
    require_validated: Flag = False

    @property
    def is_fallback(self) -> bool:
        return not self.match


class ProfileConfig(ConfigModel):
    """What some models of an llm can do, where the service does not know it or is wrong; what is left out stays.

    `tools` says whether they call tools at all, `parallel_tool_calls` whether they may ask for several in one turn,
    `text_tool_calls` whether calls that a model writes as text are read (decision C46). `temperature` says whether they
    take one, `limit_parameter` what OpenAI-compatible servers call their token limit, `system_text` whether they
    take a system prompt. `context_window` is in tokens, `input_price` and `output_price` are US dollars for a million
    tokens.
    """

    tools: Flag | None = None
    parallel_tool_calls: Flag | None = None
    text_tool_calls: Flag | None = None
    temperature: Flag | None = None
    limit_parameter: Literal["max_tokens", "max_completion_tokens"] | None = None
    system_text: Flag | None = None
    reasoning: Flag | None = None
    context_window: Annotated[int, Field(ge=1, strict=True)] | None = None
    input_price: Price | None = None
    output_price: Price | None = None


class LlmConfig(ConfigModel):
    """One entry of `llms`: where a provider is and how to call it.

    `type` may be left out in the file when the entry's own name is a provider type. `region` is Bedrock's; left out, it
    is the function's own. `api_key` and `headers` may name secrets as `${NAME}`. `timeout_ms` bounds one HTTP attempt,
    `max_retries` the attempts after it. `profiles` are keyed by patterns of model names, as `*` or `qwen3*`;
    `fallbacks` are for rules that have none of their own. `demo` says that the demo model answers at `base_url`: its
    answers and scores are marked, as they say nothing about a real model.
    """

    model_config = ConfigDict(json_schema_extra=_type_may_be_left_out)

    type: ProviderName
    base_url: str | None = None
    region: Annotated[str, Field(pattern=AWS_REGION_PATTERN)] | None = None
    api_key: Annotated[str | None, Field(repr=False)] = None
    headers: Headers = Field(default_factory=dict[str, str])
    models: tuple[str, ...] = ()
    temperature: Temperature | None = None
    max_tokens: Annotated[int, Field(ge=1, strict=True)] | None = None
    timeout_ms: Milliseconds = 60_000
    max_retries: Annotated[int, Field(ge=0, le=5, strict=True)] = 2
    profiles: Annotated[
        dict[str, ProfileConfig], BeforeValidator(_without_comment), Field(json_schema_extra=_comment_is_no_entry)
    ] = Field(default_factory=dict[str, ProfileConfig])
    fallbacks: tuple[str, ...] = ()
    demo: Flag = False

    def profiles_of(self, model: str) -> tuple[ProfileConfig, ...]:
        """The profiles whose pattern fits `model`, the longest pattern last: what it says wins."""
        patterns = sorted(self.profiles, key=lambda pattern: (len(pattern), pattern))
        return tuple(self.profiles[pattern] for pattern in patterns if fnmatchcase(model, pattern))


class RagServiceConfig(ConfigModel):
    """One entry of `rag_services`: where passages are found for a question.

    `internal` is the deployment's own retriever; `http` posts {query, collection, top_k} to `url` and reads `results`;
    `s3vectors` asks the vector `bucket` for what is near the question as `embedding_model` (`llm:model`) reads it;
    `bedrock_kb` asks knowledge bases of Bedrock. Thresholds are distances, smaller is nearer: below `match_threshold` a
    passage matches, below `partial_threshold` it may, beyond `max_distance` it is dropped. `collections` are the names
    that may be searched. `collection_ids` says what a collection is called at the service where that is another name:
    an index, the id of a knowledge base. `text_field`, `title_field` and `source_field` name the metadata that a
    passage's text, title and source are taken from. `headers` may name secrets as `${NAME}`.
    """

    type: RagServiceType = "internal"
    url: str | None = None
    region: Annotated[str, Field(pattern=AWS_REGION_PATTERN)] | None = None
    bucket: Annotated[str, Field(pattern=VECTOR_BUCKET_PATTERN)] | None = None
    embedding_model: str | None = None
    embedding_dimensions: Annotated[int, Field(ge=1, le=4096, strict=True)] | None = None
    timeout_ms: Milliseconds = 10_000
    max_retries: Annotated[int, Field(ge=0, le=5, strict=True)] = 2
    top_k: Annotated[int, Field(ge=1, le=100, strict=True)] = 5
    match_threshold: Distance = MATCH_THRESHOLD
    partial_threshold: Distance = PARTIAL_THRESHOLD
    max_distance: Distance | None = None
    headers: Headers = Field(default_factory=dict[str, str])
    collections: tuple[str, ...] = ()
    collection_ids: Annotated[
        dict[str, str], BeforeValidator(_without_comment), Field(json_schema_extra=_comment_is_no_entry)
    ] = Field(default_factory=dict[str, str])
    text_field: str = "text"
    title_field: str = "title"
    source_field: str = "source"

    def collection_names(self, service: str) -> tuple[str, ...]:
        """The collections of this service, which goes by the name `service`; none when it is all that `internal` has.

        An `http` service for which none are named is one collection, called as the service is.
        """
        named = self.collections or tuple(self.collection_ids)
        return named or ((service,) if self.type == "http" else ())


class ModelChoice(ConfigModel):
    """Which model a phase asks, and with which prompt; without `prompt` the phase uses its own.

    Without `model` it is the first that the llm lists. Without `llm` the topic asks the intent's model, and the intent
    that of the fallback rule (`phase_models.phase_model`).
    """

    llm: str | None = None
    model: Annotated[str, Field(min_length=1)] | None = None
    prompt: Annotated[str, Field(min_length=1)] | None = None


class TopicConfig(ConfigModel):
    """The `topic` section: the model that names what a conversation is about."""

    enabled: Flag = True
    provider: ModelChoice = ModelChoice()


class IntentDetection(ConfigModel):
    """The intents to choose from, each name with the description the model reads."""

    intents: Annotated[
        dict[str, str], BeforeValidator(_without_comment), Field(json_schema_extra=_comment_is_no_entry)
    ] = Field(default_factory=dict[str, str])


class IntentConfig(ConfigModel):
    """The `intent` section: the model that tells what the user wants."""

    enabled: Flag = True
    provider: ModelChoice = ModelChoice()
    detection: IntentDetection = IntentDetection()


DECIDED_FIELDS = ("topic", "user_message", "rag_results", "documents", "rag_context")
"""Profile fields that the service decides in every chat."""

OPEN_FIELDS = ("intent", "service", "collection")
"""Profile fields that the service decides once an intent phase or a search has found them."""

SERVICE_FIELDS = (*DECIDED_FIELDS, *OPEN_FIELDS)

MATCH_OPERATORS = ("_regexp", "_contains")
"""Endings of the keys of a rule's `match` that are operators and no part of a profile field's name."""


def _caller_field(name: str) -> str:
    if name in DECIDED_FIELDS:
        raise PydanticCustomError(
            "caller_field", "{name} is decided by the service; a caller cannot set it", {"name": repr(name)}
        )
    if name.endswith(MATCH_OPERATORS):
        raise PydanticCustomError(
            "caller_field", "{name} ends like an operator of match; name the field without it", {"name": repr(name)}
        )
    return name


class CallerProfileConfig(ConfigModel):
    """The `profile` section: which fields of a request's own `profile` response rules may match on.

    Prompts may use the others as well, but for fields that the service decides.
    """

    caller_fields: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=64), AfterValidator(_caller_field)], ...],
        Field(max_length=100),
    ] = ()


class SessionsConfig(ConfigModel):
    """The `sessions` section: how many days a session is kept after its last message, and how much of it is sent to the
    model, in estimated tokens."""

    ttl_days: Annotated[int, Field(ge=1, le=365, strict=True)] = 30
    max_history_tokens: Annotated[int, Field(ge=256, strict=True)] = 16_000


class Limits(ConfigModel):
    """Limits of one caller or one session; a limit that is `null` does not apply.

    A minute and a day begin with the clock's, in UTC.
    """

    requests_per_minute: Count | None = None
    tool_calls_per_minute: Count | None = None
    tokens_per_day: Count | None = None


class LimitsConfig(ConfigModel):
    """The `limits` section: how much a caller, and a session, may use.

    `caller` applies to each token. `roles` and then `principals`, by the id of a token, override single limits of it.
    `session` applies to each session besides. `reserved_tokens` are set aside for a chat until its real use is known.
    """

    caller: Limits = Limits()
    roles: Annotated[
        dict[Role, Limits], BeforeValidator(_without_comment), Field(json_schema_extra=_comment_is_no_entry)
    ] = Field(default_factory=dict[Role, Limits])
    principals: Annotated[
        dict[str, Limits], BeforeValidator(_without_comment), Field(json_schema_extra=_comment_is_no_entry)
    ] = Field(default_factory=dict[str, Limits])
    session: Limits = Limits()
    reserved_tokens: Count = 2_000


class ValidationBudget(ConfigModel):
    """When a scheduled run stops: after so many chats, tokens or US dollars, whichever comes first."""

    calls: Annotated[int, Field(ge=1, strict=True)] | None = None
    tokens: Annotated[int, Field(ge=1, strict=True)] | None = None
    usd: Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)] | None = None


class ValidationConfig(ConfigModel):
    """The `validation` section: which models the schedule tries, with which suite, each case `repeats` times.

    With `stop_early` a model is asked no more once it is decided whether it passes.
    """

    models: Annotated[tuple[str, ...], Field(max_length=50)] = ()
    suite: Annotated[str, Field(pattern=SUITE_NAME_PATTERN)] = "default"
    repeats: Annotated[int, Field(ge=1, le=100, strict=True)] = 1
    stop_early: Flag = True
    budget: ValidationBudget = ValidationBudget()


class Configuration(ConfigModel):
    """Everything a deployment does differently."""

    schema_reference: Annotated[str | None, Field(alias="$schema", exclude=True, repr=False)] = None
    llms: Annotated[
        dict[str, LlmConfig], BeforeValidator(_llm_entries), Field(json_schema_extra=_comment_is_no_entry)
    ] = Field(default_factory=dict[str, LlmConfig])
    rag_services: Annotated[
        dict[str, RagServiceConfig], BeforeValidator(_without_comment), Field(json_schema_extra=_comment_is_no_entry)
    ] = Field(default_factory=dict[str, RagServiceConfig])
    topic: TopicConfig | None = None
    intent: IntentConfig | None = None
    profile: CallerProfileConfig = CallerProfileConfig()
    responses: tuple[ResponseRule, ...] = ()
    tools: ToolsConfig = ToolsConfig()
    sessions: SessionsConfig = SessionsConfig()
    limits: LimitsConfig = LimitsConfig()
    validation: ValidationConfig = ValidationConfig()


SECRET_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""A secret named in the configuration, as `${OPENAI_API_KEY}`."""
