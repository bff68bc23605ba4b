"""Input and output of the rules in a neutral format."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from flexchat.messages import Json


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an offered tool, as far as its schema describes it."""

    name: str
    type: str = "string"
    choices: tuple[str, ...] = ()
    required: bool = False


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """Tool in the request."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    description: str = ""

    def known(self, *names: str) -> str | None:
        """Return the first of `names` that is a parameter of the tool."""
        own = {parameter.name for parameter in self.parameters}
        return next((name for name in names if name in own), None)

    def parameter(self, *names: str) -> str | None:
        """Return the parameter with one of `names`, else the only required one if it is free text."""
        required = [parameter for parameter in self.parameters if parameter.required and not parameter.choices]
        only = required[0].name if len(required) == 1 and required[0].type == "string" else None
        return self.known(*names) or only

    def choices(self, *words: str) -> dict[str, Json]:
        """Return, for each parameter with fixed choices, the first choice that contains one of `words`."""
        chosen: dict[str, Json] = {}
        for parameter in self.parameters:
            fitting = [choice for word in words for choice in parameter.choices if word in choice.lower()]
            if fitting:
                chosen[parameter.name] = fitting[0]
        return chosen

    def is_satisfied_by(self, arguments: Mapping[str, Json]) -> bool:
        return all(parameter.name in arguments for parameter in self.parameters if parameter.required)


@dataclass(frozen=True, slots=True)
class ForcedTool:
    """Tool that must be called, with the JSON Schema of its arguments."""

    name: str
    schema: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class ToolReport:
    """Call since the latest user message; `content` is its result as in the message."""

    tool: str
    arguments: Mapping[str, Json]
    content: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """Request in neutral form: `system` is its prompt, `turns` counts the model's turns with calls since the latest
    user message, `earlier_calls` all calls before this turn. `pictures` are phrases for those of the latest messages.
    `stream` requests a stream, `stream_usage` the usage in it from a provider that does not always send it. `form` is
    the JSON Schema of the answer, empty for any object, `forced` the tool that must be called."""

    model: str
    message: str
    system: str = ""
    tools: tuple[OfferedTool, ...] = ()
    reports: tuple[ToolReport, ...] = ()
    turns: int = 0
    earlier_calls: int = 0
    input_characters: int = 0
    max_tokens: int | None = None
    stream: bool = False
    stream_usage: bool = False
    form: Mapping[str, Json] | None = None
    forced: ForcedTool | None = None
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """Requested call; `arguments` is text only for broken JSON."""

    tool: str
    arguments: Mapping[str, Json] | str


@dataclass(frozen=True, slots=True)
class Reply:
    """Next turn of the model: text or tool calls; `thinking` precedes both."""

    text: str = ""
    calls: tuple[PlannedCall, ...] = ()
    finish: Literal["stop", "tool_calls", "length", "refusal"] = "stop"
    thinking: str = ""
