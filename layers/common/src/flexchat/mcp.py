"""Events of the MCP function beside calls of its tools."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from flexchat.deferred_model import DeferredModel
from flexchat.messages import Json

MCP_EVENTS_VERSION: Literal[1] = 1

DEFAULT_INTERVAL_MINUTES = 15
"""Time between two scheduled refreshes."""


class ListTools(DeferredModel):
    """Request for the tools of a server; the reply is a ToolReply with a `ServerListing` as its result.

    `connection` is the server's (`McpConnection`), with references to secrets.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = MCP_EVENTS_VERSION
    action: Literal["list_tools"] = "list_tools"
    server: str
    connection: dict[str, Json]
    request_id: str
    timeout_ms: Annotated[int, Field(ge=1)]


class RefreshServers(DeferredModel):
    """Request to list the tools of configured servers again and to store them; of all without `servers`.

    `interval_minutes` is the time until the next scheduled request: a listing that is much older needs a refresh.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    version: Literal[1] = MCP_EVENTS_VERSION
    action: Literal["refresh"] = "refresh"
    servers: tuple[str, ...] | None = None
    interval_minutes: Annotated[int, Field(ge=1, le=1_440)] = DEFAULT_INTERVAL_MINUTES


class ServerName(DeferredModel):
    """Name and version that a server gives itself."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    version: str


class LeftOut(DeferredModel):
    """Entry of a server's list that cannot be used, by the name of its tool, for a `reason`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tool: str
    reason: str


class ServerListing(DeferredModel):
    """Tools of a server as it lists them, with their JSON keys (`inputSchema`), and its account of itself.

    `left_out` are the entries of its list that cannot be used.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tools: tuple[dict[str, Json], ...]
    protocol_version: str
    server: ServerName | None = None
    instructions: str | None = None
    left_out: tuple[LeftOut, ...] = ()
