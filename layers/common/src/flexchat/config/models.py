"""The configuration in the schema of the documents (003, lines 168-396), parsed once at the border."""

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from flexchat.messages import Json

ProviderType = Literal["openai", "ollama", "gemini", "anthropic", "bedrock"]

TOOL_NAME_PATTERN = r"^[a-zA-Z0-9_-]{1,64}$"
"""The names every provider accepts; OpenAI refuses a whole request for one name outside it."""

MAX_ITERATIONS_CAP = 20
"""No rule and no default may ask for more turns of the tool loop (decision C18)."""


class ConfigModel(BaseModel):
    """Frozen, unknown keys refused; a `comment` is allowed anywhere and read by nobody."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    comment: Annotated[Json, Field(exclude=True, repr=False)] = None


Iterations = Annotated[int, Field(ge=1, le=MAX_ITERATIONS_CAP, strict=True)]
Milliseconds = Annotated[int, Field(ge=1, le=900_000, strict=True)]
Temperature = Annotated[float, Field(ge=0, le=2)]


class ToolDefinition(ConfigModel):
    """What the operator writes about one tool.

    `parameters` is a JSON Schema of type object. `implementation` belongs to the tool's type and is opaque here, but
    for its `type` and the optional `timeout_ms` (decision C08). `handler` is a label; `implementation.handler` decides
    (decision C21). Only an `idempotent` tool may be called again after a call that was lost.
    `max_result_size` bounds the characters of one result given to the model (decision C50).
    """

    name: Annotated[str, Field(pattern=TOOL_NAME_PATTERN)]
    description: Annotated[str, Field(min_length=1, max_length=4096)]
    type: Literal["function"] = "function"
    handler: str | None = None
    parameters: dict[str, Json]
    implementation: dict[str, Json]
    enabled: bool = True
    idempotent: bool = False
    max_result_size: Annotated[int, Field(ge=64, strict=True)] | None = None

    @property
    def implementation_type(self) -> str:
        return str(self.implementation.get("type", ""))

    @property
    def timeout_ms(self) -> int | None:
        """The tool's own timeout in milliseconds, when its implementation names one."""
        value = self.implementation.get("timeout_ms")
        return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


class ToolsConfig(ConfigModel):
    """The global `tools` section. `max_iterations` is a default that a rule may override in both directions."""

    enabled: bool = False
    max_iterations: Iterations = 5
    default_timeout_ms: Milliseconds = 30_000
    max_parallel: Annotated[int, Field(ge=1, le=32, strict=True)] = 8
    max_result_size: Annotated[int, Field(ge=64, strict=True)] = 32_768
    result_format: Literal["json", "text"] = "json"
    disabled_types: tuple[str, ...] = ()
    registry: tuple[ToolDefinition, ...] = ()


class ResponseToolsConfig(ConfigModel):
    """A rule's `tools`: `allowed_tools` omitted means every registered tool, `[]` means none (decision C14)."""

    enabled: bool = False
    allowed_tools: tuple[str, ...] | None = None
    max_iterations: Iterations | None = None


class ResponseRule(ConfigModel):
    """One response rule. Without `match`, or with an empty one, it is the fallback."""

    name: str | None = None
    match: dict[str, Json] = Field(default_factory=dict[str, Json])
    llm: str
    model: str
    prompt: str
    max_tokens: Annotated[int, Field(ge=1, strict=True)] | None = None
    temperature: Temperature | None = None
    tools: ResponseToolsConfig | None = None

    @property
    def is_fallback(self) -> bool:
        return not self.match


class LlmConfig(ConfigModel):
    """One entry of `llms`: where a provider is and how to call it.

    `type` may be left out when the entry's own name is a provider type (the checker fills it in). `api_key` and
    `headers` may name secrets as `${NAME}`. `timeout_ms` bounds one HTTP attempt, `max_retries` the attempts after it.
    """

    type: ProviderType
    base_url: str | None = None
    api_key: Annotated[str, Field(repr=False)] | None = None
    headers: Annotated[dict[str, str], Field(default_factory=dict[str, str], repr=False)]
    models: tuple[str, ...] = ()
    temperature: Temperature | None = None
    max_tokens: Annotated[int, Field(ge=1, strict=True)] | None = None
    timeout_ms: Milliseconds = 60_000
    max_retries: Annotated[int, Field(ge=0, le=5, strict=True)] = 2


class Configuration(ConfigModel):
    """Everything a deployment does differently."""

    llms: dict[str, LlmConfig] = Field(default_factory=dict[str, LlmConfig])
    responses: tuple[ResponseRule, ...] = ()
    tools: ToolsConfig = ToolsConfig()


SECRET_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""A secret named in the configuration, as `${OPENAI_API_KEY}`."""
