"""Stored listings in memory, and servers that list tools without a connection."""

import threading
from collections.abc import Collection
from copy import replace
from dataclasses import dataclass, field

from flexchat.config.document import parse
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.mcp_servers import McpServerConfig
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.mcp import ServerListing, ServerName
from flexchat.mcp_listings import McpFailure, McpListing
from flexchat.messages import Json
from functions.tools.mcp.discovery.refresher import Refresher

READ: dict[str, Json] = {"name": "read", "description": "Reads a file.", "inputSchema": {"type": "object"}}

AWAY = McpFailure(message="MCP connection failed after 3 attempts: no answer in time", attempts=3, stderr="no broker")


@dataclass
class MemoryListings:
    """Listings by server. Each of `conflicts` writes fails as if another writer had been first."""

    stored: dict[str, McpListing] = field(default_factory=dict[str, McpListing])
    conflicts: int = 0
    failure: UnavailableError | None = None

    def read_all(self, servers: Collection[str], deadline: Deadline) -> dict[str, McpListing]:
        return {server: self.stored[server] for server in servers if server in self.stored}

    def read(self, server: str, deadline: Deadline) -> McpListing | None:
        return self.stored.get(server)

    def write(self, listing: McpListing, deadline: Deadline) -> bool:
        if self.failure is not None:
            raise self.failure
        stored = self.stored.get(listing.server)
        if self.conflicts:
            self.conflicts -= 1
            if stored is not None:
                self.stored[listing.server] = replace(stored, revision=stored.revision + 1)
            return False
        if listing.revision != (0 if stored is None else stored.revision):
            return False
        self.stored[listing.server] = replace(listing, revision=listing.revision + 1)
        return True


@dataclass
class FakeServers:
    """Tools or failures of servers by name; `asked` are the names in the order of requests."""

    tools: dict[str, tuple[dict[str, Json], ...] | McpFailure]
    asked: list[str] = field(default_factory=list[str])
    timeouts: list[int] = field(default_factory=list[int])
    together: threading.Barrier | None = None

    def __call__(self, server: str, config: McpServerConfig, timeout_ms: int) -> ServerListing | McpFailure:
        self.asked.append(server)
        self.timeouts.append(timeout_ms)
        if self.together is not None:
            self.together.wait(timeout=30)
        found = self.tools[server]
        if isinstance(found, McpFailure):
            return found
        return ServerListing(tools=found, protocol_version="2025-11-25", server=ServerName(name="example", version="1"))


def configuration(servers: dict[str, Json], **sections: Json) -> Configuration:
    parsed = parse({"mcp_servers": servers, **sections})
    assert parsed.problems == ()
    return parsed.configuration


def refresher(listings: MemoryListings, servers: FakeServers, *, now: float = 1_000.0) -> Refresher:
    return Refresher(listings=listings, list_tools=servers, clock=lambda: now)
