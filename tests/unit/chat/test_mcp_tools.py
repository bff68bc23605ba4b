"""Tools of MCP servers beside the configured ones: definitions, precedence, and the reasons of withheld ones."""

from copy import replace
from typing import Any

from flexchat.config.document import parse
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.tools import ResponseToolsConfig, ToolDefinition
from flexchat.deadline import Deadline
from flexchat.mcp_listings import McpFailure, McpListing, definitions_of
from flexchat.messages import Json
from flexchat.schema import check_schema
from flexchat.tool_traits import traits_of
from flexchat.tool_types import EVERY_TRAIT, ToolTraits
from functions.chat.tools.discovered.definitions import available_tools
from functions.chat.tools.discovered.listings import NOT_READ, Listed
from functions.chat.tools.executor import ExecutionContext
from functions.chat.tools.manager import ToolManager
from tests.unit.chat.executor_fakes import OK, Invoker, unaudited

READ: dict[str, Json] = {
    "name": "read",
    "description": "Reads a file.",
    "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}},
    "outputSchema": {"type": "object"},
}
SERVER: dict[str, Json] = {
    "command": "node",
    "timeout_ms": 9_000,
    "argument_names": {"read": {"file_path": "filePath"}},
    "tool_settings": {"read": {"idempotent": True, "timeout_ms": 500}, "unknown": {"repeatable": True}},
}
CONNECTION: Json = {"command": "node", "connect_timeout_ms": 5_000, "hints": []}


def tool(name: str, **implementation: Json) -> dict[str, Json]:
    return {
        "name": name,
        "description": "Configured.",
        "parameters": {"type": "object"},
        "implementation": {"type": "mock", **implementation},
    }


def configuration(*tools: dict[str, Json], server: dict[str, Json] = SERVER, **settings: Json) -> Configuration:
    parsed = parse({"mcp_servers": {"files": server}, "tools": {"enabled": True, "registry": [*tools], **settings}})
    assert parsed.problems == ()
    return parsed.configuration


def listing(
    *listed: dict[str, Json], accepted: tuple[dict[str, Json], ...] | None = None, **changes: Any
) -> McpListing:
    fields: dict[str, Any] = {
        "server": "files",
        "state": "ready",
        "checked_at": 0.0,
        "stale_at": 9e9,
        "connection_hash": "",
        "listed": definitions_of(listed),
        "accepted": definitions_of(listed if accepted is None else accepted),
        **changes,
    }
    return McpListing(**fields)


def manager(config: Configuration, *listings: McpListing, listed: Listed | None = None) -> ToolManager:
    found = listed or Listed({each.server: each for each in listings})
    available = available_tools(config, found)
    return ToolManager(
        config=available.config, invoker=Invoker([OK], types=("mock", "mcp")), withheld=available.withheld
    )


def test_a_tool_has_the_servers_definition_and_the_settings_of_the_configuration() -> None:
    found = manager(configuration(), listing(READ)).get_registry().get("files/read")

    assert found == ToolDefinition(
        name="files/read",
        description="Reads a file.",
        parameters={"type": "object", "properties": {"path": {"type": "string"}}},
        implementation={
            "type": "mcp",
            "server": "files",
            "tool": "read",
            "connection": CONNECTION,
            "argument_names": {"file_path": "filePath"},
            "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
            "output_schema": {"type": "object"},
            "timeout_ms": 500,
        },
        idempotent=True,
        reads_private=True,
        egress=True,
        writes=True,
        untrusted=True,
    )


def test_a_tool_without_texts_has_a_description_of_its_own_and_the_timeout_of_the_server() -> None:
    found = manager(configuration(), listing({"name": "write it"})).get_registry().get("files/write_it")

    assert found is not None
    assert (found.description, found.timeout_ms) == ("Tool 'write it' of the MCP server 'files'.", 9_000)


def test_a_long_description_is_cut() -> None:
    found = manager(configuration(), listing({"name": "read", "description": "x" * 9_000})).get_registry().list()

    assert [len(each.description) for each in found] == [4_096]


def test_a_configured_tool_is_never_replaced() -> None:
    config = configuration(tool("files/read"), tool("find", type="mcp", server="files", tool="search"))
    tools = manager(config, listing(READ, {"name": "search"}, {"name": "write"}))

    assert [(each.name, each.implementation_type) for each in tools.get_registry().list()] == [
        ("files/read", "mock"),
        ("find", "mcp"),
        ("files/write", "mcp"),
    ]
    assert tools.withheld() == {}


def test_a_pinned_tool_has_the_connection_of_its_server_and_needs_no_listing() -> None:
    pinned = tool("find", type="mcp", server="files", tool="read")
    tools = manager(configuration(pinned), listed=NOT_READ)

    found = tools.get_registry().get("find")
    assert found is not None
    assert found.implementation == {
        "type": "mcp",
        "server": "files",
        "tool": "read",
        "connection": CONNECTION,
        "argument_names": {"file_path": "filePath"},
        "timeout_ms": 9_000,
    }
    assert tools.offered(None) == {"find"}


def test_a_pinned_tool_of_an_unknown_or_disabled_server_is_withheld() -> None:
    other = tool("other", type="mcp", server="wiki", tool="x")
    off = tool("off", type="mcp", server="files", tool="x")
    tools = manager(configuration(other, off, server={**SERVER, "enabled": False}))

    assert tools.withheld() == {
        "other": ("the MCP server 'wiki' is not configured or cannot be used",),
        "off": ("the MCP server 'files' is disabled in the configuration",),
        "files/*": ("the server is disabled in the configuration",),
    }


def test_definitions_that_are_not_approved_are_withheld_with_the_command() -> None:
    tools = manager(
        configuration(), listing({**READ, "title": "Other"}, {"name": "add"}, accepted=(READ, {"name": "old"}))
    )

    assert tools.offered(None) == frozenset()
    assert tools.withheld() == {
        "files/read": (
            "its definition has changed since it was approved; approve it with `flexchat mcp approve files`",
        ),
        "files/add": ("new since the last approval; approve it with `flexchat mcp approve files`",),
        "files/old": ("the server does not list it any more",),
    }


def test_an_invalid_schema_costs_its_own_tool_only() -> None:
    broken: dict[str, Json] = {"name": "broken", "inputSchema": {"properties": {"a": {"type": "text"}}}}
    tools = manager(configuration(), listing(broken, READ))

    assert tools.offered(None) == {"files/read"}
    assert list(tools.withheld()) == ["files/broken"]
    assert tools.withheld()["files/broken"] == tuple(
        check_schema({"type": "object", "properties": {"a": {"type": "text"}}})
    )


def test_a_recursive_schema_is_offered_without_its_recursion() -> None:
    tree: dict[str, Json] = {"name": "tree", "inputSchema": {"properties": {"below": {"$ref": "#"}}}}
    tools = manager(configuration(), listing(tree, READ))

    assert tools.offered(None) == {"files/read", "files/tree"}


def test_arguments_that_are_no_object_cannot_be_sent() -> None:
    tools = manager(configuration(), listing({"name": "list", "inputSchema": {"type": "array"}}))

    assert tools.withheld() == {"files/list": ("its inputSchema is not of type 'object'",)}


def test_a_server_that_is_away_costs_its_own_tools_only() -> None:
    failure = McpFailure(message="MCP connection failed after 3 attempts: no answer in time")
    tools = manager(configuration(tool("local")), listing(READ, state="failed", failure=failure))

    assert tools.offered(None) == {"local"}
    assert tools.withheld() == {
        "files/read": ("its MCP server is not available: MCP connection failed after 3 attempts: no answer in time",)
    }


def test_a_server_whose_tools_are_unknown_is_withheld_as_a_whole() -> None:
    failure = McpFailure(message="MCP connection failed after 3 attempts: refused")
    reasons = {
        "not read": manager(configuration(), listed=NOT_READ),
        "not listed": manager(configuration()),
        "never connected": manager(configuration(), listing(state="failed", failure=failure)),
        "empty": manager(configuration(), listing()),
        "disabled type": manager(configuration(disabled_types=["mcp"]), listing(READ)),
    }

    assert {case: tools.withheld()["files/*"][0] for case, tools in reasons.items()} == {
        "not read": "the list of its tools could not be read yet",
        "not listed": "its tools have not been listed yet",
        "never connected": "MCP connection failed after 3 attempts: refused",
        "empty": "the server has no tools",
        "disabled type": "tools of type 'mcp' are disabled in the configuration",
    }


def test_a_rule_allows_all_tools_of_a_server_or_single_ones() -> None:
    tools = manager(configuration(tool("local"), tool("filesystem")), listing(READ, {"name": "write"}))

    assert tools.offered(["files/*"]) == {"files/read", "files/write"}
    assert tools.offered(["files/write", "local"]) == {"files/write", "local"}
    assert tools.offered(["wiki/*"]) == frozenset()
    offered = tools.offer(ResponseToolsConfig(enabled=True, allowed_tools=("files/*",)))
    assert offered is not None
    assert offered.names == {"files/read", "files/write"}


def test_a_call_of_a_withheld_tool_has_a_reason_without_an_address() -> None:
    failure = McpFailure(message="connection to internal.example.com refused")
    away = manager(configuration(), listing(READ, state="failed", failure=failure))
    changed = manager(configuration(), listing({**READ, "title": "Other"}, accepted=(READ,)))
    context = ExecutionContext(Deadline.after(5.0), "request-1", unaudited)

    results = [tools.get_executor().execute("files/read", {}, context) for tools in (away, changed)]

    assert [(result.error_type, result.error) for result in results] == [
        ("unavailable", "Tool 'files/read' is not available: its MCP server does not answer at the moment"),
        ("tool_disabled", "Tool 'files/read' is disabled in this deployment"),
    ]


def test_tools_of_several_servers_with_one_failure_keep_the_others() -> None:
    config = parse({"mcp_servers": {"files": SERVER, "wiki": SERVER}, "tools": {"enabled": True}}).configuration
    tools = manager(config, listing(READ), replace(listing(READ, state="failed"), server="wiki"))

    assert tools.offered(None) == {"files/read"}
    assert list(tools.withheld()) == ["wiki/read"]


def test_the_traits_of_a_tool_are_stated_for_it_else_for_its_server_else_those_of_the_type() -> None:
    read_only: dict[str, Json] = {**READ, "annotations": {"readOnlyHint": True}}
    server: dict[str, Json] = {
        **SERVER,
        "egress": False,
        "tool_settings": {"read": {"reads_private": False, "egress": True}},
    }
    own = tool("own", type="mcp", server="files", tool="list")

    def traits(settings: dict[str, Json]) -> dict[str, ToolTraits]:
        registry = manager(configuration(own, server=settings), listing(read_only)).get_registry()
        return {each.name: traits_of(each) for each in registry.list()}

    assert traits(SERVER) == {"own": EVERY_TRAIT, "files/read": EVERY_TRAIT._replace(writes=False)}
    assert traits(server) == {
        "own": EVERY_TRAIT._replace(egress=False),
        "files/read": EVERY_TRAIT._replace(writes=False, reads_private=False),
    }


def test_a_stated_trait_counts_more_than_a_hint_of_the_server() -> None:
    read_only: dict[str, Json] = {**READ, "annotations": {"readOnlyHint": True}}
    server: dict[str, Json] = {**SERVER, "tool_settings": {"read": {"writes": True}}}
    found = manager(configuration(server=server), listing(read_only)).get_registry().get("files/read")

    assert found is not None
    assert traits_of(found) == EVERY_TRAIT
