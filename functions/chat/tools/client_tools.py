"""Tools of the client of one chat, offered to the model beside those of the service; the client runs their calls."""

from collections.abc import Iterable, Sequence
from http import HTTPStatus

from msgspec import Struct, field

from flexchat.config.providers import ProviderType
from flexchat.errors import RequestError
from flexchat.messages import Json
from flexchat.schema import check_schema
from functions.chat.tools.formats import ProviderTools, WireNames, tool_format
from functions.chat.tools.schema_compiler import compile_tool


class ClientTool(Struct, frozen=True, kw_only=True):
    """Function tool of a client, which runs its calls itself; `parameters` is the JSON Schema of its arguments."""

    name: str
    description: str = ""
    parameters: dict[str, Json] = field(default_factory=lambda: dict[str, Json](type="object", properties={}))


class ClientTools:
    """Tools of the client of one chat, in the order of the request.

    `taken` are the names, in requests to providers, of the service's tools that the same chat offers. Raises
    RequestError (400) for a name that is used twice, and for an invalid schema.
    """

    def __init__(self, tools: Sequence[ClientTool], *, taken: Iterable[str] = ()) -> None:
        self._tools = tools
        self._names = WireNames(tool.name for tool in tools)
        self._payloads: dict[ProviderType, ProviderTools] = {}
        used = set(taken)
        for tool in tools:
            wire_name = self._names.wire_name(tool.name)
            if wire_name in used:
                raise _refused(f"the tool name '{tool.name}' is used twice, or by a tool of the service; rename it")
            used.add(wire_name)
            if problems := check_schema(tool.parameters):
                raise _refused(f"the parameters of the tool '{tool.name}' are invalid: {'; '.join(problems)}")
        self._wire_names = frozenset(map(self._names.wire_name, (tool.name for tool in tools)))

    def __contains__(self, wire_name: str) -> bool:
        """Return whether a name in requests is that of one of these tools."""
        return wire_name in self._wire_names

    def tool_name(self, wire_name: str) -> str:
        """Return the client's name of a tool."""
        return self._names.tool_name(wire_name)

    def wire_name(self, name: str) -> str | None:
        """Return the name in requests of the client's tool `name`; None for another tool."""
        return self._names.wire_name(name) if any(tool.name == name for tool in self._tools) else None

    def payload(self, provider: ProviderType, beside: Iterable[dict[str, Json]]) -> ProviderTools:
        """Return these tools after the entries `beside` of the service's tools, in the format of `provider`."""
        if provider not in self._payloads:
            wanted = tool_format(provider)
            own = (
                wanted.entry(compile_tool(tool, wanted.dialect, wire_name=self._names.wire_name(tool.name)))
                for tool in self._tools
            )
            self._payloads[provider] = wanted.payload([*beside, *own])
        return self._payloads[provider]


def _refused(message: str) -> RequestError:
    return RequestError(message, status=HTTPStatus.BAD_REQUEST, code="invalid_tools")
