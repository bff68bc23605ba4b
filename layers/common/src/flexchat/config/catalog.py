"""Catalog: the usable configuration, and the entries that are disabled with their reasons."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from msgspec import Struct, field

from flexchat.config.encoding import LastChange
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.guardrails import GuardrailConfig
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config.models.rules import ResponseRule
from flexchat.config.models.tools import ToolDefinition
from flexchat.config.secrets import entry_references, resolved, unbound_problems
from flexchat.redacted_struct import RedactedStruct
from flexchat.secret_references import secret_problems

if TYPE_CHECKING:
    from flexchat.config.models.mcp_servers import McpServerConfig

EntryKind = Literal["tool", "rule", "llm", "service", "mcp_server", "guardrail"]


class DisabledEntry(Struct, frozen=True):
    """An entry that cannot be used. A rule without a name is identified by its position, `responses[1]`."""

    kind: EntryKind
    name: str
    problems: tuple[str, ...]


class Catalog(RedactedStruct, frozen=True):
    """The configuration of one point in time.

    `configuration` has the usable entries only, with the secrets of its llms and guardrails resolved: never return it
    to a caller. Services, MCP servers and tools keep their references. `disabled` lists the other entries. `version` is
    the hash of the stored manifest.

    The catalog object stays the same until something changes, including a secret, so that results derived from it can
    be cached by identity. `unusable_llms` are well-formed disabled llms with unresolved secrets. `rule_positions` are
    the positions of the usable rules in the file; without them all rules are usable. `changed` is the last change of
    the manifest and `read_at` the time of reading, in seconds since the epoch, if known.
    """

    redacted: ClassVar = ("configuration", "unusable_llms")

    configuration: Configuration
    disabled: tuple[DisabledEntry, ...]
    version: str
    unusable_llms: Mapping[str, LlmConfig] = field(default_factory=dict[str, LlmConfig])
    rule_positions: tuple[int, ...] = ()
    changed: LastChange | None = None
    read_at: float | None = None

    def named_rules(self) -> Iterator[tuple[str, ResponseRule]]:
        """Return the usable rules in order; a rule without a name gets its position in the file, `responses[1]`."""
        rules = self.configuration.responses
        for position, rule in zip(self.rule_positions or range(len(rules)), rules, strict=True):
            yield rule.name or f"responses[{position}]", rule

    def why_disabled(self, kind: EntryKind, name: str) -> tuple[str, ...]:
        """Return the problems of one entry; empty when it is usable or does not exist."""
        return tuple(
            problem for entry in self.disabled if (entry.kind, entry.name) == (kind, name) for problem in entry.problems
        )


def with_secrets(
    configuration: Configuration, secrets: Mapping[str, str], hosts: Mapping[str, frozenset[str]], *, stage: str
) -> tuple[Configuration, tuple[DisabledEntry, ...]]:
    """Return `configuration` with the secrets of its llms and guardrails resolved.

    References in services, MCP servers and tools stay: the functions that use them resolve those they need, so that no
    payload contains a secret. An entry with a secret that is not in `secrets` is disabled, and an llm, a service or
    a guardrail with a secret that `hosts` binds to other hosts than its own. Tools and MCP servers check this
    themselves.
    """
    disabled: list[DisabledEntry] = []

    def usable[T: (LlmConfig, RagServiceConfig, GuardrailConfig, ToolDefinition, "McpServerConfig")](
        kind: EntryKind, entries: Iterable[tuple[str, T]]
    ) -> Iterator[tuple[str, T]]:
        for name, entry in entries:
            problems = secret_problems(entry_references(entry), secrets, stage=stage)
            if not problems and isinstance(entry, LlmConfig | RagServiceConfig | GuardrailConfig):
                problems = unbound_problems(entry, hosts, stage=stage)
            if problems:
                disabled.append(DisabledEntry(kind=kind, name=name, problems=problems))
            else:
                yield name, entry

    llms = {name: resolved(llm, secrets) for name, llm in usable("llm", configuration.llms.items())}
    services = dict(usable("service", configuration.rag_services.items()))
    guardrails = {
        name: resolved(guardrail, secrets) for name, guardrail in usable("guardrail", configuration.guardrails.items())
    }
    servers = dict(usable("mcp_server", configuration.mcp_servers.items()))
    tools = configuration.tools
    registry = tuple(tool for _, tool in usable("tool", ((tool.name, tool) for tool in tools.registry)))
    if len(registry) != len(tools.registry):
        tools = tools.model_copy(update={"registry": registry})
    update = {
        "llms": llms,
        "rag_services": services,
        "mcp_servers": servers,
        "guardrails": guardrails,
        "tools": tools,
    }
    return configuration.model_copy(update=update), tuple(disabled)
