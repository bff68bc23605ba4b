"""Entries of MCP servers in a configuration file."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cli.configuration import read_file
from cli.files import file_error, write_text
from cli.invocation import flexchat
from flexchat.config.document import parse
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from flexchat.secret_references import references_in, texts_in

if TYPE_CHECKING:
    from functions.tools.mcp.views import McpTrialView


def checked_server(name: str, entry: Mapping[str, Json]) -> None:
    """Check the form of an entry, which has no key itself. Raises ConfigError with every problem."""
    from flexchat.config_check.secrets import NAME_IT, RANDOM, connection_key_problems

    parsed = parse({"mcp_servers": {name: {**entry}}})
    servers = parsed.configuration.mcp_servers
    keys = connection_key_problems(f"mcp_servers.{name}", servers[name].identity) if name in servers else ()
    own = (Problem(problem.path, NAME_IT) for problem in keys if problem.message != RANDOM)
    if problems := (*parsed.problems, *own):
        raise ConfigError(problems)


def tool_settings(trial: "McpTrialView") -> dict[str, Json]:
    """Return the settings that the server's description suggests: idempotent tools may be called again."""
    idempotent: dict[str, Json] = {tool.tool: {"idempotent": True} for tool in trial.tools if tool.idempotent}
    return {"tool_settings": idempotent} if idempotent else {}


def add_server(path: Path, name: str, entry: Mapping[str, Json], *, replace: bool) -> None:
    """Write an entry into a configuration file, which is created if it does not exist.

    Raises ConfigError, also for a name in use unless `replace`.
    """
    source: Mapping[str, Json] = read_file(path) if path.exists() else {}
    servers = source.get("mcp_servers", {})
    if not isinstance(servers, dict):
        raise file_error(path, "mcp_servers must be an object")
    if name in servers and not replace:
        raise file_error(path, f"has an MCP server {name!r}; --replace replaces it")
    written = {**source, "mcp_servers": {**servers, name: {**entry}}}
    write_text(path, json.dumps(written, indent=2, ensure_ascii=False) + "\n")


def secret_commands(entry: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the commands that store the secrets of an entry, each bound to the server's host."""
    names = dict.fromkeys(name for _, text in texts_in({**entry}) for name in references_in(text))
    url = entry.get("url")
    host = urlsplit(url).hostname if isinstance(url, str) else None
    return tuple(
        flexchat("secrets", "set", name, "--stage", "STAGE", *(["--host", host] if host is not None else []))
        for name in names
    )
