"""Listings of MCP servers in the chat function: read in the background, refreshed on request."""

from collections.abc import Callable, Collection, Mapping
from copy import replace
from dataclasses import dataclass, field

from flexchat.config.models.mcp_servers import McpServerConfig
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.mcp_listings import McpListing, definitions_of
from functions.chat.tools.discovered.listings import NOT_READ, Listed, ListingCache
from tests.clock import Clock

SERVERS = {
    "files": McpServerConfig(command="node"),
    "off": McpServerConfig(command="node", enabled=False),
}

LISTING = McpListing(
    server="files",
    state="ready",
    checked_at=0.0,
    stale_at=2_700.0,
    connection_hash=SERVERS["files"].connection_hash,
    listed=definitions_of([{"name": "read"}]),
    accepted=definitions_of([{"name": "read"}]),
)


@dataclass
class Listings:
    """Stored listings with the reads and refresh requests of a cache; work in the background waits in `queue`."""

    stored: dict[str, McpListing] = field(default_factory=lambda: {"files": LISTING})
    clock: Clock = field(default_factory=lambda: Clock(0.0))
    reads: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    waits: list[float] = field(default_factory=list[float])
    requests: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    queue: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])
    failure: UnavailableError | None = None
    refused: UnavailableError | None = None

    def __post_init__(self) -> None:
        self.cache = ListingCache(self.read, self.request, ttl_seconds=60.0, clock=self.clock, start=self.queue.append)

    def read(self, servers: Collection[str], deadline: Deadline) -> Mapping[str, McpListing]:
        self.reads.append(tuple(servers))
        self.waits.append(deadline.at - deadline.clock())
        if self.failure is not None:
            raise self.failure
        return {name: self.stored[name] for name in servers if name in self.stored}

    def request(self, servers: tuple[str, ...], deadline: Deadline) -> None:
        if self.refused is not None:
            raise self.refused
        self.requests.append(servers)

    def current(self, servers: Mapping[str, McpServerConfig] = SERVERS) -> Listed:
        return self.cache.current(servers, Deadline(at=self.clock.now + 30.0, clock=self.clock))

    def work(self) -> None:
        """Run the work in the background, and what it starts."""
        while self.queue:
            self.queue.pop(0)()


def test_the_first_request_reads_the_listings_of_enabled_servers_within_a_second() -> None:
    listings = Listings()

    assert listings.current() == Listed({"files": LISTING})
    assert (listings.reads, listings.waits) == ([("files",)], [1.0])


def test_later_requests_read_nothing_within_the_time_to_live() -> None:
    listings = Listings()
    first = listings.current()
    listings.clock.now = 59.0

    assert listings.current() is first
    assert (len(listings.reads), listings.queue) == (1, [])


def test_an_expired_listing_is_read_in_the_background_once_for_all_requests() -> None:
    listings = Listings()
    first = listings.current()
    listings.stored["files"] = replace(LISTING, state="failed")
    listings.clock.now = 60.0

    assert [listings.current(), listings.current()] == [first, first]
    assert (len(listings.reads), len(listings.queue)) == (1, 1)
    listings.work()

    assert listings.current() == Listed({"files": replace(LISTING, state="failed")})
    assert len(listings.reads) == 2


def test_a_server_that_was_never_listed_is_read_by_the_next_request_after_a_second() -> None:
    listings = Listings(stored={})
    assert listings.current() == Listed({})
    listings.stored["files"] = LISTING  # the server is refreshed
    listings.clock.now = 1.0

    assert listings.current() == Listed({"files": LISTING})
    listings.clock.now = 60.0
    assert listings.current() == Listed({"files": LISTING})
    assert len(listings.reads) == 2


def test_the_object_stays_the_same_while_no_tool_changes() -> None:
    listings = Listings()
    first = listings.current()
    listings.stored["files"] = replace(LISTING, checked_at=60.0, stale_at=3_000.0, revision=7)
    listings.clock.now = 60.0
    listings.current()
    listings.work()

    assert listings.current() is first


def test_other_servers_of_a_new_configuration_are_read_at_once() -> None:
    listings = Listings()
    listings.current()
    listings.stored["issues"] = replace(LISTING, server="issues")

    found = listings.current({**SERVERS, "issues": McpServerConfig(command="node")})

    assert list(found.by_server) == ["files", "issues"]
    assert listings.reads == [("files",), ("files", "issues")]


def test_a_failed_read_leaves_the_last_listings_and_is_repeated_in_the_background() -> None:
    listings = Listings(failure=UnavailableError("no table"))

    assert listings.current() is NOT_READ
    listings.clock.now = 4.0
    assert listings.current() is NOT_READ
    assert len(listings.reads) == 1

    listings.failure, listings.clock.now = None, 5.0
    assert listings.current() is NOT_READ
    listings.work()
    first = listings.current()
    assert first == Listed({"files": LISTING})

    listings.failure, listings.clock.now = UnavailableError("no table"), 65.0
    listings.current()
    listings.work()
    assert listings.current() is first


def test_a_refresh_is_requested_in_the_background_for_servers_without_a_current_listing() -> None:
    listings = Listings()
    listings.stored["old"] = replace(LISTING, server="old", stale_at=0.0)
    servers = {
        **SERVERS,
        "old": McpServerConfig(command="node"),
        "moved": McpServerConfig(command="python"),
        "missing": McpServerConfig(command="node"),
    }
    listings.stored["moved"] = replace(LISTING, server="moved")

    listings.current(servers)

    assert listings.requests == []
    listings.work()
    assert listings.requests == [("old", "moved", "missing")]


def test_a_refresh_is_requested_at_most_once_a_minute() -> None:
    listings = Listings(stored={})
    listings.current()
    for now in (59.9, 61.0, 120.0, 122.0):
        listings.clock.now = now
        listings.current()
        listings.work()

    assert listings.requests == [("files",)] * 3
    assert len(listings.reads) == 5


def test_a_refused_request_for_a_refresh_changes_nothing() -> None:
    listings = Listings(stored={}, refused=UnavailableError("Lambda throttles"))

    first = listings.current()
    listings.work()

    assert (listings.current(), listings.requests) == (first, [])


def test_no_read_is_needed_without_an_enabled_server() -> None:
    listings = Listings()

    assert listings.current({"off": SERVERS["off"]}) == Listed({})
    assert (listings.reads, listings.queue) == ([], [])
