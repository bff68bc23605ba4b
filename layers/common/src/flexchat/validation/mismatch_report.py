"""Report of differences between expected and actual calls: the fewest problems that explain them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from flexchat.config.models.tools import ToolDefinition
from flexchat.messages import Json
from flexchat.text import counted
from flexchat.validation.call_matching import LEFT_OUT, assign
from flexchat.validation.cases import Expectation, ExpectedCall, ValidationCase
from flexchat.validation.values import choice_of, is_one_of, properties_of, type_of, written
from flexchat.validation.verdicts import Category, MadeCall


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


MAX_CALLS: Final = 100
"""Maximum number of calls that are explained."""

_PROBLEM: Final = 1_000
"""Cost of one problem, above that of any distance between two positions."""

_NOT_OFFERED: Final = frozenset({"tool_not_found", "tool_not_allowed", "tool_disabled"})


class _Wanted(Struct, frozen=True):
    """An expected call, its turn, and its position among all expected calls."""

    call: ExpectedCall
    turn: int
    place: int


class _Pair(Struct, frozen=True):
    """An expected call, the call matched to it at position `place` of all calls, and the problems of that call."""

    wanted: _Wanted
    made: MadeCall
    place: int
    problems: tuple[str, ...]


def explained(case: ValidationCase, calls: Sequence[MadeCall], tools: Mapping[str, ToolDefinition]) -> Iterator[str]:
    """Return the problems of calls: their arguments, number, order or failure."""
    expect = case.expect
    if expect.any_call and not expect.turns:
        yield from _any_call(expect, calls, tools)
        return
    calls_of_turns = ((turn, call) for turn, expected in enumerate(expect.turns) for call in expected.calls)
    wanted = [_Wanted(call, turn, place) for place, (turn, call) in enumerate(calls_of_turns)]
    made = list(enumerate(calls[:MAX_CALLS]))
    if len(calls) > MAX_CALLS:
        yield f"made {counted(len(calls), 'call')}, expected {len(wanted)}; the first {MAX_CALLS} are looked at"
    pairs = sorted(_pairs(wanted, made, tools), key=lambda pair: pair.wanted.place)
    paired = {pair.place for pair in pairs}
    rest = [call for place, call in made if place not in paired]
    yield from _arguments(pairs, many=len(wanted) > 1)
    if wanted:
        yield from _numbers(wanted, pairs, [call for call in rest if call.success])
    else:
        yield from _needless(case.category, [call for call in rest if call.success])
    yield from _orders(expect, pairs)
    yield from _failures([call for call in rest if not call.success], expect.failed_calls, tools)


def _any_call(expect: Expectation, calls: Sequence[MadeCall], tools: Mapping[str, ToolDefinition]) -> Iterator[str]:
    if not calls:
        yield "called no tool, though one fits"
    yield from _failures([call for call in calls if not call.success], expect.failed_calls, tools)
    if calls and not any(call.success for call in calls):
        yield "no call succeeded"


def _pairs(
    wanted: Sequence[_Wanted], made: Sequence[tuple[int, MadeCall]], tools: Mapping[str, ToolDefinition]
) -> Iterator[_Pair]:
    """Return, for each tool, the expected calls matched to the actual ones with the fewest problems, in order."""
    for tool in dict.fromkeys(each.call.tool for each in wanted):
        expected = [each for each in wanted if each.call.tool == tool]
        candidates = [(place, call) for place, call in made if call.tool == tool]
        problems = [[call_problems(call, each.call, tools.get(tool)) for _, call in candidates] for each in expected]
        costs = [
            [
                _PROBLEM * (2 * len(problems[row][column]) + (not call.success)) + abs(each.place - place)
                for column, (place, call) in enumerate(candidates)
            ]
            for row, each in enumerate(expected)
        ]
        for row, column in enumerate(assign(costs)):
            if column is not None:
                place, call = candidates[column]
                yield _Pair(expected[row], call, place, problems[row][column])


def _arguments(pairs: Sequence[_Pair], *, many: bool) -> Iterator[str]:
    """Return the problems of each call; its failure only when its arguments do not explain it."""
    times = Counter(pair.wanted.call.tool for pair in pairs)
    number: Counter[str] = Counter()
    for pair in pairs:
        tool = pair.wanted.call.tool
        number[tool] += 1
        which = f"{tool} ({number[tool]})" if times[tool] > 1 else tool
        yield from (f"{which}: {problem}" if many else problem for problem in pair.problems)
        if not pair.made.success and not pair.problems:
            yield f"{which} failed: {pair.made.error_type}"


def _numbers(wanted: Sequence[_Wanted], pairs: Sequence[_Pair], rest: Sequence[MadeCall]) -> Iterator[str]:
    """Return the tools that were called too often or too seldom."""
    expected = Counter(each.call.tool for each in wanted)
    made = Counter(pair.wanted.call.tool for pair in pairs) + Counter(call.tool for call in rest)
    missing = [tool for tool in expected if not made[tool]]
    needless = [tool for tool in made if tool not in expected]
    if len(missing) == len(needless) == 1 and expected[missing[0]] == made[needless[0]]:
        yield f"called {needless[0]}, expected {missing[0]}"
    else:
        yield from (f"did not call {tool}{_more_than_once(expected[tool])}" for tool in missing)
        yield from (f"called {tool}{_more_than_once(made[tool])}, which is not needed here" for tool in needless)
    for tool in expected:
        if made[tool] and made[tool] != expected[tool]:
            yield f"{tool} was called {_times(made[tool])}, expected {expected[tool]}"


def _needless(category: Category, made: Sequence[MadeCall]) -> Iterator[str]:
    """Return the problems of a case in which every call is wrong."""
    why = "before it asked for what is missing" if category == "clarification" else "though no tool fits"
    for tool, number in Counter(call.tool for call in made).items():
        yield f"called {tool}{_more_than_once(number)} {why}"


def _orders(expect: Expectation, pairs: Sequence[_Pair]) -> Iterator[str]:
    """Return the problems of order: overlapping turns, calls of a turn in another order, calls not made together."""
    for index, turn in enumerate(expect.turns):
        here = [pair for pair in pairs if pair.wanted.turn == index]
        earlier = [pair for pair in pairs if pair.wanted.turn < index]
        for pair in here:
            late = [other for other in earlier if other.made.iteration >= pair.made.iteration]
            yield from (f"called {_name(pair)} before {_name(other)} was done" for other in late[:1])
        if turn.order == "strict":
            for before, after in pairwise(here):
                if before.place > after.place:
                    yield f"called {_name(after)} before {_name(before)}, expected it after"
        if turn.together and len({pair.made.iteration for pair in here}) > 1:
            yield f"made the calls to {_list(here)} one after another, expected them at once"


def _failures(failed: Sequence[MadeCall], allowed: int, tools: Mapping[str, ToolDefinition]) -> Iterator[str]:
    """Return the failed calls that match no expected call, when there are more than allowed."""
    if len(failed) <= allowed:
        return
    for call in failed:
        if call.tool not in tools or call.error_type in _NOT_OFFERED:
            yield f"called {call.tool}, which it was not offered"
        else:
            yield f"{call.tool} failed: {call.error_type}"
    if allowed:
        yield f"{counted(len(failed), 'call')} failed, expected no more than {allowed}"


def _name(pair: _Pair) -> str:
    return pair.wanted.call.tool


def _list(pairs: Sequence[_Pair]) -> str:
    return " and ".join(dict.fromkeys(_name(pair) for pair in pairs))


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _more_than_once(number: int) -> str:
    return f" {number} times" if number > 1 else ""
