"""Tools of a client, and its choice of them, in chat completions and responses."""

from collections.abc import Mapping
from typing import Final

from flexchat.messages import Json
from functions.chat.generation.overrides import ClientTool
from functions.chat.openai_api.parameters import Parameters
from functions.chat.openai_api.requests import invalid_parameter
from functions.chat.providers.base import NamedTool, ToolChoice

MAX_TOOLS: Final = 128
MAX_NAME_CHARACTERS: Final = 64


def client_tools(request: Parameters, *, nested: bool) -> tuple[ClientTool, ...]:
    """Return the parameter `tools`, whose definitions are `nested` in `function` or flat.

    Raises RequestError that names the tool for one that is no function.
    """
    return tuple(
        _tool(item, f"tools[{index}]", nested=nested)
        for index, item in enumerate(request.items("tools", at_most=MAX_TOOLS))
    )


def _tool(item: Json, path: str, *, nested: bool) -> ClientTool:
    if not isinstance(item, dict):
        raise invalid_parameter(path, "must be an object of the type 'function'")
    _check_type(item, path)
    values = Parameters(item, path)
    definition = values.object("function") if nested else values
    name = definition.required_text("name")
    if len(name) > MAX_NAME_CHARACTERS:
        raise invalid_parameter(definition.place("name"), f"must have at most {MAX_NAME_CHARACTERS} characters")
    description, parameters = definition.text("description") or "", dict(definition.object("parameters").values)
    if not parameters:
        return ClientTool(name=name, description=description)
    return ClientTool(name=name, description=description, parameters=parameters)


def _check_type(item: Mapping[str, Json], path: str) -> None:
    kind = item.get("type")
    if kind != "function":
        shown = repr(kind) if isinstance(kind, str) else "missing"
        raise invalid_parameter(f"{path}.type", f"is {shown}; only 'function' is supported", code="unsupported_value")


def tool_choice(request: Parameters, *, nested: bool) -> ToolChoice:
    """Return the parameter `tool_choice`. Raises RequestError for another form."""
    value = request.values.get("tool_choice")
    match value:
        case None | "auto":
            return "auto"
        case "none":
            return "none"
        case "required":
            return "required"
        case {"type": "function"}:
            choice = request.object("tool_choice")
            return NamedTool((choice.object("function") if nested else choice).required_text("name"))
        case _:
            message = "must be 'auto', 'none', 'required' or an object of the type 'function' with the name of a tool"
            raise invalid_parameter(request.place("tool_choice"), message)
