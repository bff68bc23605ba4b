"""Minimum-cost assignment of expected to actual calls."""

from collections.abc import Mapping, Sequence
from math import inf

from msgspec import Struct

from flexchat.messages import Json
from flexchat.validation.cases import ExpectedCall, ValidationCase


def assign(costs: Sequence[Sequence[int]]) -> list[int | None]:
    """Return the column assigned to each row at the minimum sum of costs; None for rows without one.

    The number of pairs is the maximum. Hungarian method, cubic in the size.
    """
    if not costs or not costs[0]:
        return [None] * len(costs)
    if len(costs) <= len(costs[0]):
        return [*_columns(costs)]
    transposed = [list(column) for column in zip(*costs, strict=True)]
    rows: list[int | None] = [None] * len(costs)
    for column, row in enumerate(_columns(transposed)):
        rows[row] = column
    return rows


def _columns(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return a column for each row, given at least as many columns as rows.

    Rows and columns are counted from 1; 0 is the position of the row that is being assigned.
    """
    height, width = len(costs), len(costs[0])
    row_price, column_price = [0.0] * (height + 1), [0.0] * (width + 1)
    row_of = [0] * (width + 1)
    for row in range(1, height + 1):
        row_of[0] = row
        least, before, seen = [inf] * (width + 1), [0] * (width + 1), [False] * (width + 1)
        column = 0
        while row_of[column]:
            seen[column] = True
            current, step, following = row_of[column], inf, 0
            for other in range(1, width + 1):
                if seen[other]:
                    continue
                cost = costs[current - 1][other - 1] - row_price[current] - column_price[other]
                if cost < least[other]:
                    least[other], before[other] = cost, column
                if least[other] < step:
                    step, following = least[other], other
            for other in range(width + 1):
                if seen[other]:
                    row_price[row_of[other]] += step
                    column_price[other] -= step
                else:
                    least[other] -= step
            column = following
        while column:
            row_of[column] = row_of[before[column]]
            column = before[column]
    columns = [0] * height
    for column in range(1, width + 1):
        if row_of[column]:
            columns[row_of[column] - 1] = column - 1
    return columns


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
