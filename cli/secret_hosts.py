"""Hosts that secrets are bound to: the functions of tools send a secret to no other host."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from flexchat.config.models.configuration import Configuration
from flexchat.egress.urls import is_host
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from flexchat.secret_references import bound_hosts, is_secret_field, references_in, secret_hosts_name, texts_in


class Parameters(Protocol):
    """Store of parameters, such as a ParameterStore."""

    def read(self, names: Iterable[str]) -> Mapping[str, str]: ...

    def put(self, name: str, value: str, *, secret: bool = False) -> None: ...

    def delete(self, names: Iterable[str]) -> None: ...


def bind_secret(name: str, hosts: Iterable[str], *, stage: str, store: Parameters) -> None:
    """Set the hosts that tools may send a secret to, in place of the present ones."""
    parameter = secret_hosts_name(stage, name)
    if text := ",".join(hosts):
        store.put(parameter, text)
    else:
        store.delete((parameter,))


def checked_hosts(hosts: Iterable[str]) -> tuple[str, ...]:
    """Return exact host names in lower case, each once. Raises ConfigError for anything else, such as a URL."""
    names = tuple(dict.fromkeys(host.strip().lower() for host in hosts))
    if problems := tuple(
        Problem("--host", f"must be an exact host such as 'api.example.com', not {name!r}")
        for name in names
        if not is_host(name)
    ):
        raise ConfigError(problems)
    return names


def secret_destinations(configuration: Configuration) -> dict[str, tuple[str, ...]]:
    """Return the hosts that the tools and MCP servers of a configuration send each secret to, sorted."""
    from flexchat.tool_types import TOOL_TYPES

    found: dict[str, set[str]] = {}
    for type_name, implementation in _implementations(configuration):
        if type_name not in TOOL_TYPES:
            continue
        model = TOOL_TYPES[type_name].implementation()
        for path, text in texts_in(implementation):
            host = model.secret_host(path, implementation) if is_secret_field(path, model.secret_fields) else None
            for name in references_in(text) if host else ():
                found.setdefault(name, set()).add(host or "")
    return {name: tuple(sorted(hosts)) for name, hosts in found.items()}


def _implementations(configuration: Configuration) -> Iterator[tuple[str, dict[str, Json]]]:
    """Return the type and the implementation of each tool; an MCP server is in those of its tools."""
    for tool in configuration.tools.registry:
        yield tool.implementation_type, tool.implementation
    for server in configuration.mcp_servers.values():
        yield "mcp", {"type": "mcp", "connection": server.connection}


def unbound_secrets(
    destinations: Mapping[str, Iterable[str]], *, stage: str, store: Parameters
) -> dict[str, tuple[str, ...]]:
    """Return the hosts that a secret would be sent to and is not bound to, by its name."""
    parameters = {name: secret_hosts_name(stage, name) for name in destinations}
    if not parameters:
        return {}
    stored = store.read(parameters.values())
    unbound = {
        name: tuple(host for host in hosts if host not in bound_hosts(stored.get(parameters[name], "")))
        for name, hosts in destinations.items()
    }
    return {name: hosts for name, hosts in unbound.items() if hosts}
