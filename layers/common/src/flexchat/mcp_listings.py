"""Listings of MCP servers: the definitions of their tools, those that are accepted, and the names of tools in chats.

The MCP function writes the listing of each server; the chat function reads it, so that no chat waits for a server.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from msgspec import Struct, field

from flexchat.errors import FlexchatError
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.schema.finite import finite
from flexchat.schema.shape import Schema

DEFINITION_KEYS: Final = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
"""Keys of a definition that are stored and compared; the others do not reach a model."""

MAX_NAME: Final = 128
"""Maximum length of a tool's name."""

_NOT_IN_A_NAME = re.compile(r"[^a-zA-Z0-9_./:-]")

type ToolState = Literal["offered", "new", "changed", "removed"]
"""`offered`: accepted and listed; `new` and `changed` wait for an approval; `removed`: accepted, but not listed now."""


class ListingTooLargeError(FlexchatError):
    """Definitions that cannot be stored; the message has their size."""


@dataclass(frozen=True)
class McpDefinition:
    """Definition of one tool with the keys of the server, such as `inputSchema`."""

    content: Mapping[str, Json]

    @staticmethod
    def of(tool: Mapping[str, Json]) -> "McpDefinition":
        """Return the definition in an entry of `tools/list`, which has a name."""
        return McpDefinition({key: tool[key] for key in DEFINITION_KEYS if tool.get(key) is not None})

    @property
    def name(self) -> str:
        """Name of the tool at the server."""
        return str(self.content["name"])

    @property
    def description(self) -> str:
        """Description for models, else the title."""
        return str(self.content.get("description") or self.content.get("title") or "")

    @property
    def parameters(self) -> dict[str, Json]:
        """JSON Schema of the arguments, as far as it can be checked; an object where the server names no type."""
        return dict(self._parameters[0])

    @property
    def losses(self) -> tuple[str, ...]:
        """Parts of the inputSchema that `parameters` do not have, each as `path: reason`."""
        return self._parameters[1]

    @cached_property
    def _parameters(self) -> tuple[Schema, tuple[str, ...]]:
        schema = self.content.get("inputSchema")
        return finite({"type": "object", **schema} if isinstance(schema, dict) else {"type": "object"})

    @property
    def output_schema(self) -> dict[str, Json] | None:
        """JSON Schema of the structured result, as far as it can be checked."""
        schema = self.content.get("outputSchema")
        return dict(finite(schema)[0]) if isinstance(schema, dict) else None

    @property
    def reads_only(self) -> bool:
        """True when the server declares that a call changes nothing (`readOnlyHint`)."""
        annotations = self.content.get("annotations")
        return isinstance(annotations, dict) and annotations.get("readOnlyHint") is True

    @cached_property
    def hash(self) -> str:
        return _hash(dict(self.content))


type Definitions = Mapping[str, McpDefinition]
"""Definitions by the name of the tool at its server."""


def definitions_of(tools: Iterable[Mapping[str, Json]]) -> Definitions:
    """Return the definitions in a list of tools; of two with one name, the first."""
    found: dict[str, McpDefinition] = {}
    for tool in tools:
        if tool.get("name"):
            definition = McpDefinition.of(tool)
            found.setdefault(definition.name, definition)
    return found


def hash_of(definitions: Definitions) -> str:
    """Return a hash that is the same for the same definitions, in any order."""
    return _hash({name: definition.hash for name, definition in definitions.items()})


class McpFailure(Struct, frozen=True, kw_only=True):
    """Failure to list a server's tools: `message` and `stderr` are for operators, `attempts` are those to connect.

    A server that `is_starting` may be ready for a later list.
    """

    message: str
    attempts: int | None = None
    stderr: str = ""
    is_starting: bool = False


class McpListing(Struct, frozen=True, kw_only=True):
    """Tools of one server, as far as they are known.

    `listed` are the definitions of the last successful refresh, at `listed_at`; `accepted` are those that models may be
    offered. `checked_at` is the last refresh, a failed one included, and `stale_at` the time after which another one is
    due. Times are in seconds since the epoch. `connection_hash` is that of the configured connection. `revision` counts
    the writes, so that no write replaces another one's result. `left_out` are the reasons of entries of the list that
    cannot be used, by the name of their tools.
    """

    server: str
    state: Literal["ready", "failed"]
    checked_at: float
    stale_at: float
    connection_hash: str
    listed_at: float | None = None
    listed: Definitions = field(default_factory=dict[str, McpDefinition])
    accepted: Definitions = field(default_factory=dict[str, McpDefinition])
    protocol_version: str | None = None
    server_name: str | None = None
    server_version: str | None = None
    failure: McpFailure | None = None
    approved_at: float | None = None
    approved_by: str | None = None
    revision: int = 0
    left_out: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def names(self) -> tuple[str, ...]:
        """Servers' own names of all tools: those listed, then those that are removed."""
        return tuple(dict.fromkeys((*self.listed, *self.accepted)))

    @property
    def listed_hash(self) -> str:
        """Hash of the listed definitions, which an approval names."""
        return hash_of(self.listed)

    def tool_state(self, name: str) -> ToolState:
        """Return the state of a tool by its own name."""
        listed, accepted = self.listed.get(name), self.accepted.get(name)
        if listed is None:
            return "removed"
        if accepted is None:
            return "new"
        return "offered" if listed.hash == accepted.hash else "changed"

    def needs_refresh(self, connection_hash: str, now: float) -> bool:
        """Return whether the listing is too old, or that of another connection."""
        return now >= self.stale_at or self.connection_hash != connection_hash


def model_names(server: str, tools: Collection[str]) -> dict[str, str]:
    """Return the names in chats of a server's tools by their own names: `files/read_file`.

    Each is valid as the name of a tool. Of several that would have one name, the tool with exactly that name has it,
    and the others a hash behind it, so that no new tool takes the name of another one unnoticed.
    """
    plain = {tool: f"{server}/{_NOT_IN_A_NAME.sub('_', tool)}" for tool in tools}
    return dict(_named(server, plain, Counter(plain.values())))


def _named(server: str, plain: Mapping[str, str], uses: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    for tool, name in plain.items():
        exact = name == f"{server}/{tool}"
        if len(name) <= MAX_NAME and (exact or uses[name] == 1):
            yield tool, name
        else:
            suffix = f"_{hashlib.sha256(tool.encode()).hexdigest()[:8]}"
            yield tool, name[: MAX_NAME - len(suffix)] + suffix


def _hash(value: Json) -> str:
    return hashlib.sha256(dumps(value, sort_keys=True).encode()).hexdigest()
