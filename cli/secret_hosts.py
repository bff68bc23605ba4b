"""Hosts that secrets are bound to: functions send a secret to no other host."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from flexchat.config.models.configuration import Configuration
from flexchat.config.secrets import entry_references, secret_host
from flexchat.egress.urls import is_host
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from flexchat.secret_references import (
    bound_hosts,
    is_secret_field,
    references_in,
    secret_hosts_name,
    secret_name,
    texts_in,
)


class Parameters(Protocol):
    """Store of parameters, such as a ParameterStore."""

    def read(self, names: Iterable[str]) -> Mapping[str, str]: ...

    def put(self, name: str, value: str, *, secret: bool = False, key: str | None = None) -> None: ...

    def delete(self, names: Iterable[str]) -> None: ...


def bind_secret(name: str, hosts: Iterable[str], *, stage: str, store: Parameters) -> None:
    """Set the hosts that a secret may be sent to, in place of the present ones."""
    parameter = secret_hosts_name(stage, name)
    if text := ",".join(hosts):
        store.put(parameter, text)
    else:
        store.delete((parameter,))


def bind_unbound(
    configuration: Configuration, *, stage: str, store: Parameters, names: Iterable[str] | None = None
) -> dict[str, tuple[str, ...]]:
    """Bind stored secrets without hosts to the addresses of the entries that use them; return their hosts.

    The entries are llms, services and guardrails. `names` are those of the secrets, by default all.
    """
    destinations = provider_destinations(configuration)
    wanted = destinations.keys() if names is None else destinations.keys() & set(names)
    parameters = {name: (secret_name(stage, name), secret_hosts_name(stage, name)) for name in sorted(wanted)}
    if not parameters:
        return {}
    stored = store.read(parameter for both in parameters.values() for parameter in both)
    unbound = [name for name, (text, hosts) in parameters.items() if text in stored and hosts not in stored]
    for name in unbound:
        bind_secret(name, destinations[name], stage=stage, store=store)
    return {name: destinations[name] for name in unbound}


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


def provider_destinations(configuration: Configuration) -> dict[str, tuple[str, ...]]:
    """Return the hosts that the llms, services and guardrails of a configuration send each secret to, sorted."""
    found: dict[str, set[str]] = {}
    entries = (*configuration.llms.values(), *configuration.rag_services.values(), *configuration.guardrails.values())
    for entry in entries:
        if host := secret_host(entry):
            for name in entry_references(entry):
                found.setdefault(name, set()).add(host)
    return {name: tuple(sorted(hosts)) for name, hosts in found.items()}


def secret_destinations(configuration: Configuration) -> dict[str, tuple[str, ...]]:
    """Return the hosts that the entries of a configuration send each secret to, sorted."""
    from flexchat.tool_types import TOOL_TYPES

    found = {name: set(hosts) for name, hosts in provider_destinations(configuration).items()}
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


def hosts_by_secret(names: Iterable[str], *, stage: str, store: Parameters) -> dict[str, frozenset[str]]:
    """Return the hosts that each secret is bound to."""
    parameters = {name: secret_hosts_name(stage, name) for name in names}
    stored = store.read(parameters.values()) if parameters else dict[str, str]()
    return {name: bound_hosts(stored.get(parameter, "")) for name, parameter in parameters.items()}


def unbound_secrets(
    destinations: Mapping[str, Iterable[str]], *, stage: str, store: Parameters
) -> dict[str, tuple[str, ...]]:
    """Return the hosts that a secret would be sent to and is not bound to, by its name."""
    bound = hosts_by_secret(destinations, stage=stage, store=store)
    unbound = {name: tuple(host for host in hosts if host not in bound[name]) for name, hosts in destinations.items()}
    return {name: hosts for name, hosts in unbound.items() if hosts}
