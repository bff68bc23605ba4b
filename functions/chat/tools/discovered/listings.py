"""Listings of the configured MCP servers, read in the background, and the requests to refresh them."""

import threading
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError
from flexchat.mcp_listings import McpListing, hash_of
from flexchat.observability import logger

if TYPE_CHECKING:
    from flexchat.config.models.mcp_servers import McpServerConfig

PATIENCE_SECONDS: Final = 1.0
"""Longest wait of the first request of an environment for the listings; later ones never wait."""

READ_SECONDS: Final = 5.0
"""Time of a read in the background."""

RETRY_SECONDS: Final = 5.0
"""Pause after a failed read."""

ABSENT_SECONDS: Final = 1.0
"""Lifetime of listings that lack a server: an operator calls its tools as soon as they are listed."""

REQUEST_SECONDS: Final = 60.0
"""Pause between two requests for a refresh."""

type ReadListings = Callable[[Collection[str], Deadline], Mapping[str, McpListing]]
"""Reads the stored listings of servers by name. Raises UnavailableError and ConfigError."""

type RequestRefresh = Callable[[tuple[str, ...], Deadline], None]
"""Requests a refresh of servers without waiting for it. Raises UnavailableError."""

type Start = Callable[[Callable[[], None]], object]
"""Starts work in the background."""


class Listed(Struct, frozen=True):
    """Listings by server; `is_read` is false while they could not be read."""

    by_server: Mapping[str, McpListing] = field(default_factory=dict[str, McpListing])
    is_read: bool = True


NOT_READ: Final = Listed(is_read=False)


class ListingCache:
    """Listings for any number of threads, of which one reads them again after `ttl_seconds`.

    The object stays the same until the tools change, so that results derived from it can be cached by identity. `clock`
    is in seconds since the epoch: a monotonic clock stops in a snapshot.
    """

    def __init__(
        self,
        read: ReadListings,
        request_refresh: RequestRefresh,
        *,
        ttl_seconds: float,
        clock: Clock,
        start: Start | None = None,
    ) -> None:
        self._read = read
        self._request_refresh = request_refresh
        self._ttl_seconds = ttl_seconds
        self._clock = clock
        self._start = start or _start_thread
        self._lock = threading.Lock()
        self._listed = NOT_READ
        self._names: frozenset[str] | None = None
        self._fresh_until = 0.0
        self._reading = False
        self._requested_at = float("-inf")

    def current(self, servers: Mapping[str, "McpServerConfig"], deadline: Deadline) -> Listed:
        """Return the listings of `servers`.

        The first request for a set of servers waits for a read, and each one while a server was never listed, so that
        no tool is unknown after a refresh has listed it. No request waits for a server.
        """
        names = frozenset(name for name, config in servers.items() if config.enabled)
        with self._lock:
            if names == self._names and (self._reading or self._clock() < self._fresh_until):
                return self._listed
            lacks_one = self._listed.is_read and not names <= self._listed.by_server.keys()
            waits, self._names, self._reading = names != self._names or lacks_one, names, True
        if waits:
            self._read_again(servers, names, deadline.within(PATIENCE_SECONDS))
        else:
            self._start(lambda: self._read_again(servers, names, Deadline.after(READ_SECONDS)))
        return self._listed

    def _read_again(self, servers: Mapping[str, "McpServerConfig"], names: frozenset[str], deadline: Deadline) -> None:
        try:
            found = Listed(self._read(sorted(names), deadline) if names else {})
        except FlexchatError as exc:
            logger.warning("mcp listings not read", reason=str(exc))
            found, seconds = None, min(RETRY_SECONDS, self._ttl_seconds)
        else:
            seconds = self._ttl_seconds if names <= found.by_server.keys() else min(ABSENT_SECONDS, self._ttl_seconds)
        with self._lock:
            self._reading = False
            if names != self._names:  # another request has read the listings of another configuration
                return
            self._fresh_until = self._clock() + seconds
            if found is not None and _content(found) != _content(self._listed):
                self._listed = found
        if found is not None:
            self._request_due(servers, found)

    def _request_due(self, servers: Mapping[str, "McpServerConfig"], listed: Listed) -> None:
        """Request a refresh of the servers whose listing is absent, old, or of another connection."""
        now = self._clock()
        due = tuple(
            name
            for name, config in servers.items()
            if config.enabled
            and ((listing := listed.by_server.get(name)) is None or listing.needs_refresh(config.connection_hash, now))
        )
        with self._lock:
            if not due or now < self._requested_at + REQUEST_SECONDS:
                return
            self._requested_at = now
        self._start(lambda: self._request(due))

    def _request(self, due: tuple[str, ...]) -> None:
        try:
            self._request_refresh(due, Deadline.after(READ_SECONDS))
        except FlexchatError as exc:
            logger.warning("mcp refresh not requested", servers=due, reason=str(exc))
        else:
            logger.info("mcp refresh requested", servers=due)


def _start_thread(work: Callable[[], None]) -> None:
    threading.Thread(target=work, name="mcp-listings", daemon=True).start()


def _content(listed: Listed) -> object:
    """Return the part of listings that tools depend on."""
    return listed.is_read, {
        name: (
            listing.state,
            hash_of(listing.listed),
            hash_of(listing.accepted),
            listing.failure and listing.failure.message,
        )
        for name, listing in listed.by_server.items()
    }
