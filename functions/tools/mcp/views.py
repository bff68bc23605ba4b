"""API models of MCP servers, their tools and the approval of changed definitions."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from flexchat.api.base import ApiModel, Optional
from flexchat.config.models.mcp_servers import McpServerConfig, Transport
from flexchat.messages import Json

ServerState = Literal["ready", "failed", "not_checked", "disabled"]

McpToolState = Literal["offered", "changed", "new", "removed", "invalid", "shadowed", "not_taken"]


class McpToolView(ApiModel):
    """A tool of a server.

    `name` is its name for models and rules, `tool` the server's own. `changed` and `new` definitions wait for an
    approval: a model gets neither. `problems` are the reasons why it is not offered, and `losses` the parts of its
    inputSchema that models do not get, such as recursion. A tool that waits has its whole `definition`, and in `diff`
    the lines of a unified diff from the approved definition, with notes on changed lines that begin with `?`; all lines
    of a `new` one.
    """

    name: str
    tool: str
    title: Optional[str] = None
    description: str = ""
    state: McpToolState
    problems: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    definition: Optional[dict[str, Json]] = None
    diff: tuple[str, ...] = ()


class McpServerInfo(ApiModel):
    """Name and version of a server, in its own words."""

    name: str
    version: str


class McpServerView(ApiModel):
    """A configured server and the result of the last connection.

    `target` is the command of a process, or the host of an address. `error` is the reason of the last failure, `hints`
    are those of the configuration. `pending_hash` identifies the definitions that wait for an approval. `left_out` are
    the reasons of entries of the server's list that cannot be used, by the name of their tools.
    """

    name: str
    transport: Transport
    target: str
    state: ServerState
    checked_at: Optional[datetime] = None
    protocol_version: Optional[str] = None
    server: Optional[McpServerInfo] = None
    error: Optional[str] = None
    hints: tuple[str, ...] = ()
    pending_hash: Optional[str] = None
    left_out: dict[str, str] = Field(default_factory=dict)
    tools: tuple[McpToolView, ...] = ()


class McpServerList(ApiModel):
    """All configured servers, in the order of the configuration."""

    servers: tuple[McpServerView, ...]


class McpApproval(ApiModel):
    """Approval of the definitions that an operator has seen, by the `pending_hash` of the server.

    `tools` are the servers' own names of the tools that were shown. Without them, all that wait are approved, and
    removed ones are forgotten.
    """

    hash: str
    tools: Annotated[tuple[str, ...] | None, Field(min_length=1)] = None


class McpTrial(ApiModel):
    """A server that is not configured yet, to connect to once."""

    name: str
    server: McpServerConfig


class McpTrialTool(ApiModel):
    """A tool of a server that is not configured yet; `idempotent` is true where the server declares it.

    `definition` is whole, and `diff` has its lines as JSON, each after a `+`. `losses` are the parts of its inputSchema
    that models do not get.
    """

    name: str
    tool: str
    title: Optional[str] = None
    description: str = ""
    idempotent: bool = False
    problems: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    definition: dict[str, Json] = Field(default_factory=dict)
    diff: tuple[str, ...] = ()


class McpTrialView(ApiModel):
    """Tools of a server that is not configured yet, with the server's own description.

    `left_out` are the reasons of entries of its list that cannot be used, by the name of their tools.
    """

    name: str
    protocol_version: str
    server: Optional[McpServerInfo] = None
    instructions: Optional[str] = None
    left_out: dict[str, str] = Field(default_factory=dict)
    tools: tuple[McpTrialTool, ...]
