"""Entries of `tools/list` as the protocol requires them, so that one of them never loses its server.

The SDK refuses a whole page for one entry that does not fit the negotiated version. Schemas without a type, such as
`{}` or one with `anyOf`, become objects; fields of a wrong type that no model needs are left out of an entry; an entry
without a name, or with a schema of another type, is left out.
"""

from collections.abc import AsyncGenerator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, Self, cast

from flexchat.mcp import LeftOut
from flexchat.messages import Json
from flexchat.text import truncate

if TYPE_CHECKING:
    from types import TracebackType

    from mcp.client._transport import TransportStreams
    from mcp.shared._stream_protocols import ReadStream
    from mcp.shared.message import SessionMessage

MAX_LEFT_OUT: Final = 50
"""Most entries that are named."""

MAX_NAME_CHARACTERS: Final = 128


class ToolEntries:
    """Entries of the listings of one session; those that were left out, with the reason, since `restart`."""

    def __init__(self) -> None:
        self._left_out: dict[str, LeftOut] = {}

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        return tuple(self._left_out.values())

    def restart(self) -> None:
        """Forget the entries of earlier listings."""
        self._left_out.clear()

    @asynccontextmanager
    async def repairing(
        self, opened: "AbstractAsyncContextManager[TransportStreams]"
    ) -> "AsyncGenerator[TransportStreams]":
        """Open a transport whose received listings are repaired."""
        async with opened as (received, outgoing):
            yield _RepairedStream(received, self), outgoing

    def repair(self, message: object) -> None:
        """Repair the entries of a message in place, if it is a page of `tools/list`."""
        result = getattr(message, "result", None)
        tools = cast("dict[str, Any]", result).get("tools") if isinstance(result, dict) else None
        if isinstance(tools, list):
            cast("dict[str, Any]", result)["tools"] = list(self._repaired(cast("list[Json]", tools)))

    def _repaired(self, tools: list[Json]) -> Iterator[dict[str, Json]]:
        for number, tool in enumerate(tools, 1):
            name = tool.get("name") if isinstance(tool, dict) else None
            if not isinstance(tool, dict) or not isinstance(name, str) or not name:
                self.leave_out(f"entry {number}", "it has no name")
            elif (problem := _problem(tool)) is not None:
                self.leave_out(name, problem)
            else:
                yield _repaired(tool)

    def leave_out(self, name: str, reason: str) -> None:
        """Add an entry to those that were left out."""
        if len(self._left_out) < MAX_LEFT_OUT:
            name = truncate(name, MAX_NAME_CHARACTERS)
            self._left_out[name] = LeftOut(tool=name, reason=reason)


def _problem(tool: dict[str, Json]) -> str | None:
    schema = tool.get("inputSchema")
    if schema is not None and not isinstance(schema, dict):
        return "its inputSchema is not an object"
    kind = schema.get("type") if schema else None
    if kind is None or kind == "object" or (isinstance(kind, list) and "object" in kind):
        return None
    return f"its inputSchema is of type {truncate(str(kind), 40)!r}, not 'object'"


_TYPES: Final[dict[str, type]] = {
    "title": str,
    "description": str,
    "annotations": dict,
    "_meta": dict,
    "execution": dict,
}
"""Optional fields of an entry; one of another type is left out."""


def _repaired(tool: dict[str, Json]) -> dict[str, Json]:
    entry = {key: value for key, value in tool.items() if isinstance(value, _TYPES.get(key, object))}
    entry["inputSchema"] = {**cast("dict[str, Json]", tool.get("inputSchema") or {}), "type": "object"}
    output = tool.get("outputSchema")
    if isinstance(output, dict) and output.get("type", "object") == "object":
        entry["outputSchema"] = {**output, "type": "object"}
    else:
        entry.pop("outputSchema", None)
    if not _is_valid("icons", entry):
        entry.pop("icons", None)
    if not _is_valid("annotations", entry):
        entry.pop("annotations", None)
    if not _is_valid("execution", entry):
        entry.pop("execution", None)
    return entry


def _is_valid(field: str, entry: dict[str, Json]) -> bool:
    """Return whether the SDK accepts an optional field."""
    from mcp_types import Tool
    from pydantic import ValidationError

    if field not in entry:
        return True
    try:
        Tool.model_validate({"name": "any", "inputSchema": {}, field: entry[field]}, by_name=False)
    except ValidationError:
        return False
    return True


class _RepairedStream:
    """Received messages of a transport, with repaired listings."""

    def __init__(self, received: "ReadStream[SessionMessage | Exception]", entries: ToolEntries) -> None:
        self._received = received
        self._entries = entries

    @property
    def last_context(self) -> object:
        """Context of the sender of the last message, which the SDK reads where a transport has it."""
        return getattr(self._received, "last_context", None)

    async def receive(self) -> "SessionMessage | Exception":
        return self._repaired(await self._received.receive())

    async def aclose(self) -> None:
        await self._received.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> "SessionMessage | Exception":
        return self._repaired(await self._received.__anext__())

    async def __aenter__(self) -> Self:
        await self._received.__aenter__()
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: "TracebackType | None"
    ) -> bool | None:
        return await self._received.__aexit__(exc_type, exc_val, exc_tb)

    def _repaired(self, item: "SessionMessage | Exception") -> "SessionMessage | Exception":
        if not isinstance(item, Exception):
            self._entries.repair(item.message)
        return item
