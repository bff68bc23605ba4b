"""Requests and output of `flexchat mcp`, but `serve`."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cli.reviewed_text import reviewed_text
from tests.unit.cli.command_runner import Flexchat, SentRequest

ECHO: dict[str, Any] = {
    "name": "files/read",
    "tool": "read",
    "description": "Read a file.\nSlowly.",
    "state": "offered",
}
CHANGED: dict[str, Any] = {
    "name": "files/write",
    "tool": "write",
    "description": "Write a file.",
    "state": "changed",
    "problems": ["its definition changed: approve it"],
    "diff": ["-  description: Write a file.", "+  description: Write a file\x1b[2J."],
}
READY: dict[str, Any] = {
    "name": "files",
    "transport": "stdio",
    "target": "node",
    "state": "ready",
    "checked_at": "2026-11-20T10:00:00Z",
    "protocol_version": "2025-11-25",
    "server": {"name": "filesystem", "version": "1.2.0"},
    "pending_hash": "abc",
    "tools": [ECHO, CHANGED],
}
FAILED: dict[str, Any] = {
    "name": "tracker",
    "transport": "http",
    "target": "mcp.example.com",
    "state": "failed",
    "checked_at": "2026-11-20T10:00:00Z",
    "error": "MCP connection failed after 3 attempts",
    "hints": ["VPN is connected"],
    "tools": [],
}
SERVERS = {"servers": [READY, FAILED]}


def test_servers_are_listed_with_errors_hints_and_the_command_of_an_approval(flexchat: Flexchat) -> None:
    service = flexchat.serve(SERVERS)

    code, printed, _ = flexchat.type("mcp", "list", columns=140)

    assert (code, service.requests) == (0, [SentRequest("GET", "/api/mcp/servers")])
    assert printed == "\n".join(
        [
            "SERVER   TRANSPORT              STATE   TOOLS                   PROTOCOL    CHECKED",
            "files    stdio: node            ready   1, 1 wait for approval  2025-11-25  2026-11-20 10:00:00",
            "tracker  http: mcp.example.com  failed  0                                   2026-11-20 10:00:00",
            "! files: definitions wait for an approval: flexchat mcp approve files",
            "✗ tracker: MCP connection failed after 3 attempts",
            "  check: VPN is connected",
        ]
    )


def test_entries_that_are_left_out_are_named_with_their_reason(flexchat: Flexchat) -> None:
    listed = {"servers": [{**READY, "left_out": {"od\x1bd": "it has no name"}}]}
    flexchat.serve(listed, listed)

    for command in ("list", "tools"):
        _, printed, _ = flexchat.type("mcp", command, columns=140)

        assert "! files: od⟨U+001B⟩d is left out: it has no name" in printed


def test_what_models_do_not_get_of_a_definition_is_shown(flexchat: Flexchat) -> None:
    loss = "properties.below.$ref: cut: it refers to itself\x1b"
    flexchat.serve({"servers": [{**READY, "tools": [{**ECHO, "losses": [loss]}]}]})

    _, printed, _ = flexchat.type("mcp", "tools", columns=140)

    line = "models do not get properties.below.$ref: cut: it refers to itself⟨U+001B⟩"
    assert f"! {ECHO['name']}: {line}" in printed


def test_without_servers_the_list_names_the_command_that_adds_one(flexchat: Flexchat) -> None:
    flexchat.serve({"servers": []})

    code, printed, _ = flexchat.type("mcp", "list")

    assert (code, printed) == (0, "no MCP servers; add one: flexchat mcp add NAME --address URL")


def test_tools_are_listed_with_escaped_differences(flexchat: Flexchat) -> None:
    flexchat.serve(SERVERS)

    code, printed, _ = flexchat.type("mcp", "tools", "files")

    assert code == 0
    assert printed == "\n".join(
        [
            "TOOL         STATE    DESCRIPTION",
            "files/read   offered  Read a file.",
            "files/write  changed  Write a file.",
            "! files/write: its definition changed: approve it",
            "",
            "files/write (changed)",
            "    -  description: Write a file.",
            "    +  description: Write a file⟨U+001B⟩[2J.",
            "! files: definitions wait for an approval: flexchat mcp approve files",
        ]
    )


def test_an_unknown_server_is_refused_with_the_configured_ones(flexchat: Flexchat) -> None:
    service = flexchat.serve(SERVERS)

    code, _, error = flexchat.type("mcp", "tools", "fils")

    assert (code, len(service.requests)) == (1, 1)
    assert error == "https://chat.example has no MCP server 'fils'; it has: 'files', 'tracker'"


def test_a_refresh_fails_with_a_server_that_is_away(flexchat: Flexchat) -> None:
    service = flexchat.serve(SERVERS, READY, FAILED)

    code, printed, _ = flexchat.type("mcp", "refresh")

    assert code == 1
    assert [request.target for request in service.requests] == [
        "/api/mcp/servers",
        "/api/mcp/servers/files/refresh",
        "/api/mcp/servers/tracker/refresh",
    ]
    assert "✗ tracker: MCP connection failed after 3 attempts" in printed


def test_an_approval_sends_the_hash_of_the_definitions_that_it_showed(flexchat: Flexchat) -> None:
    approved: dict[str, Any] = {**READY, "tools": [ECHO, {**CHANGED, "state": "offered", "problems": [], "diff": []}]}
    del approved["pending_hash"]
    service = flexchat.serve(SERVERS, approved)

    code, printed, _ = flexchat.type("mcp", "approve", "files", "--tool", "write", "--yes")

    assert code == 0
    assert service.requests[1] == SentRequest(
        "POST", "/api/mcp/servers/files/approve", {"hash": "abc", "tools": ["write"]}
    )
    assert "+  description: Write a file⟨U+001B⟩[2J." in printed
    assert "files/write  offered" in printed


def test_only_tools_that_wait_can_be_approved(flexchat: Flexchat) -> None:
    service = flexchat.serve(SERVERS)

    code, _, error = flexchat.type("mcp", "approve", "files", "--tool", "read", "--yes")

    assert (code, len(service.requests)) == (1, 1)
    assert error == "files has no tool that waits for an approval 'read'; it has: 'write'"


def test_an_approval_without_waiting_tools_changes_nothing(flexchat: Flexchat) -> None:
    service = flexchat.serve(SERVERS)

    code, printed, _ = flexchat.type("mcp", "approve", "tracker")

    assert (code, len(service.requests)) == (0, 1)
    assert printed == "No tool of 'tracker' waits for an approval."


TRIAL = {
    "name": "files",
    "protocol_version": "2025-11-25",
    "server": {"name": "filesystem", "version": "1.2.0"},
    "tools": [
        {"name": "files/read", "tool": "read", "description": "Read a file.", "idempotent": True},
        {"name": "files/write", "tool": "write", "description": "Write a file.", "problems": ["no object schema"]},
    ],
}


def test_a_server_is_tried_and_added_to_a_file(flexchat: Flexchat, tmp_path: Path) -> None:
    service = flexchat.serve(TRIAL)
    file = tmp_path / "flexchat.json"
    file.write_text('{"tools": {"enabled": true}}')
    arguments = ("mcp", "add", "files", "-o", str(file), "--env", "KEY=${FILES_KEY}")

    code, printed, error = flexchat.type(*arguments, *_SERVICE, "--", "node", "server.js", options=())

    entry = {"command": "node", "args": ["server.js"], "env": {"KEY": "${FILES_KEY}"}}
    assert (code, printed) == (0, "")
    assert service.requests == [SentRequest("POST", "/api/mcp/trials", {"name": "files", "server": entry})]
    assert json.loads(file.read_text()) == {
        "tools": {"enabled": True},
        "mcp_servers": {"files": {**entry, "tool_settings": {"read": {"idempotent": True}}}},
    }
    assert "✓ connected: filesystem 1.2.0, protocol 2025-11-25" in error
    assert "! files/write: no object schema" in error
    assert "flexchat secrets set FILES_KEY --stage STAGE" in error


STARTING = (
    422,
    {"error": "mcp_starting", "message": "still installing\nadded 1 of 2 packages\x1b[2J", "request_id": "r-1"},
)


def test_a_server_that_is_being_installed_is_waited_for_with_what_it_writes(flexchat: Flexchat) -> None:
    service = flexchat.serve(STARTING, STARTING, TRIAL)

    code, printed, error = flexchat.type("mcp", "add", "files", *_SERVICE, "--", "npx", "server", options=())

    assert code == 0
    assert len(service.requests) == 3
    assert error.count("installing files, 0 s: added 1 of 2 packages⟨U+001B⟩[2J") == 2
    assert "files was installed and started in 0 s." in error
    assert '"command": "npx"' in printed


def test_a_server_whose_installation_does_not_end_is_an_error(flexchat: Flexchat) -> None:
    service = flexchat.serve(*[STARTING] * 24)

    code, _, error = flexchat.type("mcp", "add", "files", *_SERVICE, "--", "npx", "server", options=())

    assert code == 1
    assert len(service.requests) == 24
    assert "still installing" in error


def test_a_name_in_use_is_not_replaced_without_the_option(flexchat: Flexchat, tmp_path: Path) -> None:
    flexchat.serve()
    file = tmp_path / "flexchat.json"
    file.write_text('{"mcp_servers": {"tracker": {"url": "https://a.example/mcp"}}}')
    arguments = ("mcp", "add", "tracker", "--address", "https://b.example/mcp", "--no-trial", "-o", str(file))

    code, _, error = flexchat.type(*arguments)
    assert (code, error) == (1, f"{file}: has an MCP server 'tracker'; --replace replaces it")

    code, _, _ = flexchat.type(*arguments, "--replace")
    assert code == 0
    assert json.loads(file.read_text()) == {"mcp_servers": {"tracker": {"url": "https://b.example/mcp"}}}


def test_a_secret_is_bound_to_the_host_of_the_server(flexchat: Flexchat) -> None:
    flexchat.serve()

    code, printed, error = flexchat.type(
        "mcp", "add", "tracker", "--address", "https://mcp.example.com/mcp", "--header", "X-Key: ${KEY}", "--no-trial"
    )

    assert code == 0
    assert json.loads(printed) == {
        "mcp_servers": {"tracker": {"url": "https://mcp.example.com/mcp", "headers": {"X-Key": "${KEY}"}}}
    }
    assert error == "Store the secret unless you have: flexchat secrets set KEY --stage STAGE --host mcp.example.com"


def test_a_server_needs_a_command_or_an_address(flexchat: Flexchat) -> None:
    service = flexchat.serve()

    code, _, error = flexchat.type("mcp", "add", "tracker")

    assert (code, service.requests) == (2, [])
    assert "pass either --address URL, or a command after --" in error


@pytest.mark.parametrize(
    ("options", "path"),
    [
        (("--header", "Authorization: Bearer sk-proj-c4n4ryc4n4ryc4n4ryc4n4ry"), "headers.Authorization"),
        (("--header", "X-Api-Key: c4n4ry"), "headers.X-Api-Key"),
    ],
)
def test_a_key_itself_is_refused_before_a_connection(
    options: tuple[str, ...], path: str, flexchat: Flexchat, tmp_path: Path
) -> None:
    service, file = flexchat.serve(), tmp_path / "new.json"

    code, printed, error = flexchat.type(
        "mcp", "add", "tracker", "--address", "https://mcp.example.com/mcp", *options, "-o", str(file)
    )

    assert (code, printed, service.requests, file.exists()) == (1, "", [], False)
    assert f"mcp_servers.tracker.{path}: the key itself is in the file; name it, as '${{NAME}}'" in error
    assert "c4n4ry" not in error


def test_an_invalid_name_is_refused_before_a_connection(flexchat: Flexchat) -> None:
    service = flexchat.serve()

    code, _, error = flexchat.type("mcp", "add", "my server", "--address", "https://mcp.example.com/mcp")

    assert (code, service.requests) == (1, [])
    assert "the name of an MCP server must be 1 to 32 of the characters" in error


_SERVICE = ("--url", "https://chat.example", "--token", "tok")


def definition(end: str) -> list[str]:
    return ["{", f'  "description": "{"Reads a file of the disk. " * 60}{end}",', '  "name": "read"', "}"]


def changed_tools(*lines: str, **more: Any) -> dict[str, Any]:
    tool: dict[str, Any] = {**CHANGED, "description": "Reads.", "diff": [*lines], **more}
    return {"servers": [{**READY, "tools": [tool]}]}


@pytest.mark.parametrize("terminal", [True, False], ids=["terminal", "pipe"])
@pytest.mark.parametrize("command", ["tools", "approve"])
@pytest.mark.parametrize(("old", "new"), [("end", "and"), ("a", "a\u200b"), ("a", "\u0430"), ("\u202e", "⟨U+202E⟩")])
def test_a_change_at_the_end_of_a_long_line_is_shown(
    command: str, terminal: bool, old: str, new: str, flexchat: Flexchat
) -> None:
    removed, added = definition(f"Path{old}")[1], definition(f"Path{new}")[1]
    flexchat.serve(changed_tools(f"-{removed}", f"+{added}"), READY)

    options = ["--yes"] if command == "approve" else []
    _, printed, _ = flexchat.type("mcp", command, "files", *options, columns=80, terminal=terminal)

    begin = printed.index("files/write (changed)\n")
    rows = printed[begin:].split("\n")[1:]
    assert not terminal or max(map(len, rows)) <= 80
    lines = "".join(
        f"\n{row[4:]}" if row[4:5] in "-+" else row[4:].removeprefix("↪") for row in rows if row[:4] == "    "
    )
    shown = lines.split("\n")[1:3]
    assert [re.sub(r"\s", "", line) for line in shown] == [
        re.sub(r"\s", "", reviewed_text(line)) for line in (f"-{removed}", f"+{added}")
    ]
    assert shown[0][1:] != shown[1][1:]


def test_a_new_tool_is_approved_with_its_whole_definition_on_display(flexchat: Flexchat) -> None:
    schema = ['+  "inputSchema": {', '+    "properties": {', '+      "path": {', '+        "type": "string"']
    flexchat.serve(changed_tools("+{", *schema, "+}", state="new"), READY)

    _, printed, _ = flexchat.type("mcp", "approve", "files", "--yes", columns=80)

    assert "files/write (new)\n" + "".join(f"    {line}\n" for line in ("+{", *schema, "+}")) in printed


def test_an_approval_names_the_tools_that_were_shown(flexchat: Flexchat) -> None:
    gone = {**ECHO, "state": "removed"}
    service = flexchat.serve({"servers": [{**READY, "tools": [gone, CHANGED]}]}, READY)

    _, printed, _ = flexchat.type("mcp", "approve", "files", "--yes")

    assert service.requests[1].body == {"hash": "abc", "tools": ["write", "read"]}
    assert "files/read (removed): the server does not list it any more" in printed


@pytest.mark.parametrize("command", [("list",), ("tools",), ("refresh", "files")], ids=" ".join)
def test_json_of_servers_has_every_character_beyond_ascii_escaped(command: tuple[str, ...], flexchat: Flexchat) -> None:
    lines = ["+ p\u0430th\u00a0\u200d\ufe0f\U000e0041"]
    servers = changed_tools(*lines, state="new")
    flexchat.serve(servers, servers["servers"][0])

    _, out, _ = flexchat.run("mcp", *command, "--json")

    assert out.isascii()
    assert r"p\u0430th\u00a0\u200d\ufe0f\udb40\udc41" in out
    found: Any = json.loads(out)
    (server,) = found["servers"] if command == ("list",) else found
    assert server["tools"][0]["diff"] == lines
