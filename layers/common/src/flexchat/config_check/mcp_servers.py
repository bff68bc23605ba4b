"""Checks of MCP servers: address, secrets, timeouts, and the names that tools and rules use of them."""

import posixpath
import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

from flexchat.config.models.configuration import Configuration
from flexchat.config.models.http_auth import OAuth2Auth
from flexchat.config.models.tools import ToolDefinition
from flexchat.config.problems import path_of
from flexchat.config.secrets import secret_fields
from flexchat.config.suggestions import did_you_mean
from flexchat.config_check.addresses import local_address_warnings
from flexchat.config_check.llms import entry_problems, url_problems
from flexchat.config_check.secrets import connection_key_problems
from flexchat.errors import Problem
from flexchat.secret_references import SECRET_REFERENCE, is_secret_field, references_in
from flexchat.tool_types import TOOL_TYPES

if TYPE_CHECKING:
    from flexchat.config.models.mcp_servers import McpServerConfig


def server_problems(configuration: Configuration) -> Iterator[Problem]:
    """Return every problem of the `mcp_servers` section."""
    for name, server in configuration.mcp_servers.items():
        path = path_of(("mcp_servers", name))
        yield from entry_problems(path, name, server)
        yield from _url_problems(f"{path}.url", server)
        if isinstance(server.auth, OAuth2Auth):
            yield from local_address_warnings(f"{path}.auth.token_url", _plain(server.auth.token_url))
        yield from _command_problems(f"{path}.command", server)
        yield from _secret_problems(path, server)
        yield from connection_key_problems(path, server.identity)
        yield from _timeout_problems(path, server)
        for field in ("argument_names", "tool_settings"):
            for tool in getattr(server, field):
                if not server.takes(tool):
                    message = (
                        f"is not used: the server's tools do not name {tool!r}{did_you_mean(tool, server.tools or ())}"
                    )
                    yield Problem(f"{path}.{path_of((field, tool))}", message, "warning")


def pinned_problems(path: str, tool: ToolDefinition, servers: Collection[str]) -> Iterator[Problem]:
    """Return the problems of the `implementation` at `path` of a configured tool of type mcp."""
    server = tool.implementation.get("server")
    if isinstance(server, str) and server not in servers:
        yield Problem(f"{path}.server", f"no MCP server named {server!r}{did_you_mean(server, servers)}")
    if "connection" in tool.implementation:
        yield Problem(
            f"{path}.connection", "is not used: the connection is that of the server in mcp_servers", "warning"
        )


def allowed_problem(name: str, configuration: Configuration, broken: Collection[str]) -> str | None:
    """Return the reason why a name in `allowed_tools` allows no tool of an MCP server; empty where it may allow one.

    None for a name that is not one of a server's tools.
    """
    prefix, slash, tool = name.partition("/")
    if not slash:
        return None
    server = configuration.mcp_servers.get(prefix)
    if server is None:
        if tool != "*":
            return "" if prefix in broken else None
        names = {*configuration.mcp_servers, *broken}
        return "" if prefix in broken else f"no MCP server named {prefix!r}{did_you_mean(prefix, names)}"
    if not server.enabled:
        return f"the MCP server {prefix!r} is disabled"
    if "mcp" in configuration.tools.disabled_types:
        return "tools of type 'mcp' are disabled"
    if tool != "*" and server.tools is not None and not any(_may_be(tool, own) for own in server.tools):
        return f"mcp_servers.{prefix}.tools does not name {tool!r}{did_you_mean(tool, server.tools)}"
    return ""


def _may_be(name: str, own: str) -> bool:
    """Return whether a tool that the server names `own` may have the name `name` in chats, with a suffix or without."""
    plain = "".join(char if char.isascii() and (char.isalnum() or char in "_./:-") else "_" for char in own)
    return name == plain or name.startswith(f"{plain}_")


_COMMAND: Final = re.compile(r"[a-zA-Z0-9_./+-]+")
"""Text of one command that the template's parameter `McpCommands` accepts."""


def _command_problems(path: str, server: "McpServerConfig") -> Iterator[Problem]:
    """Return an error for a command that no deployment can list, so that its server never starts."""
    command = server.command
    if command is None:
        return
    if not _COMMAND.fullmatch(command):
        message = (
            "a deployment cannot list this command (McpCommands): a command has only letters, digits and _ . / + -;"
            " its arguments belong into 'args'"
        )
        yield Problem(path, message)
    elif "/" in command and (not command.startswith("/") or command != posixpath.normpath(command)):
        message = "must be a name on the function's PATH, or a whole path such as '/opt/bin/node': it starts elsewhere"
        yield Problem(path, message)


def _url_problems(path: str, server: "McpServerConfig") -> Iterator[Problem]:
    if server.url is None:
        return
    if "${" in server.url.partition("://")[2].partition("/")[0]:
        yield Problem(path, "the host must be written out, without a secret")
        return
    yield from url_problems(path, _plain(server.url))


def _plain(url: str) -> str:
    """Return a URL without the secrets in its path."""
    scheme, separator, rest = url.partition("://")
    host, slash, below = rest.partition("/")
    return f"{scheme}{separator}{host}{slash}{SECRET_REFERENCE.sub('x', below)}"


def _secret_problems(path: str, server: "McpServerConfig") -> Iterator[Problem]:
    """Return an error for each secret in a field that is not resolved."""
    from flexchat.config.models.mcp_connections import CONNECTION_SECRET_FIELDS

    for field, text in secret_fields(server):
        if references_in(text) and not is_secret_field(field, CONNECTION_SECRET_FIELDS):
            message = (
                "names a secret; put it into 'env', which the process can read" if server.command else "names a secret"
            )
            yield Problem(f"{path}.{field}", f"{message}; secrets are resolved in 'env', 'url', 'headers' and 'auth'")


def _timeout_problems(path: str, server: "McpServerConfig") -> Iterator[Problem]:
    """Return the times above that of the function; an installation goes on after the call that began it."""
    from flexchat.config.models.mcp_connections import is_installer

    limit = TOOL_TYPES["mcp"].timeout_limit_ms
    timeouts = {"timeout_ms": server.timeout_ms}
    if not is_installer(server.command):
        timeouts["connect_timeout_ms"] = server.connect_timeout_ms
    timeouts |= {
        path_of(("tool_settings", tool, "timeout_ms")): settings.timeout_ms
        for tool, settings in server.tool_settings.items()
    }
    for field, timeout_ms in timeouts.items():
        if timeout_ms is not None and timeout_ms > limit:
            message = f"must be at most {limit}, the limit of the function of type 'mcp'; it is {timeout_ms}"
            yield Problem(f"{path}.{field}", message)
