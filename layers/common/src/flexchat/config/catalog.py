"""Everything configured, as a function uses it: what is healthy, what is not and why."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config.models.rules import ResponseRule
from flexchat.config.models.tools import ToolDefinition
from flexchat.config.secrets import entry_references, resolved, secret_problems
from flexchat.config.stored import LastChange

EntryKind = Literal["tool", "rule", "llm", "service"]


@dataclass(frozen=True, slots=True)
class DisabledEntry:
    """One entry that cannot be used. A rule without a name is called by its place, `responses[1]`."""

    kind: EntryKind
    name: str
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Catalog:
    """The configuration of one moment.

    `configuration` holds the healthy entries only, the secrets of its llms resolved: it must not be returned to a
    caller. Services and tools still name theirs.
    `disabled` says what is missing from it. `version` is the hash of the stored manifest. A catalog stays the same
    object until something changed, a secret included, so whatever is made from it may be kept by identity.
    `unusable_llms` are the disabled ones of sound form, their secrets not resolved, to tell what they were meant for.
    `rule_positions` say where the healthy rules stand in the file; without them all are there. `changed` is the last
    change of the manifest, `read_at` when this catalog was read, in seconds since the epoch; both where that is known.
    """

    configuration: Configuration = field(repr=False)
    disabled: tuple[DisabledEntry, ...]
    version: str
    unusable_llms: Mapping[str, LlmConfig] = field(default_factory=dict[str, LlmConfig], repr=False)
    rule_positions: tuple[int, ...] = ()
    changed: LastChange | None = None
    read_at: float | None = None

    def named_rules(self) -> Iterator[tuple[str, ResponseRule]]:
        """The healthy rules in order; one without a name is called by its place in the file, `responses[1]`."""
        rules = self.configuration.responses
        for position, rule in zip(self.rule_positions or range(len(rules)), rules, strict=True):
            yield rule.name or f"responses[{position}]", rule

    def why_disabled(self, kind: EntryKind, name: str) -> tuple[str, ...]:
        """The problems of one entry; none when it is healthy or does not exist."""
        return tuple(
            problem for entry in self.disabled if (entry.kind, entry.name) == (kind, name) for problem in entry.problems
        )


def with_secrets(
    configuration: Configuration, secrets: Mapping[str, str], *, stage: str
) -> tuple[Configuration, tuple[DisabledEntry, ...]]:
    """`configuration` with the references of its llms replaced; those of services and tools stay.

    Services and tools are carried to the retrieval function, which fills in what it needs: no payload has a secret. An
    entry of any kind with a secret that is not in `secrets` is taken out and named.
    """
    disabled: list[DisabledEntry] = []

    def usable[T: (LlmConfig, RagServiceConfig, ToolDefinition)](
        kind: EntryKind, entries: Iterable[tuple[str, T]]
    ) -> Iterator[tuple[str, T]]:
        for name, entry in entries:
            if problems := secret_problems(entry_references(entry), secrets, stage=stage):
                disabled.append(DisabledEntry(kind=kind, name=name, problems=problems))
            else:
                yield name, entry

    llms = {name: resolved(llm, secrets) for name, llm in usable("llm", configuration.llms.items())}
    services = dict(usable("service", configuration.rag_services.items()))
    tools = configuration.tools
    registry = tuple(tool for _, tool in usable("tool", ((tool.name, tool) for tool in tools.registry)))
    if len(registry) != len(tools.registry):
        tools = tools.model_copy(update={"registry": registry})
    update = {"llms": llms, "rag_services": services, "tools": tools}
    return configuration.model_copy(update=update), tuple(disabled)
