"""Any other tool, called when a message names it, with simple parameters from the message."""

import re
from collections.abc import Iterator, Sequence

from dev.demo_model.conversation import OfferedTool, Parameter
from dev.demo_model.skills.tool_request import ToolRequest, as_text, core
from dev.demo_model.words import stems
from flexchat.messages import Json

_NAME_PARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
_QUOTED = re.compile(r"[\"\u201c'\u2018](?P<value>[^\"\u201d'\u2019]{1,200})[\"\u201d'\u2019](?!\w)")
_AFTER_PREPOSITION = re.compile(
    r"\b(?:in|at|for|of|to|from|about|on|with|called|named)\s+(?:(?:the|a|an|my|our)\s+)?"
    r"(?P<value>[^\s.?!,;:'\"]+(?:[ -][A-Z0-9][^\s.?!,;:'\"]*)*)"
)
_NUMBER = re.compile(r"(?<![\w.,-])-?\d{1,15}(?:\.\d{1,6})?(?![\w%]|[.,]\d)")
_OTHER_WORDS = 2
"""Number of words of a description that a message must share when it has only part of a tool's name."""


def named(message: str, tools: Sequence[OfferedTool]) -> list[ToolRequest]:
    """Return a call of the tool that shares most words with the message, if the message has its required parameters."""
    spoken = stems(message)
    scored = [(score, tool) for tool in tools if (score := _score(tool, spoken))]
    if not scored:
        return []
    tool = max(scored, key=lambda each: each[0])[1]
    arguments = _arguments(tool, message)
    if not tool.is_satisfied_by(arguments):
        return []
    return [
        ToolRequest(
            subject=tool.name,
            phrase_result=lambda result: f"{tool.name} says: {as_text(core(result))}.",
            tool=tool,
            arguments=arguments,
        )
    ]


def _score(tool: OfferedTool, spoken: frozenset[str]) -> int:
    """Return the number of words shared with a tool, those of its name counted twice; 0 when they do not name it.

    A message names a tool by every word of its name, or by half of them and two words of its description.
    """
    name = stems(" ".join(_NAME_PARTS.split(tool.name)))
    described = stems(tool.description) - name
    in_name, in_description = len(name & spoken), len(described & spoken)
    whole = bool(name) and in_name == len(name)
    half = 2 * in_name >= len(name) > 0 and in_description >= _OTHER_WORDS
    return 2 * in_name + in_description if whole or half else 0


def _arguments(tool: OfferedTool, message: str) -> dict[str, Json]:
    """Return arguments in the order of the parameters, the required ones first: choices, numbers and texts of the
    message."""
    numbers = iter([match[0] for match in _NUMBER.finditer(message)])
    texts = _texts(tool, message)
    found: dict[str, Json] = {}
    for parameter in sorted(tool.parameters, key=lambda each: not each.required):
        value = _value(parameter, message, numbers, texts)
        if value is not None:
            found[parameter.name] = value
    return found


def _value(parameter: Parameter, message: str, numbers: Iterator[str], texts: Iterator[str]) -> Json:
    if parameter.choices:
        return next((choice for choice in parameter.choices if stems(choice) and stems(choice) <= stems(message)), None)
    match parameter.type:
        case "integer":
            number = next(numbers, None)
            return None if number is None else int(float(number))
        case "number":
            number = next(numbers, None)
            return None if number is None else float(number)
        case "string" if parameter.required:
            return next(texts, None)
        case _:
            return None


def _texts(tool: OfferedTool, message: str) -> Iterator[str]:
    """Return quoted texts, then texts after a preposition: capitalized names and codes before other words."""
    yield from (match["value"] for match in _QUOTED.finditer(message))
    values = [match["value"] for match in _AFTER_PREPOSITION.finditer(message)]
    proper = [value for value in values if not value[0].islower()]
    own = stems(f"{' '.join(_NAME_PARTS.split(tool.name))} {tool.description}")
    yield from proper
    yield from (value for value in values if value not in proper and stems(value) and not stems(value) <= own)
