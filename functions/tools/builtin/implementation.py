"""What the configuration says about a tool of type builtin."""

from difflib import get_close_matches
from typing import Annotated, Literal

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from flexchat.config.models.base import ConfigModel, Milliseconds
from functions.tools.builtin.handlers import HANDLERS


def _known(name: str) -> str:
    """Refuse an unknown handler: the operator reads a hint too, the model only that it was not found."""
    if name in HANDLERS:
        return name
    near = get_close_matches(name, HANDLERS, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(sorted(HANDLERS))}"
    fault = f"Builtin handler '{name[:100]}' not found"
    raise PydanticCustomError("handler_not_found", "{fault}; {hint}", {"fault": fault, "hint": hint})


class Implementation(ConfigModel):
    """`handler` names one of the built-in handlers."""

    type: Literal["builtin"]
    handler: Annotated[str, AfterValidator(_known)]
    timeout_ms: Milliseconds | None = None
