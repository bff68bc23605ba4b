"""Configuration of a tool of type builtin."""

from difflib import get_close_matches
from typing import Annotated, Literal

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from flexchat.tool_implementation import ToolImplementation
from functions.tools.builtin.handlers import HANDLERS


def _check_handler(name: str) -> str:
    """Refuse an unknown handler; `hint` is for the operator, `fault` for the model."""
    if name in HANDLERS:
        return name
    near = get_close_matches(name, HANDLERS, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"the handlers are {', '.join(sorted(HANDLERS))}"
    fault = f"Builtin handler '{name[:100]}' not found"
    raise PydanticCustomError("handler_not_found", "{fault}; {hint}", {"fault": fault, "hint": hint})


class Implementation(ToolImplementation):
    """`handler` is the name of a built-in handler."""

    type: Literal["builtin"]
    handler: Annotated[str, AfterValidator(_check_handler)]
