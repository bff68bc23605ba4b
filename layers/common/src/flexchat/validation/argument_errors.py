"""Problems of the arguments of one call."""

from collections.abc import Iterator, Mapping, Sequence

from flexchat.config.models.tools import ToolDefinition
from flexchat.messages import Json
from flexchat.validation.cases import ExpectedCall
from flexchat.validation.reference_calls import LEFT_OUT
from flexchat.validation.values import choice_of, is_one_of, properties_of, type_of, written
from flexchat.validation.verdicts import MadeCall


def call_problems(made: MadeCall, expected: ExpectedCall, tool: ToolDefinition | None) -> tuple[str, ...]:
    """Return every problem of a call's arguments, missing ones last; empty when they are correct.

    The schema of `tool` defines the required arguments and where any number is accepted. An argument that is not in the
    case must not be passed, even with its default value.
    """
    return tuple(_problems(made, expected, tool))


def is_right(made: MadeCall, expected: ExpectedCall, tool: ToolDefinition | None) -> bool:
    """Return true when a call is of the expected tool and has no problem."""
    return made.tool == expected.tool and next(_problems(made, expected, tool), None) is None


def _problems(made: MadeCall, expected: ExpectedCall, tool: ToolDefinition | None) -> Iterator[str]:
    if made.arguments is None:
        yield "sent arguments that are no JSON object"
        return
    schema = tool.parameters if tool else {}
    yield from _wrong(made.arguments, expected, properties_of(schema))
    yield from _missing(made.arguments, expected, schema.get("required"))


def _wrong(arguments: Mapping[str, Json], expected: ExpectedCall, properties: Mapping[str, Json]) -> Iterator[str]:
    for name, value in arguments.items():
        allowed = expected.arguments.get(name)
        if allowed is None and name not in properties:
            yield f"gave {name}, which {expected.tool} does not have"
        elif allowed is None:
            yield f"gave {name} {written(value)}, which was not asked for"
        elif not is_one_of(value, allowed, properties.get(name)):
            yield f"asked for {name} {written(value)}, expected {choice_of(allowed)}{_types(value, allowed)}"


def _types(value: Json, allowed: Sequence[Json]) -> str:
    """Return a note on the types when they are the problem."""
    given = type_of(value)
    wanted = dict.fromkeys(type_of(each) for each in allowed if each != LEFT_OUT)
    return f" (as {' or '.join(wanted)}, not {given})" if wanted and given not in wanted else ""


def _missing(arguments: Mapping[str, Json], expected: ExpectedCall, required: Json) -> Iterator[str]:
    names = required if isinstance(required, list) else []
    for name in dict.fromkeys((*expected.arguments, *(name for name in names if isinstance(name, str)))):
        if name in arguments:
            continue
        if name in names:
            yield f"left out {name}, which is required"
        elif LEFT_OUT not in expected.arguments[name]:
            yield f"left out {name}, expected {choice_of(expected.arguments[name])}"
