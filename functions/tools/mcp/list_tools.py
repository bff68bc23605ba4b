"""Handler of ListTools: the tools of a server that need not be configured yet."""

from collections.abc import Callable
from typing import Any, cast

from pydantic import ValidationError

from flexchat.config.models.mcp_connections import McpConnection
from flexchat.config.problems import problem_of
from flexchat.errors import ToolError
from flexchat.mcp import ListTools, ServerListing
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.tool_secrets import SecretReader, resolve_secrets
from flexchat.tools import ToolFault, ToolReply
from functions.tools.mcp.errors import ConnectionFailedError
from functions.tools.mcp.implementation import Implementation

type List = Callable[[str, McpConnection, int], ServerListing]
"""Returns the tools of a server at a connection, within milliseconds."""


def list_tools(event: object, *, secrets: SecretReader, listed: List) -> dict[str, Json]:
    """Return the ToolReply to a ListTools event, with a ServerListing as its result; the error is for operators."""
    try:
        request = ListTools.model_validate(event)
    except ValidationError as exc:
        problems = "; ".join(str(problem_of(error)) for error in exc.errors(include_url=False))
        return _failure(ToolFault(type="configuration", message=f"Not a request for tools: {problems}"))
    logger.append_keys(request_id=request.request_id)
    try:
        listing = listed(request.server, resolved_connection(request, secrets), request.timeout_ms)
    except ConnectionFailedError as exc:
        return _failure(ToolFault(type=exc.type, message=exc.report()))
    except ToolError as exc:
        return _failure(ToolFault(type=exc.type, message=exc.message))
    except TimeoutError:
        return _failure(ToolFault(type="timeout", message=f"Listing timed out after {request.timeout_ms}ms"))
    reply = ToolReply(ok=True, result=listing.model_dump(mode="json", by_alias=True))
    return cast("dict[str, Json]", reply.model_dump(mode="json"))


def resolved_connection(request: ListTools, secrets: SecretReader) -> McpConnection:
    """Return the connection of a request with its secrets. Raises ToolError."""
    # The model of a tool has the paths of its secrets and the hosts that they are bound to.
    source: dict[str, Any] = {
        "type": "mcp",
        "server": request.server,
        "tool": "any",
        "connection": request.connection,
    }
    resolved, _ = resolve_secrets(source, Implementation, secrets)
    try:
        connection = Implementation.model_validate(resolved).connection
    except ValidationError as exc:
        problems = "; ".join(str(problem_of(error)) for error in exc.errors(include_url=False))
        raise ToolError(
            f"The MCP server '{request.server}' is misconfigured: {problems}", type="configuration"
        ) from exc
    if connection is None:
        raise ToolError(f"The MCP server '{request.server}' has no connection", type="configuration")
    return connection


def _failure(fault: ToolFault) -> dict[str, Json]:
    return cast("dict[str, Json]", ToolReply(ok=False, error=fault).model_dump(mode="json"))
