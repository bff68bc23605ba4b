"""Refreshes of the listings of configured servers."""

import json
import threading
from typing import Any

import pytest

from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.mcp import RefreshServers
from flexchat.mcp_listings import ListingTooLargeError, McpListing
from flexchat.messages import Json
from tests.unit.mcp.memory_listings import AWAY, READ, FakeServers, MemoryListings, configuration, refresher

SERVERS: dict[str, Json] = {
    "files": {"command": "node"},
    "issues": {"url": "https://issues.example.com/mcp", "hints": ["the VPN is up"]},
    "off": {"command": "node", "enabled": False},
}
ALL = RefreshServers()

TOOLS: dict[str, Json] = {
    "enabled": True,
    "registry": [
        {
            "name": name,
            "description": "A tool.",
            "parameters": {"type": "object"},
            "implementation": {"type": kind, **({"server": "files", "tool": "x"} if kind == "mcp" else {})},
        }
        for name, kind in (("datetime", "builtin"), ("search", "internal"), ("pinned", "mcp"))
    ],
}


def lines(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


def test_every_enabled_server_is_listed_and_one_that_is_away_costs_its_own_tools_only() -> None:
    listings, servers = MemoryListings(), FakeServers({"files": (READ,), "issues": AWAY})

    done = refresher(listings, servers).refresh(configuration(SERVERS), ALL, deadline=Deadline.after(60.0))

    assert sorted(servers.asked) == ["files", "issues"]
    assert {name: (listing.state, list(listing.accepted)) for name, listing in listings.stored.items()} == {
        "files": ("ready", ["read"]),
        "issues": ("failed", []),
    }
    assert done == listings.stored


def test_an_unexpected_error_of_one_server_is_stored_and_the_others_are_listed() -> None:
    listings, servers = MemoryListings(), FakeServers({"issues": (READ,)})

    refresher(listings, servers).refresh(configuration(SERVERS), ALL, deadline=Deadline.after(60.0))

    failure = listings.stored["files"].failure
    assert failure is not None
    assert failure.message == "its list of tools could not be read (KeyError)"
    assert listings.stored["issues"].state == "ready"


def test_servers_are_listed_at_the_same_time() -> None:
    servers = FakeServers({"files": (READ,), "issues": AWAY}, together=threading.Barrier(2))

    refresher(MemoryListings(), servers).refresh(configuration(SERVERS), ALL, deadline=Deadline.after(60.0))

    assert len(servers.asked) == 2


def test_a_request_for_single_servers_refreshes_those_that_are_due() -> None:
    listings, servers = MemoryListings(), FakeServers({"files": (READ,), "issues": (READ,)})
    refresher(listings, servers).refresh(
        configuration(SERVERS), RefreshServers(servers=("files",)), deadline=Deadline.after(60.0)
    )
    names = RefreshServers(servers=("files", "issues", "off", "unknown"))

    refresher(listings, servers, now=1_001.0).refresh(configuration(SERVERS), names, deadline=Deadline.after(60.0))
    refresher(listings, servers, now=1_002.0).refresh(configuration(SERVERS), names, deadline=Deadline.after(60.0))
    changed = configuration({**SERVERS, "files": {"command": "python"}})
    refresher(listings, servers, now=1_003.0).refresh(changed, names, deadline=Deadline.after(60.0))

    assert servers.asked == ["files", "issues", "files"]


def test_a_scheduled_refresh_lists_servers_that_are_not_due() -> None:
    servers, listings = FakeServers({"files": (READ,), "issues": (READ,)}), MemoryListings()
    for _ in range(2):
        refresher(listings, servers).refresh(configuration(SERVERS), ALL, deadline=Deadline.after(60.0))

    assert sorted(servers.asked) == ["files", "files", "issues", "issues"]


def test_the_time_of_a_server_leaves_some_to_store_the_result() -> None:
    servers = FakeServers({"files": (READ,)})
    config = configuration({"files": {"command": "node"}})

    refresher(MemoryListings(), servers).refresh(config, ALL, deadline=Deadline(at=25.0, clock=lambda: 0.0))

    assert servers.timeouts == [23_000]


def test_a_failure_is_logged_with_the_tools_that_still_work(capsys: pytest.CaptureFixture[str]) -> None:
    servers = FakeServers({"files": (READ,), "issues": AWAY})

    refresher(MemoryListings(), servers).refresh(
        configuration(SERVERS, tools=TOOLS), ALL, deadline=Deadline.after(60.0)
    )

    (line,) = [line for line in lines(capsys.readouterr().out) if line.get("message") == "mcp tools disabled"]
    names = ("level", "server", "summary", "stderr", "hints", "local_tools", "other_servers", "report")
    assert {name: line[name] for name in names} == {
        "level": "ERROR",
        "server": "issues",
        "summary": f"{AWAY.message}. Continuing without the tools of 'issues'",
        "stderr": "no broker",
        "hints": ["the VPN is up"],
        "local_tools": ["datetime", "search"],
        "other_servers": ["files"],
        "report": """\
MCP connection failed after 3 attempts: tools of 'issues' are not available
   Reason: Connection to http server 'issues' failed: no answer in time
   MCP server stderr: no broker
   Check: the VPN is up
Continuing with local tools (datetime, search) and those of files""",
    }


def test_the_report_of_the_only_server_names_the_local_tools(capsys: pytest.CaptureFixture[str]) -> None:
    config = configuration({"issues": SERVERS["issues"]}, tools=TOOLS)

    refresher(MemoryListings(), FakeServers({"issues": AWAY})).refresh(config, ALL, deadline=Deadline.after(60.0))

    (line,) = [line for line in lines(capsys.readouterr().out) if line.get("message") == "mcp tools disabled"]
    assert line["report"].splitlines()[-1] == "Continuing with local tools only (datetime, search)"


def test_what_definitions_lose_is_logged_once(capsys: pytest.CaptureFixture[str]) -> None:
    recursive: dict[str, Json] = {"name": "tree", "inputSchema": {"properties": {"below": {"$ref": "#"}}}}
    servers = FakeServers({"files": (READ, recursive)})
    work, config = refresher(MemoryListings(), servers), configuration({"files": {"command": "node"}})

    for _ in range(2):
        work.refresh_server(config, "files", deadline=Deadline.after(60.0))

    logged = [line for line in lines(capsys.readouterr().out) if line.get("message") == "mcp definitions cut"]
    assert [line["losses"] for line in logged] == [{"tree": ["properties.below.$ref: cut: it refers to itself"]}]


def test_each_refresh_has_a_metric_of_its_server(capsys: pytest.CaptureFixture[str]) -> None:
    servers = FakeServers({"files": (READ,), "issues": AWAY})

    refresher(MemoryListings(), servers).refresh(configuration(SERVERS), ALL, deadline=Deadline.after(60.0))

    metrics = {
        line["mcp_server"]: line["McpRefreshFailures"] for line in lines(capsys.readouterr().out) if "_aws" in line
    }
    assert metrics == {"files": [0.0], "issues": [1.0]}


def test_new_definitions_are_logged_once_as_waiting(capsys: pytest.CaptureFixture[str]) -> None:
    listings, servers = MemoryListings(), FakeServers({"files": (READ,)})
    config = configuration({"files": {"command": "node"}})
    work = refresher(listings, servers)
    work.refresh_server(config, "files", deadline=Deadline.after(60.0))
    servers.tools["files"] = (READ, {"name": "write"})
    work.refresh_server(config, "files", deadline=Deadline.after(60.0))

    logged = [
        (line["message"], line.get("tools") or {"new": line.get("new"), "changed": line.get("changed")})
        for line in lines(capsys.readouterr().out)
        if str(line.get("message")).startswith(("mcp tools", "mcp definitions"))
    ]
    assert logged == [
        ("mcp tools listed", {"offered": 1, "new": 0, "changed": 0, "removed": 0}),
        ("mcp tools listed", {"offered": 1, "new": 1, "changed": 0, "removed": 0}),
        ("mcp definitions not approved", {"new": 1, "changed": 0}),
    ]


def test_a_write_after_another_writer_begins_with_its_result() -> None:
    listings, servers = MemoryListings(), FakeServers({"files": (READ,)})
    config = configuration({"files": {"command": "node"}})
    refresher(listings, servers).refresh_server(config, "files", deadline=Deadline.after(60.0))
    listings.conflicts = 2

    done = refresher(listings, servers).refresh_server(config, "files", deadline=Deadline.after(60.0))

    assert (done.revision, listings.stored["files"]) == (4, done)


def test_a_listing_that_other_writers_always_replace_is_an_error() -> None:
    listings, servers = MemoryListings(conflicts=3), FakeServers({"files": (READ,)})
    config = configuration({"files": {"command": "node"}})

    with pytest.raises(UnavailableError, match="other writers replaced it"):
        refresher(listings, servers).refresh_server(config, "files", deadline=Deadline.after(60.0))


def test_a_store_that_does_not_answer_affects_no_other_server(capsys: pytest.CaptureFixture[str]) -> None:
    listings = MemoryListings(failure=UnavailableError("could not write"))
    servers = FakeServers({"files": (READ,), "issues": AWAY})

    assert refresher(listings, servers).refresh(configuration(SERVERS), ALL, deadline=Deadline.after(60.0)) == {}

    assert [
        line["server"] for line in lines(capsys.readouterr().out) if line.get("message") == "mcp listing not stored"
    ]


def test_a_list_that_is_too_large_is_a_failure_of_its_server() -> None:
    class SmallListings(MemoryListings):
        def write(self, listing: McpListing, deadline: Deadline) -> bool:
            if listing.listed:
                raise ListingTooLargeError("900000 bytes after compression, at most 300000 are stored")
            return super().write(listing, deadline)

    listings = SmallListings()
    config = configuration({"files": {"command": "node"}})

    refresher(listings, FakeServers({"files": (READ,)})).refresh_server(config, "files", deadline=Deadline.after(60.0))

    failure = listings.stored["files"].failure
    assert failure is not None
    assert failure.message.startswith("its list of tools is too large: 900000 bytes")
