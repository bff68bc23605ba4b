"""The whole configuration, parsed once at the border."""

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, Field

from flexchat.config.models.base import ConfigModel, LazySection, allow_comment, without_comment
from flexchat.config.models.choices import ChoicesConfig
from flexchat.config.models.guardrails import GuardrailConfig
from flexchat.config.models.limits import LimitsConfig, SessionsConfig
from flexchat.config.models.llms import LlmConfig, typed_entries
from flexchat.config.models.openai_api import OpenAiApiConfig
from flexchat.config.models.phases import CallerProfileConfig, IntentConfig, TopicConfig
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config.models.roles import ConfiguredRoleName, RoleConfig
from flexchat.config.models.rules import ResponseRule
from flexchat.config.models.tools import ToolsConfig
from flexchat.config.models.traces import TracesConfig
from flexchat.config.models.validation import ValidationConfig

if TYPE_CHECKING:
    from flexchat.config.models.mcp_servers import McpServerConfig

    McpServers = dict[str, McpServerConfig]
else:
    McpServers = dict[str, Any]


class NotSecret(ConfigModel):
    """Value that `config check` takes for a secret and that is none.

    `path` is that of the problem, with the name of a tool in place of its position: `tools.registry.search.…`. A value
    with a key of a known format must also have the `sha256` of its text, in hex.
    """

    path: Annotated[str, Field(min_length=1, max_length=512)]
    reason: Annotated[str, Field(min_length=1, max_length=512)]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None = None


class Configuration(ConfigModel):
    """Complete configuration of a deployment."""

    schema_reference: Annotated[str | None, Field(alias="$schema", exclude=True, repr=False)] = None
    llms: Annotated[dict[str, LlmConfig], BeforeValidator(typed_entries), Field(json_schema_extra=allow_comment)] = (
        Field(default_factory=dict[str, LlmConfig])
    )
    rag_services: Annotated[
        dict[str, RagServiceConfig], BeforeValidator(without_comment), Field(json_schema_extra=allow_comment)
    ] = Field(default_factory=dict[str, RagServiceConfig])
    mcp_servers: Annotated[McpServers, LazySection("flexchat.config.models.mcp_servers")] = Field(default_factory=dict)
    guardrails: Annotated[
        dict[str, GuardrailConfig], BeforeValidator(without_comment), Field(json_schema_extra=allow_comment)
    ] = Field(default_factory=dict[str, GuardrailConfig])
    topic: TopicConfig | None = None
    intent: IntentConfig | None = None
    profile: CallerProfileConfig = CallerProfileConfig.model_construct()
    responses: tuple[ResponseRule, ...] = ()
    tools: ToolsConfig = ToolsConfig.model_construct()
    sessions: SessionsConfig = SessionsConfig.model_construct()
    limits: LimitsConfig = LimitsConfig.model_construct()
    validation: ValidationConfig = ValidationConfig.model_construct()
    traces: TracesConfig = TracesConfig.model_construct()
    openai_api: OpenAiApiConfig = OpenAiApiConfig.model_construct()
    choices: ChoicesConfig = ChoicesConfig.model_construct()
    roles: Annotated[
        dict[ConfiguredRoleName, RoleConfig], BeforeValidator(without_comment), Field(json_schema_extra=allow_comment)
    ] = Field(default_factory=dict[str, RoleConfig])
    not_secrets: tuple[NotSecret, ...] = ()
