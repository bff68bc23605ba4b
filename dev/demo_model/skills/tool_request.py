"""Tool requests of a skill, and the phrases for their results."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dev.demo_model.conversation import OfferedTool
from flexchat.messages import Json


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """One request in a message.

    `subject` identifies it in an error. `phrase_result` returns a sentence for a tool's result; `unaided` is the answer
    without a tool.
    """

    subject: str
    phrase_result: Callable[[Json], str]
    tool: OfferedTool | None = None
    arguments: Mapping[str, Json] | None = None
    unaided: str | None = None


def offered(tools: Sequence[OfferedTool], *words: str) -> OfferedTool | None:
    """Return the first tool with one of `words` in its name, the words in order of preference."""
    return next((tool for word in words for tool in tools if word in tool.name.lower()), None)


def core(value: Json) -> Json:
    """Return a result without a wrapper of one key: `{"result": 6.75}` becomes 6.75."""
    while isinstance(value, dict):
        if "result" in value:
            value = value["result"]
        elif len(value) == 1:
            value = next(iter(value.values()))
        else:
            break
    return value


def as_text(value: Json) -> str:
    """Return any JSON value as a short phrase."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case float():
            return str(int(value)) if value.is_integer() else str(value)
        case int() | str():
            return str(value)
        case list():
            return ", ".join(as_text(item) for item in value) or "nothing"
        case dict():
            return ", ".join(f"{name.replace('_', ' ')} {as_text(item)}" for name, item in value.items()) or "nothing"
