"""What a model that knows its work does with a case: the expected calls, each with the first of its allowed values."""

from collections.abc import Mapping
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
    return {name: values[0] for name, values in call.arguments.items() if values and values[0] != LEFT_OUT}
