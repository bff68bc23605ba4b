"""Result of an import."""

from copy import replace
from dataclasses import dataclass

from cli.invocation import flexchat
from flexchat.messages import Json


@dataclass(frozen=True, slots=True)
class ImportedTool:
    """Tool of one operation: its definition, what is left out of it, and settings to consider.

    `secrets` are the names that it refers to, `hosts` those that receive them.
    """

    operation: str
    definition: dict[str, Json]
    notes: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return str(self.definition["name"])


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Operation without a tool."""

    operation: str
    reason: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Tools and operations left out, in the order of the document."""

    tools: tuple[ImportedTool, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def definitions(self) -> list[dict[str, Json]]:
        return [tool.definition for tool in self.tools]

    @property
    def secrets(self) -> dict[str, tuple[str, ...]]:
        """Secrets of all tools with the hosts that receive them."""
        found: dict[str, dict[str, None]] = {}
        for tool in self.tools:
            for name in tool.secrets:
                found.setdefault(name, {}).update(dict.fromkeys(tool.hosts))
        return {name: tuple(hosts) for name, hosts in found.items()}

    @property
    def commands(self) -> tuple[str, ...]:
        """Commands that store the secrets."""
        return tuple(
            flexchat("secrets", "set", name, "--stage", "STAGE") + "".join(f" --host {host}" for host in hosts)
            for name, hosts in self.secrets.items()
        )

    def without(self, reasons: dict[str, str]) -> "ImportReport":
        """Return this report without the tools of these names, which are left out for these reasons."""
        gone = tuple(LeftOut(tool.operation, reasons[tool.name]) for tool in self.tools if tool.name in reasons)
        kept = tuple(tool for tool in self.tools if tool.name not in reasons)
        return replace(self, tools=kept, left_out=(*self.left_out, *gone))

    def as_json(self) -> dict[str, Json]:
        tools: list[Json] = [
            {
                "operation": tool.operation,
                "definition": tool.definition,
                "notes": [*tool.notes],
                "suggestions": [*tool.suggestions],
            }
            for tool in self.tools
        ]
        left_out: list[Json] = [{"operation": each.operation, "reason": each.reason} for each in self.left_out]
        secrets: list[Json] = [{"name": name, "hosts": [*hosts]} for name, hosts in self.secrets.items()]
        return {"tools": tools, "left_out": left_out, "secrets": secrets, "commands": [*self.commands]}
