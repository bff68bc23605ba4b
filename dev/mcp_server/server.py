"""Server with its tools: units, a store with devices, and calls that take long."""

import base64
import sys
from collections.abc import Callable, Sequence
from typing import Any, Literal

import anyio
from mcp.server.context import ServerMiddleware
from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ResourceLink, ToolAnnotations
from pydantic import BaseModel, Field

NAME = "flexchat-example"

METRES = {"mm": 0.001, "cm": 0.01, "m": 1.0, "km": 1000.0, "in": 0.0254, "ft": 0.3048, "mi": 1609.344}

STOCK = {"lamp": 12, "switch": 4, "sensor": 0}

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
"""PNG of one pixel."""

READ_ONLY = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)

type Action = Literal["on", "off", "toggle"]


class Item(BaseModel):
    """One article of the store."""

    name: str
    count: int = Field(ge=0)


class Inventory(BaseModel):
    """Structured result of `inventory`; its schema is the tool's output schema."""

    items: list[Item]
    total: int


class DeviceState(BaseModel):
    """A device after an action."""

    deviceName: str  # noqa: N815 # camelCase, as servers in JavaScript have it
    on: bool


class ExampleServer:
    """State of one process and its tools. `middleware` runs before each request; `version` is that of the tools.

    In version 2 of the tools, `convert_units` can round, `restock` is new and `picture` is missing.
    """

    def __init__(self, *, version: Callable[[], int], middleware: Sequence[ServerMiddleware[Any]] = ()) -> None:
        self.cancelled: list[str] = []
        self.devices = {"Switch One": False, "Lamp": True}
        self._version = version
        self._listed: int | None = None
        self.mcp: MCPServer[Any] = MCPServer(
            NAME,
            version="1.0",
            instructions="Units, and the stock and the devices of a small store.",
            log_level="WARNING",
            middleware=(self._with_version, *middleware),
        )
        add = self.mcp.add_tool
        add(self.inventory, annotations=READ_ONLY)
        add(self.control_device, annotations=CHANGES)
        add(self.manual, annotations=READ_ONLY)
        add(self.count_stock, annotations=READ_ONLY)
        add(self.wait, annotations=READ_ONLY)
        add(self.cancelled_calls, annotations=READ_ONLY)
        self._set_tools(version())

    def convert_units(self, value: float, from_unit: str, to_unit: str) -> str:
        """Convert a length between mm, cm, m, km, in, ft and mi."""
        return f"{value:g} {from_unit} = {_converted(value, from_unit, to_unit):g} {to_unit}"

    def convert_units_rounded(self, value: float, from_unit: str, to_unit: str, digits: int = 2) -> str:
        """Convert a length between mm, cm, m, km, in, ft and mi, rounded to some digits after the point."""
        return f"{value:g} {from_unit} = {round(_converted(value, from_unit, to_unit), digits):g} {to_unit}"

    def inventory(self, name: str | None = None) -> Inventory:
        """Return the stock of all articles, or of one."""
        if name is not None and name not in STOCK:
            raise ToolError(f"There is no article {name!r}. Articles: {', '.join(STOCK)}")
        items = [Item(name=article, count=count) for article, count in STOCK.items() if name in (None, article)]
        return Inventory(items=items, total=sum(item.count for item in items))

    def control_device(self, deviceName: str, action: Action) -> DeviceState:  # noqa: N803
        """Switch a device of the store on or off."""
        if deviceName not in self.devices:
            raise ToolError(f"There is no device {deviceName!r}. Devices: {', '.join(self.devices)}")
        self.devices[deviceName] = action == "on" or (action == "toggle" and not self.devices[deviceName])
        return DeviceState(deviceName=deviceName, on=self.devices[deviceName])

    def picture(self) -> Image:
        """Return a picture of the store."""
        return Image(data=PIXEL, format="png")

    def manual(self) -> ResourceLink:
        """Return a link to the manual of the devices."""
        return ResourceLink(
            type="resource_link",
            uri="https://example.com/manual.pdf",
            name="manual",
            title="Manual of the devices",
            mime_type="application/pdf",
            size=48_213,
        )

    async def count_stock(self, ctx: Context) -> str:
        """Count the stock article by article, with progress."""
        for number, article in enumerate(STOCK, start=1):
            await ctx.report_progress(number, len(STOCK), f"counted {article}")
        return f"Counted {sum(STOCK.values())} pieces of {len(STOCK)} articles"

    async def wait(self, seconds: float) -> str:
        """Wait for some seconds; the call ends early when the client cancels it."""
        try:
            await anyio.sleep(seconds)
        except anyio.get_cancelled_exc_class():
            self.cancelled.append(f"wait {seconds:g}")
            print(f"cancelled: wait {seconds:g}", file=sys.stderr, flush=True)
            raise
        return f"Waited {seconds:g} s"

    def cancelled_calls(self) -> str:
        """Return the calls that clients have cancelled in this process."""
        return ", ".join(self.cancelled) or "none"

    def restock(self, name: str, count: int) -> str:
        """Order pieces of an article."""
        return f"Ordered {count} pieces of {name}"

    def _set_tools(self, version: int) -> None:
        """Offer the tools of a version."""
        if version == self._listed:
            return
        for name in ("convert_units", "picture", "restock") if self._listed else ():
            if name != ("restock" if self._listed == 1 else "picture"):
                self.mcp.remove_tool(name)
        if version == 1:
            self.mcp.add_tool(self.convert_units, annotations=READ_ONLY)
            self.mcp.add_tool(self.picture, annotations=READ_ONLY)
        else:
            self.mcp.add_tool(self.convert_units_rounded, name="convert_units", annotations=READ_ONLY)
            self.mcp.add_tool(self.restock, annotations=CHANGES)
        self._listed = version

    async def _with_version(self, ctx: Any, call_next: Any) -> Any:
        self._set_tools(self._version())
        return await call_next(ctx)


def _converted(value: float, from_unit: str, to_unit: str) -> float:
    if unknown := [unit for unit in (from_unit, to_unit) if unit not in METRES]:
        raise ToolError(f"There is no unit {unknown[0]!r}. Units: {', '.join(METRES)}")
    return value * METRES[from_unit] / METRES[to_unit]
