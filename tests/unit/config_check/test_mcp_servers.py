"""MCP servers: addresses, secrets and timeouts, and the names that tools and rules use of them."""

from collections.abc import Mapping

import pytest

from cli.secret_hosts import secret_destinations
from flexchat.config.document import parse
from flexchat.config_check.check import check_source
from flexchat.messages import Json
from flexchat.tool_types import TOOL_TYPES
from tests.unit.config.sources import problem_lines, rule, source, tool

FILES: dict[str, Json] = {
    "command": "node",
    "args": ["index.js"],
    "env": {"TOKEN": "${FILES_TOKEN}"},
    "tools": ["read", "write it"],
    "argument_names": {"read": {"file_path": "filePath"}},
    "tool_settings": {"write it": {"sequential": True}},
}
ISSUES: dict[str, Json] = {
    "url": "https://api.example.com/${PATH_KEY}/mcp",
    "headers": {"X-Key": "${ISSUES_KEY}"},
    "auth": {"type": "bearer", "token": "${ISSUES_TOKEN}"},
}


def problems(
    servers: Mapping[str, Json], severity: str = "error", *, tools: tuple[dict[str, Json], ...] = (), **sections: Json
) -> list[str]:
    settings: Json = {"enabled": True, "registry": [*tools], "disabled_types": sections.pop("disabled_types", [])}
    document = source(mcp_servers=dict(servers), responses=[rule()], tools=settings, **sections)
    return problem_lines(check_source(document, TOOL_TYPES)[1], severity)


def test_servers_without_problems_have_none() -> None:
    servers: dict[str, Json] = {"files": FILES, "issues": ISSUES}

    assert (problems(servers), problems(servers, "warning")) == ([], [])


@pytest.mark.parametrize(
    ("server", "expected"),
    [
        (
            {**ISSUES, "url": "ftp://api.example.com"},
            ["mcp_servers.s.url: must be an http or https address without a "],
        ),
        ({**ISSUES, "url": "https://10.0.0.8/mcp"}, ["mcp_servers.s.url: "]),
        (
            {**FILES, "command": "node index.js"},
            ["mcp_servers.s.command: a deployment cannot list this command (McpCommands): a command has only"],
        ),
        ({**FILES, "command": "C:\\node.exe"}, ["mcp_servers.s.command: a deployment cannot list this command"]),
        ({**FILES, "command": "bin/node"}, ["mcp_servers.s.command: must be a name on the function's PATH, or a "]),
        ({**FILES, "command": "/opt/../bin/sh"}, ["mcp_servers.s.command: must be a name on the function's PATH"]),
        ({**FILES, "command": "/opt/bin/node-24.1_x"}, []),
        (
            {**ISSUES, "url": "https://${HOST}/mcp"},
            ["mcp_servers.s.url: the host must be written out, without a secret"],
        ),
        (
            {**ISSUES, "headers": {"X-Custom": "Bearer abcdef1"}, "auth": {"type": "bearer", "token": "abcdef"}},
            [
                "mcp_servers.s.headers.X-Custom: the key itself is",
                "mcp_servers.s.auth.token: the key itself is in the",
            ],
        ),
        (
            {**ISSUES, "url": "https://api.example.com/mcp?api_key=sk-abcdefabcdefabcdef"},
            ["mcp_servers.s.url: the key itself is in the"],
        ),
        (
            {**FILES, "env": {"A": "sk-abcdefabcdefabcdef"}},
            ["mcp_servers.s.env.A: the key itself is in the file"],
        ),
        (
            {**FILES, "env": {"A": "${AWS_SECRET_ACCESS_KEY}"}},
            ["mcp_servers.s.env.A: the secret 'AWS_SECRET_ACCESS_KEY'"],
        ),
        ({**FILES, "env": {"A": "${}"}}, ["mcp_servers.s.env.A: '${' begins no reference"]),
        ({**FILES, "args": ["--key", "${KEY}"]}, ["mcp_servers.s.args.1: names a secret; put it into 'env'"]),
        (
            {**FILES, "timeout_ms": 90_000, "tool_settings": {"read": {"timeout_ms": 61_000}}},
            [
                "mcp_servers.s.timeout_ms: must be at most 60000, the limit of the function of type 'mcp'; it is 90000",
                "mcp_servers.s.tool_settings.read.timeout_ms: must be at most 60000, the limit of the function of type",
            ],
        ),
    ],
)
def test_problems_of_a_server_are_errors_at_their_fields(server: dict[str, Json], expected: list[str]) -> None:
    found = problems({"s": server})

    assert len(found) == len(expected)
    assert [line for line, start in zip(found, expected, strict=True) if not line.startswith(start)] == []


@pytest.mark.parametrize(
    ("connection", "expected"),
    [
        ({"command": "npx"}, []),
        ({"command": "/opt/bin/uvx", "connect_timeout_ms": 600_000}, []),
        (
            {"command": "node", "connect_timeout_ms": 90_000},
            ["connect_timeout_ms: must be at most 60000, the limit of"],
        ),
        (
            {"url": ISSUES["url"], "connect_timeout_ms": 90_000},
            ["connect_timeout_ms: must be at most 60000, the limit"],
        ),
    ],
)
def test_only_an_installation_may_take_longer_than_the_function(
    connection: dict[str, Json], expected: list[str]
) -> None:
    found = problems({"s": connection})

    assert [line for line, start in zip(found, expected, strict=True) if f"mcp_servers.s.{start}" not in line] == []


def test_settings_of_tools_that_are_not_taken_are_a_warning() -> None:
    server: dict[str, Json] = {**FILES, "argument_names": {"reed": {"a": "b"}}}

    assert problems({"s": server}, "warning") == [
        "mcp_servers.s.argument_names.reed: is not used: the server's tools do not name 'reed'; did you mean 'read'?"
    ]
    assert problems({"s": {**server, "tools": None}}, "warning") == []


@pytest.mark.parametrize(
    ("allowed", "expected"),
    [
        ("files/*", []),
        ("files/read", []),
        ("files/write_it", []),
        ("issues/anything", []),
        ("broken/*", []),
        ("broken/read", []),
        ("fils/*", ["allows no tool: no MCP server named 'fils'; did you mean 'files'?"]),
        ("files/reed", ["allows no tool: mcp_servers.files.tools does not name 'reed'; did you mean 'read'?"]),
        ("off/*", ["allows no tool: the MCP server 'off' is disabled"]),
        ("other/tool", ["no tool named 'other/tool'"]),
    ],
)
def test_rules_may_allow_all_tools_of_a_server_or_single_ones(allowed: str, expected: list[str]) -> None:
    document = source(
        mcp_servers={"files": FILES, "issues": ISSUES, "off": {**FILES, "enabled": False}, "broken": {}},
        tools={"enabled": True, "registry": [tool("local")]},
        responses=[rule(tools={"enabled": True, "allowed_tools": [allowed]})],
    )

    path = "responses[0].tools.allowed_tools[0]: "
    found = problem_lines(check_source(document, TOOL_TYPES)[1], "warning")
    assert [line.removeprefix(path) for line in found if line.startswith(path)] == expected


def test_tools_of_a_disabled_type_are_not_offered() -> None:
    document = source(
        mcp_servers={"files": FILES},
        tools={"enabled": True, "disabled_types": ["mcp"]},
        responses=[rule(tools={"enabled": True, "allowed_tools": ["files/*"]})],
    )

    assert "responses[0].tools.allowed_tools[0]: allows no tool: tools of type 'mcp' are disabled" in problem_lines(
        check_source(document, TOOL_TYPES)[1], "warning"
    )


def test_a_pinned_tool_names_a_configured_server() -> None:
    def pinned(server: str) -> dict[str, Json]:
        return tool(server, implementation={"type": "mcp", "server": server, "tool": "read"})

    assert problems({"files": FILES}, tools=(pinned("files"), pinned("fils"))) == [
        "tools.registry[1].implementation.server: no MCP server named 'fils'; did you mean 'files'?"
    ]


def test_a_pinned_tool_has_no_connection_of_its_own() -> None:
    own = tool(
        "own", implementation={"type": "mcp", "server": "files", "tool": "read", "connection": {"command": "node"}}
    )

    assert problems({"files": FILES}, "warning", tools=(own,)) == [
        "tools.registry[0].implementation.connection: is not used: the connection is that of the server in mcp_servers"
    ]


def test_secrets_of_servers_over_http_are_bound_to_their_hosts_and_those_of_processes_to_none() -> None:
    oauth: dict[str, Json] = {
        "type": "oauth2_client_credentials",
        "token_url": "https://login.example.com/token",
        "client_id": "id",
        "client_secret": "${CLIENT_SECRET}",
    }
    servers: dict[str, Json] = {"files": FILES, "issues": ISSUES, "wiki": {**ISSUES, "auth": oauth}}

    assert secret_destinations(parse({"mcp_servers": servers}).configuration) == {
        "PATH_KEY": ("api.example.com",),
        "ISSUES_KEY": ("api.example.com",),
        "ISSUES_TOKEN": ("api.example.com",),
        "CLIENT_SECRET": ("login.example.com",),
    }
