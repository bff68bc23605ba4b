"""The `mcp_servers` section: entries, their connections, and their parameters."""

import json
import subprocess
import sys
from typing import Any

import pytest

from flexchat.config.catalog import DisabledEntry, with_secrets
from flexchat.config.document import parse
from flexchat.config.models.http_auth import BearerAuth
from flexchat.config.models.mcp_servers import McpServerConfig
from flexchat.config.parameters import join, manifest_name
from flexchat.config.secrets import references
from flexchat.messages import Json
from tests.unit.config.sources import STAGE, parameter_of, source, stored

FILES: dict[str, Json] = {
    "command": "node",
    "args": ["/opt/servers/files/index.js", "/opt/data"],
    "env": {"TOKEN": "${FILES_TOKEN}"},
}
ISSUES: dict[str, Json] = {
    "url": "https://api.example.com/mcp",
    "headers": {"X-Key": "${ISSUES_KEY}"},
    "auth": {"type": "bearer", "token": "${ISSUES_TOKEN}"},
    "hints": ["the VPN is up"],
}


def problems_of(servers: Json) -> tuple[str, ...]:
    return tuple(map(str, parse({"mcp_servers": servers}).problems))


def test_entries_are_parsed_with_their_defaults_and_a_comment_is_no_server() -> None:
    configuration = parse({"mcp_servers": {"comment": "ours", "files": FILES, "issues": ISSUES}}).configuration

    assert configuration.mcp_servers == {
        "files": McpServerConfig(
            command="node", args=("/opt/servers/files/index.js", "/opt/data"), env={"TOKEN": "${FILES_TOKEN}"}
        ),
        "issues": McpServerConfig(
            url="https://api.example.com/mcp",
            headers={"X-Key": "${ISSUES_KEY}"},
            auth=BearerAuth(type="bearer", token="${ISSUES_TOKEN}"),
            hints=("the VPN is up",),
        ),
    }


@pytest.mark.parametrize(
    ("servers", "problems"),
    [
        ({"a": {}}, ("mcp_servers.a: must have either 'command' or 'url'",)),
        ({"a": {**FILES, **ISSUES}}, ("mcp_servers.a: must have either 'command' or 'url'",)),
        (
            {"a": {**FILES, "headers": {"X": "1"}, "auth": {"type": "bearer", "token": "${T}"}}},
            ("mcp_servers.a: a server with 'command' has no 'headers' and no 'auth'",),
        ),
        (
            {"a": {**ISSUES, "args": ["x"]}},
            ("mcp_servers.a: a server with 'url' has no 'args'",),
        ),
        ({"a": {**ISSUES, "hint": ["x"]}}, ("mcp_servers.a.hint: unknown key 'hint'; did you mean 'hints'?",)),
        (
            {"a": {**ISSUES, "tool_settings": {"x": {"repeat": True}}}},
            ("mcp_servers.a.tool_settings.x.repeat: unknown key 'repeat'; did you mean 'repeatable'?",),
        ),
        (
            {"a.b": ISSUES},
            ('mcp_servers["a.b"]: the name of an MCP server must be 1 to 32 of the characters a-z, A-Z, 0-9, _ and -',),
        ),
        (
            {"a": {**ISSUES, "auth": {"type": "bearer", "tokn": "x"}}},
            (
                "mcp_servers.a.auth.bearer.token: is required",
                "mcp_servers.a.auth.bearer.tokn: unknown key 'tokn'",
            ),
        ),
        (["files"], ("mcp_servers: must be an object",)),
        ({f"s{number}": ISSUES for number in range(51)}, ("mcp_servers: must have at most 50 items, not 51",)),
    ],
)
def test_problems_name_the_entry_and_the_remedy(servers: Json, problems: tuple[str, ...]) -> None:
    assert problems_of(servers) == problems


def test_a_broken_server_is_disabled_alone() -> None:
    parsed = parse({"mcp_servers": {"files": FILES, "issues": {**ISSUES, "url": 5}}})

    assert list(parsed.configuration.mcp_servers) == ["files"]
    assert parsed.is_whole
    assert parsed.broken == (DisabledEntry("mcp_server", "issues", ("mcp_servers.issues.url: must be text",)),)


def test_the_connection_of_a_call_has_the_server_with_references_and_the_time_of_an_attempt() -> None:
    files, issues = (McpServerConfig.model_validate(entry) for entry in (FILES, ISSUES))

    assert files.connection == {**FILES, "connect_timeout_ms": 5_000, "hints": []}
    assert issues.connection == {**ISSUES, "connect_timeout_ms": 5_000}
    assert (files.transport, issues.transport) == ("stdio", "http")


def test_the_connection_hash_changes_with_the_server_alone() -> None:
    one = McpServerConfig.model_validate(ISSUES)
    same = McpServerConfig.model_validate({**ISSUES, "hints": [], "connect_timeout_ms": 100, "approval": "none"})
    other = McpServerConfig.model_validate({**ISSUES, "headers": {}})

    assert one.connection_hash == same.connection_hash
    assert one.connection_hash != other.connection_hash


def test_the_representation_of_a_server_has_no_address_and_no_credentials() -> None:
    text = repr([McpServerConfig.model_validate({**ISSUES, "url": "https://x/?key=k"}), McpServerConfig(command="x")])

    assert not [secret for secret in ("key=", "ISSUES", "bearer") if secret in text]


def test_every_server_has_its_own_parameter() -> None:
    document = source(mcp_servers={"comment": "ours", "files": FILES, "issues": ISSUES})
    parameters = stored(document)

    assert [name.split("/")[4:6] for name in parameters if "/mcp_servers/" in name] == [
        ["mcp_servers", "files"],
        ["mcp_servers", "issues"],
    ]
    assert join(parameters, stage=STAGE).source == document


def test_a_server_with_an_unreadable_parameter_is_disabled_alone() -> None:
    parameters = stored(source(mcp_servers={"files": FILES, "issues": ISSUES}))
    name = parameter_of(parameters, "mcp_servers/files")
    del parameters[name]

    joined = join(parameters, stage=STAGE)

    assert joined.disabled == (DisabledEntry("mcp_server", "files", (f"the parameter '{name}' is missing",)),)
    assert joined.source["mcp_servers"] == {"issues": ISSUES}


def test_the_manifest_of_a_configuration_without_servers_has_no_such_section() -> None:
    assert "mcp_servers" not in json.loads(stored(source())[manifest_name(STAGE)])


def test_a_server_with_a_missing_secret_is_disabled_and_the_others_keep_their_references() -> None:
    configuration = parse({"mcp_servers": {"files": FILES, "issues": ISSUES}}).configuration

    usable, disabled = with_secrets(configuration, {"ISSUES_KEY": "k", "ISSUES_TOKEN": "t"}, {}, stage="dev")

    assert usable.mcp_servers == {"issues": McpServerConfig.model_validate(ISSUES)}
    reason = "secret 'FILES_TOKEN' is not stored; run `flexchat secrets set FILES_TOKEN --stage dev`"
    assert disabled == (DisabledEntry("mcp_server", "files", (reason,)),)
    assert references(configuration) == {
        "FILES_TOKEN": ("mcp_servers.files.env.TOKEN",),
        "ISSUES_KEY": ("mcp_servers.issues.headers.X-Key",),
        "ISSUES_TOKEN": ("mcp_servers.issues.auth.token",),
    }


def test_a_configuration_without_servers_imports_no_model_of_the_section() -> None:
    code = (
        "import sys; from flexchat.config.document import parse; parse({'mcp_servers': {}}); "
        "print('flexchat.config.models.mcp_servers' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603

    assert done.stdout == "False\n"


@pytest.mark.parametrize(
    ("entry", "milliseconds"),
    [
        ({"command": "npx"}, 300_000),
        ({"command": "/opt/bin/uvx"}, 300_000),
        ({"command": "npx", "connect_timeout_ms": 2_000}, 2_000),
        ({"command": "node"}, 5_000),
        ({"url": "https://npx.example.com/npx"}, 5_000),
    ],
)
def test_a_command_that_installs_its_server_has_more_time(entry: dict[str, Any], milliseconds: int) -> None:
    assert McpServerConfig.model_validate(entry).connect_timeout_ms == milliseconds
