"""Reference solution of a case: the expected calls, each with the first of its accepted values."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from flexchat.messages import Json
from flexchat.validation.cases import ExpectedCall, ValidationCase

LEFT_OUT = ""
"""Marks an optional argument among its accepted values."""


class ReferenceCall(Struct, frozen=True):
    """A call with its arguments."""

    tool: str
    arguments: Mapping[str, Json]


def reference_turns(case: ValidationCase) -> tuple[tuple[ReferenceCall, ...], ...]:
    """Return the calls of each turn; empty where no call, or any call, is accepted."""
    return tuple(
        tuple(ReferenceCall(tool=call.tool, arguments=reference_arguments(call)) for call in turn.calls)
        for turn in case.expect.turns
    )


def reference_arguments(call: ExpectedCall) -> dict[str, Json]:
    """Return the first accepted value of every argument; an optional argument is omitted unless a value precedes the
    mark."""
    return {name: example_of(values[0]) for name, values in call.arguments.items() if values and values[0] != LEFT_OUT}


def example_of(expected: Json) -> Json:
    """Return one value of an accepted value: each key of an object may have several."""
    match expected:
        case list():
            return [example_of(item) for item in expected]
        case dict():
            first = {name: next(iter(values_of(wanted)), LEFT_OUT) for name, wanted in expected.items()}
            return {name: example_of(value) for name, value in first.items() if value != LEFT_OUT}
        case _:
            return expected


def values_of(expected: Json) -> Sequence[Json]:
    """Return the accepted values of a key of an expected object, as a list."""
    return expected if isinstance(expected, list) else [expected]
