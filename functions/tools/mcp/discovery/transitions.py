"""Changes of a stored listing: after a refresh, a failed one, and an approval."""

from collections.abc import Collection
from copy import replace
from http import HTTPStatus
from typing import Final

from flexchat.config.models.mcp_servers import McpServerConfig
from flexchat.config.suggestions import known_names
from flexchat.errors import Problem, RequestError
from flexchat.json import JsonError, dumps, safe_loads
from flexchat.mcp import DEFAULT_INTERVAL_MINUTES, ServerListing
from flexchat.mcp_listings import Definitions, McpFailure, McpListing, definitions_of
from flexchat.messages import Json
from flexchat.observability import logger

RETRY_SECONDS: Final = 120.0
"""Time after which a server that could not be listed is tried again, when chats need it."""

STALE_INTERVALS: Final = 3
"""Number of refresh intervals after which a listing is old."""

MAX_TOOLS: Final = 512


def refreshed(
    previous: McpListing | None,
    server: str,
    config: McpServerConfig,
    found: ServerListing,
    *,
    now: float,
    interval_minutes: int = DEFAULT_INTERVAL_MINUTES,
) -> McpListing:
    """Return the listing after a successful refresh; another one is scheduled after `interval_minutes`.

    Definitions are accepted by the `approval` of the server: all of them, those of the first listing, or none.
    """
    left_out = {entry.tool: entry.reason for entry in found.left_out}
    listed = _usable(server, found, left_out)
    accepted: Definitions = {} if previous is None else previous.accepted
    is_first = previous is None or previous.listed_at is None
    if config.approval == "none" or (config.approval == "changes" and is_first):
        accepted = listed
    return replace(
        previous or _empty(server),
        state="ready",
        checked_at=now,
        stale_at=now + STALE_INTERVALS * interval_minutes * 60,
        connection_hash=config.connection_hash,
        listed_at=now,
        listed=listed,
        accepted=accepted,
        protocol_version=found.protocol_version,
        server_name=None if found.server is None else found.server.name,
        server_version=None if found.server is None else found.server.version,
        failure=None,
        left_out=left_out,
    )


def failed(
    previous: McpListing | None, server: str, config: McpServerConfig, failure: McpFailure, *, now: float
) -> McpListing:
    """Return the listing after a failed refresh, which keeps all definitions."""
    return replace(
        previous or _empty(server),
        state="failed",
        checked_at=now,
        stale_at=now + RETRY_SECONDS,
        connection_hash=config.connection_hash,
        failure=failure,
    )


def approved(listing: McpListing, *, seen: str, tools: Collection[str], by: str, now: float) -> McpListing:
    """Return the listing whose definitions are accepted as they are listed: those of `tools`.

    Raises RequestError when the definitions are not those of the hash `seen` (409), and for unknown tools (400).
    """
    if seen != listing.listed_hash:
        message = f"the tools of the server {listing.server!r} have changed again; look at them and approve them anew"
        raise RequestError(message, status=HTTPStatus.CONFLICT, code="definitions_changed")
    accepted = dict(listing.accepted)
    for tool in tools:
        if tool not in listing.names:
            message = (
                f"the server {listing.server!r} has no tool {tool!r}; its tools are {known_names(tool, listing.names)}"
            )
            raise RequestError(message, code="tool_not_found", details=(Problem("tools", message),))
        if tool in listing.listed:
            accepted[tool] = listing.listed[tool]
        else:
            del accepted[tool]
    return replace(listing, accepted=accepted, approved_at=now, approved_by=by)


def _empty(server: str) -> McpListing:
    return McpListing(server=server, state="failed", checked_at=0.0, stale_at=0.0, connection_hash="")


def _usable(server: str, found: ServerListing, left_out: dict[str, str]) -> Definitions:
    """Return the listed definitions that can be stored, at most 512; add the others to `left_out`."""
    tools: list[dict[str, Json]] = []
    for tool in found.tools:
        if not _is_storable(tool):
            left_out[str(tool.get("name"))] = "its definition is nested too deeply, or is no valid text"
        elif len(tools) == MAX_TOOLS:
            left_out.setdefault("more tools", f"a server may have {MAX_TOOLS} tools")
        else:
            tools.append(tool)
    if left_out:
        logger.warning("mcp tools left out", server=server, taken=len(tools), reasons=left_out)
    return definitions_of(tools)


def _is_storable(tool: dict[str, Json]) -> bool:
    """Return whether the JSON of a definition is valid text and not nested too deeply."""
    try:
        # The stored text has the definition three levels deep.
        return safe_loads(dumps([[[tool]]])) is not None
    except JsonError:
        return False
