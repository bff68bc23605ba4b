"""The `mcp_servers` section: MCP servers whose tools models may call.

Imported only for a configuration that has servers.
"""

import hashlib
import re
from typing import Annotated, Any, Final, Literal, Self, cast

from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter, model_validator
from pydantic_core import PydanticCustomError

from flexchat.config.models.base import Flag, Headers, Milliseconds, allow_comment, without_comment
from flexchat.config.models.http_auth import Auth
from flexchat.config.models.mcp_connections import (
    DEFAULT_CONNECT_TIMEOUT_MS,
    INSTALLER_CONNECT_TIMEOUT_MS,
    is_installer,
)
from flexchat.config.models.tools import DeclaredTraits, ToolApproval
from flexchat.json import dumps
from flexchat.messages import Json

SERVER_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,32}")
"""Names of servers: each is the beginning of the names of its tools, before a slash."""

MAX_SERVERS: Final = 50

CONNECTION_FIELDS: Final = ("command", "args", "env", "url", "headers", "auth")
"""Fields that identify the server: with other ones, its tools have to be listed again."""

type Transport = Literal["stdio", "http"]
type Approval = Literal["changes", "every", "none"]

Arguments = Annotated[tuple[Annotated[str, Field(max_length=4_096)], ...], Field(max_length=128)]
Hints = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=4_096)], ...], Field(max_length=128)]
OwnName = Annotated[str, Field(min_length=1, max_length=256)]
ArgumentNames = Annotated[
    dict[str, Annotated[str, Field(min_length=1, max_length=256)]],
    BeforeValidator(without_comment),
    Field(json_schema_extra=allow_comment),
]


class McpToolSettings(DeclaredTraits):
    """Settings of one tool of a server, which have the meaning of those of a configured tool.

    A trait that is not stated is that of the server.
    """

    idempotent: Flag = False
    repeatable: Flag = False
    sequential: Flag = False
    per_principal: Flag = False
    approval: ToolApproval = "never"
    approvers: tuple[str, ...] = ()
    max_result_size: Annotated[int, Field(ge=64, strict=True)] | None = None
    timeout_ms: Milliseconds | None = None


class McpServerConfig(DeclaredTraits):
    """One entry of `mcp_servers`: a server that is started as a process, or one that is reached over HTTP.

    A process has a `command` with `args` and `env`; a server over HTTP has a `url` with `headers` and the `auth` of
    http tools. `env`, `headers`, `url` and `auth` may refer to secrets as `${NAME}`. `timeout_ms` limits a call and
    `connect_timeout_ms` one attempt to connect: 5,000 by default, 300,000 for a command that may install the server
    first (`INSTALLERS`). `tools` are the server's own names of the tools that are taken; without
    it all are. `approval`: with `changes` the first list of tools is accepted, and tools that are new or changed later
    wait for an approval; with `every` all tools do; with `none` no tool does. `argument_names` renames arguments of a
    tool, and `tool_settings` has the settings of a tool, both by the server's own name. `hints` are shown when the
    server cannot be reached. The traits are those of all of its tools.
    """

    command: Annotated[str, Field(min_length=1, max_length=1_024)] | None = None
    args: Arguments = ()
    env: Headers = Field(default_factory=dict[str, str])
    url: Annotated[str | None, Field(min_length=1, max_length=8_192, repr=False)] = None
    headers: Headers = Field(default_factory=dict[str, str])
    auth: Annotated[Auth | None, Field(repr=False)] = None
    enabled: Flag = True
    timeout_ms: Milliseconds | None = None
    connect_timeout_ms: Milliseconds = DEFAULT_CONNECT_TIMEOUT_MS
    approval: Approval = "changes"
    tools: tuple[OwnName, ...] | None = None
    argument_names: Annotated[
        dict[str, ArgumentNames], BeforeValidator(without_comment), Field(json_schema_extra=allow_comment)
    ] = Field(default_factory=dict[str, dict[str, str]])
    hints: Hints = ()
    tool_settings: Annotated[
        dict[str, McpToolSettings], BeforeValidator(without_comment), Field(json_schema_extra=allow_comment)
    ] = Field(default_factory=dict[str, McpToolSettings])

    @property
    def transport(self) -> Transport:
        return "http" if self.command is None else "stdio"

    @property
    def connection(self) -> dict[str, Json]:
        """Connection of a call: the server with references to secrets, the time of one attempt, and the hints."""
        return {**self.identity, "connect_timeout_ms": self.connect_timeout_ms, "hints": list(self.hints)}

    @property
    def identity(self) -> dict[str, Json]:
        """Fields that identify the server, as far as they are set."""
        return self.model_dump(mode="json", include=set(CONNECTION_FIELDS), exclude_defaults=True, by_alias=True)

    @property
    def connection_hash(self) -> str:
        """Hash of the fields that identify the server; the values of secrets are no part of it."""
        return hashlib.sha256(dumps(self.identity, sort_keys=True).encode()).hexdigest()[:32]

    def takes(self, tool: str) -> bool:
        """Return whether the tool with the server's own name `tool` is taken."""
        return self.tools is None or tool in self.tools

    @model_validator(mode="before")
    @classmethod
    def _time_to_install(cls, value: Any) -> Any:
        fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        if is_installer(fields.get("command")):
            return {"connect_timeout_ms": INSTALLER_CONNECT_TIMEOUT_MS, **fields}
        return cast("object", value)

    @model_validator(mode="after")
    def _one_transport(self) -> Self:
        if (self.command is None) == (self.url is None):
            raise PydanticCustomError("mcp_server", "must have either 'command' or 'url'")
        present, foreign = ("command", ("headers", "auth")) if self.url is None else ("url", ("args", "env"))
        if found := [name for name in foreign if getattr(self, name)]:
            context = {"present": repr(present), "found": " and no ".join(map(repr, found))}
            raise PydanticCustomError("mcp_server", "a server with {present} has no {found}", context)
        return self


def _server_name(name: str) -> str:
    if not SERVER_NAME.fullmatch(name):
        message = "the name of an MCP server must be 1 to 32 of the characters a-z, A-Z, 0-9, _ and -"
        raise PydanticCustomError("mcp_server_name", message)
    return name


SECTION: Final[TypeAdapter[dict[str, McpServerConfig]]] = TypeAdapter(
    Annotated[
        dict[Annotated[str, AfterValidator(_server_name)], McpServerConfig],
        Field(max_length=MAX_SERVERS, json_schema_extra=allow_comment),
    ]
)
"""The section without its comment."""

ENTRY: Final = McpServerConfig
