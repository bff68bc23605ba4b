"""What a model that knows its work does with a case: the expected calls, each with the first of its allowed values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flexchat.messages import Json
from flexchat.validation.cases import ExpectedCall, ValidationCase

LEFT_OUT = ""
"""Among the allowed values of an argument: it may be left out."""


@dataclass(frozen=True, slots=True)
class ReferenceCall:
    """One call to make, with its arguments."""

    tool: str
    arguments: Mapping[str, Json]


def reference_turns(case: ValidationCase) -> tuple[tuple[ReferenceCall, ...], ...]:
    """The calls of each turn, one turn after another; none where no call is right, or any."""
    return tuple(
        tuple(ReferenceCall(tool=call.tool, arguments=reference_arguments(call)) for call in turn.calls)
        for turn in case.expect.turns
    )


def reference_arguments(call: ExpectedCall) -> dict[str, Json]:
    """The first allowed value of every argument; what may be left out is, unless a value comes first."""
    return {name: example_of(values[0]) for name, values in call.arguments.items() if values and values[0] != LEFT_OUT}


def example_of(expected: Json) -> Json:
    """One value that an allowed value stands for: each key of an object may have several that are right."""
    match expected:
        case list():
            return [example_of(item) for item in expected]
        case dict():
            first = {name: next(iter(values_of(wanted)), LEFT_OUT) for name, wanted in expected.items()}
            return {name: example_of(value) for name, value in first.items() if value != LEFT_OUT}
        case _:
            return expected


def values_of(expected: Json) -> Sequence[Json]:
    """The values that are right for a key of an expected object: those of a list, or the one that is no list."""
    return expected if isinstance(expected, list) else [expected]
