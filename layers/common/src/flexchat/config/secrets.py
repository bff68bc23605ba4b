"""Secrets that the entries of a configuration refer to as `${NAME}`.

Only an llm's `api_key` and `headers`, the `headers` of a service and of a guardrail, the connection of an MCP server,
and the `implementation` of a tool may have references; the text of a user or a model is never searched. Names of the
Lambda runtime's environment are refused.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from flexchat.config.models.configuration import Configuration
from flexchat.config.models.guardrails import GuardrailConfig
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config.models.tools import ToolDefinition
from flexchat.config.providers import PROVIDERS
from flexchat.egress.urls import host_of
from flexchat.secret_references import fill, references_in, texts_in

if TYPE_CHECKING:
    from flexchat.config.models.mcp_servers import McpServerConfig

type Entry = "LlmConfig | RagServiceConfig | GuardrailConfig | ToolDefinition | McpServerConfig"

type Addressed = LlmConfig | RagServiceConfig | GuardrailConfig
"""Entries with one address, to which their secrets are sent."""

PREPARED_DATA = ("mock_response", "answers", "error")
"""Fields of a tool's `implementation` whose texts are data of mocks, not settings."""


def secret_fields(entry: Entry) -> Iterator[tuple[str, str]]:
    """Return the fields of an entry that may refer to secrets, as (path in the entry, text)."""
    if isinstance(entry, ToolDefinition):
        settings = {name: value for name, value in entry.implementation.items() if name not in PREPARED_DATA}
        yield from texts_in(settings, "implementation")
        return
    if not isinstance(entry, LlmConfig | RagServiceConfig | GuardrailConfig):
        yield from texts_in(entry.identity)
        return
    if isinstance(entry, LlmConfig) and entry.api_key is not None:
        yield "api_key", entry.api_key
    for name, text in entry.headers.items():
        yield f"headers.{name}", text


def secret_host(entry: Addressed) -> str | None:
    """Return the host that the secrets of an entry are sent to; empty without a valid address, None for AWS."""
    url = (entry.base_url or PROVIDERS[entry.type].default_url) if isinstance(entry, LlmConfig) else entry.url
    return host_of(url) if url else None


def unbound_problems(entry: Addressed, hosts: Mapping[str, frozenset[str]], *, stage: str) -> tuple[str, ...]:
    """Return the reasons why an entry must not receive its secrets: another address than that they are stored for.

    `hosts` are those that each secret is bound to.
    """
    host = secret_host(entry)
    if host is None:
        return ()
    return tuple(
        f"secret {name!r} is not bound to the host {host!r}; run"
        f" `flexchat secrets bind {name} --stage {stage} --host {host}`"
        for name in entry_references(entry)
        if host not in hosts.get(name, frozenset[str]())
    )


def entry_references(entry: Entry) -> tuple[str, ...]:
    """Return the names of the secrets of one entry, each once."""
    return tuple(dict.fromkeys(name for _, text in secret_fields(entry) for name in references_in(text)))


def references(configuration: Configuration) -> dict[str, tuple[str, ...]]:
    """Return every secret that the configuration refers to, with the paths of the references."""
    used: dict[str, list[str]] = {}
    sections: dict[str, Mapping[str, Entry]] = {
        "llms": configuration.llms,
        "rag_services": configuration.rag_services,
        "mcp_servers": configuration.mcp_servers,
        "guardrails": configuration.guardrails,
        "tools.registry": {tool.name: tool for tool in configuration.tools.registry},
    }
    for section, entries in sections.items():
        for entry_name, entry in entries.items():
            for path, text in secret_fields(entry):
                for name in references_in(text):
                    used.setdefault(name, []).append(f"{section}.{entry_name}.{path}")
    return {name: tuple(paths) for name, paths in used.items()}


def resolved[T: (LlmConfig, RagServiceConfig, GuardrailConfig)](entry: T, secrets: Mapping[str, str]) -> T:
    """Return `entry` with its references resolved in one pass: the text of a secret is not searched.

    Every name must be in `secrets`.
    """
    update: dict[str, object] = {"headers": {key: fill(text, secrets) for key, text in entry.headers.items()}}
    if isinstance(entry, LlmConfig) and entry.api_key is not None:
        update["api_key"] = fill(entry.api_key, secrets)
    return entry.model_copy(update=update)
