"""Suites of cases: parsing, checks, and the built-in suites."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final, Self

from msgspec import Struct, field
from pydantic import BaseModel, TypeAdapter, ValidationError

from flexchat.config.models.tools import ToolDefinition
from flexchat.config.problems import problem_of
from flexchat.config.suggestions import did_you_mean
from flexchat.errors import ConfigError, Problem, ToolInputError
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json
from flexchat.schema import ArgumentChecker, check_schema
from flexchat.validation.call_matching import LEFT_OUT, example_of
from flexchat.validation.cases import ExpectedCall, Suite, ValidationCase
from flexchat.validation.mocks import MockImplementation
from flexchat.validation.sample_values import each_alone
from flexchat.validation.verdicts import Category

NO_CALL: frozenset[Category] = frozenset({"irrelevance", "clarification"})
"""Categories in which every call is wrong."""


class SuiteParts(Struct, frozen=True):
    """Well-formed tools and cases of a suite by position; `broken_tools` are the names of the other tools."""

    tools: Mapping[int, ToolDefinition]
    cases: Mapping[int, ValidationCase]
    broken_tools: frozenset[str] = field(default=frozenset())


def problems_of(parts: SuiteParts) -> Iterator[Problem]:
    """Return every problem between the parts of a suite, tools first."""
    known: dict[str, ToolDefinition] = {}
    checkers: dict[str, _Checkers] = {}
    for position, tool in parts.tools.items():
        path = f"tools[{position}]"
        if tool.name in known:
            yield Problem(f"{path}.name", f"duplicate tool name {tool.name!r}; every tool needs its own name")
        known.setdefault(tool.name, tool)
        schema_problems = check_schema(tool.parameters)
        if known[tool.name] is tool and not schema_problems:
            checkers[tool.name] = _Checkers.of(tool)
        yield from (Problem(f"{path}.parameters", message) for message in schema_problems)
        yield from _implementation_problems(path, tool)
    first_at: dict[str, int] = {}
    for position, case in parts.cases.items():
        path = f"cases[{position}]"
        first = first_at.setdefault(case.id, position)
        if first != position:
            yield Problem(
                f"{path}.id", f"duplicate id {case.id!r}, also in cases[{first}]; every case needs its own id"
            )
        yield from _CaseCheck(path, case, known, checkers, parts.broken_tools).problems()


def _implementation_problems(path: str, tool: ToolDefinition) -> Iterator[Problem]:
    if not tool.enabled:
        yield Problem(f"{path}.enabled", "a tool of a suite cannot be disabled; leave it out of the cases")
    if tool.implementation_type != "mock":
        yield Problem(f"{path}.implementation.type", "must be 'mock', so that a validation has no effect elsewhere")
        return
    try:
        implementation = MockImplementation.model_validate(tool.implementation)
    except ValidationError as exc:
        for error in exc.errors(include_url=False):
            found = problem_of(error, MockImplementation)
            yield Problem(f"{path}.implementation.{found.path}", found.message)
        return
    for position, answer in enumerate(implementation.answers):
        for name in _unknown(answer.when, tool):
            where = f"{path}.implementation.answers[{position}].when"
            yield Problem(where, f"the tool has no parameter {name!r}{did_you_mean(name, _parameters(tool))}")


class _Checkers(Struct, frozen=True):
    """Checks of one tool's arguments: of a whole call, and of each argument alone."""

    whole: ArgumentChecker
    alone: ArgumentChecker

    @classmethod
    def of(cls, tool: ToolDefinition) -> Self:
        return cls(whole=ArgumentChecker(tool.parameters), alone=ArgumentChecker(each_alone(tool.parameters)))


class _CaseCheck(Struct, frozen=True):
    path: str
    case: ValidationCase
    tools: Mapping[str, ToolDefinition]
    checkers: Mapping[str, _Checkers]
    broken: frozenset[str]

    def problems(self) -> Iterator[Problem]:
        yield from self._offered()
        yield from self._category()
        for place, turn in enumerate(self.case.expect.turns):
            for number, call in enumerate(turn.calls):
                yield from self._call(f"{self.path}.expect.turns[{place}].calls[{number}]", call)

    def _offered(self) -> Iterator[Problem]:
        names = self.case.tools
        if names == ():
            yield Problem(f"{self.path}.tools", "offers no tool; name some, or leave it out for all of the suite")
        for position, name in enumerate(names or ()):
            where = f"{self.path}.tools[{position}]"
            if name not in self.tools and name not in self.broken:
                yield Problem(where, f"the suite has no tool {name!r}{did_you_mean(name, self.tools)}")
            elif name in (names or ())[:position]:
                yield Problem(where, f"{name!r} is named twice")

    def _category(self) -> Iterator[Problem]:
        expect, category = self.case.expect, self.case.category
        where = f"{self.path}.expect"
        calls = [call for turn in expect.turns for call in turn.calls]
        if expect.any_call and calls:
            yield Problem(f"{where}.any_call", "must not be set with 'turns': it accepts any call")
        if category in NO_CALL:
            if calls or expect.any_call or expect.failed_calls:
                yield Problem(where, f"must expect no calls in a case of category {category!r}")
        elif not calls and not expect.any_call:
            yield Problem(where, f"must expect a call in a case of category {category!r}")
        elif calls and (unusual := _unusual(self.case, calls, offered=len(self.case.tools or self.tools))):
            yield Problem(f"{self.path}.category", f"{category!r} {unusual}", "warning")

    def _call(self, path: str, call: ExpectedCall) -> Iterator[Problem]:
        if call.tool in self.broken:
            return
        if call.tool not in self.tools:
            yield Problem(f"{path}.tool", f"the suite has no tool {call.tool!r}{did_you_mean(call.tool, self.tools)}")
            return
        if self.case.tools is not None and call.tool not in self.case.tools:
            yield Problem(f"{path}.tool", f"{call.tool!r} is not among the tools that the case offers")
        tool = self.tools[call.tool]
        for name in _unknown(call.arguments, tool):
            hint = did_you_mean(name, _parameters(tool))
            yield Problem(f"{path}.arguments.{name}", f"{call.tool!r} has no parameter {name!r}{hint}")
        if call.tool in self.checkers:
            yield from _value_problems(f"{path}.arguments", call, self.checkers[call.tool])


def _value_problems(path: str, call: ExpectedCall, checkers: _Checkers) -> Iterator[Problem]:
    """Return the accepted values that the tool itself rejects.

    A case can be passed when one value is valid; invalid ones beside it are warnings.
    """
    fitting: dict[str, Json] = {}
    hopeless = False
    for name, values in call.arguments.items():
        given = {place: example_of(value) for place, value in enumerate(values) if value != LEFT_OUT}
        refused = {place: _refusal({name: value}, checkers.alone) for place, value in given.items()}
        fits = [value for place, value in enumerate(values) if not refused.get(place)]
        for place, message in refused.items():
            if message:
                severity = "warning" if fits else "error"
                yield Problem(f"{path}.{name}[{place}]", f"{call.tool!r} rejects it: {message}", severity)
        if not values:
            yield Problem(f"{path}.{name}", 'needs at least one value; "" allows its absence')
        hopeless = hopeless or not fits
        if fits and fits[0] != LEFT_OUT:
            fitting[name] = example_of(fits[0])
    if not hopeless and (message := _refusal(fitting, checkers.whole)):
        yield Problem(path, f"{call.tool!r} rejects the first values: {message}")


def _refusal(arguments: Mapping[str, Json], checker: ArgumentChecker) -> str:
    """Return the reason why a tool rejects these arguments; empty when it accepts them."""
    try:
        checker.check(arguments)
    except ToolInputError as exc:
        return ", ".join(exc.errors)
    return ""


def _unusual(case: ValidationCase, calls: Sequence[ExpectedCall], *, offered: int) -> str | None:
    """Return the reason why the calls of a case do not test its category; None when they do."""
    names = {call.tool for call in calls}
    match case.category:
        case "single" | "choice" if len(calls) > 1:
            return "wants one call"
        case "single" if offered > 1:
            return "offers one tool"
        case "choice" if offered == 1:
            return "offers several tools"
        case "parallel" if len(calls) == 1 or len(names) > 1:
            return "wants several calls of one tool"
        case "parallel_choice" if len(names) == 1:
            return "wants calls of several tools"
        case "multi_turn" if len(case.expect.turns) == 1:
            return "wants several turns"
        case "error_recovery" if not case.expect.failed_calls:
            return "allows a call to fail: 'failed_calls'"
        case _:
            return None


def _parameters(tool: ToolDefinition) -> tuple[str, ...]:
    properties = tool.parameters.get("properties")
    return tuple(properties) if isinstance(properties, dict) else ()


def _unknown(arguments: Mapping[str, object], tool: ToolDefinition) -> tuple[str, ...]:
    """Return the arguments that the tool's schema does not define; empty when it accepts any."""
    others = tool.parameters.get("additionalProperties", False)
    if others is not False or tool.parameters.get("patternProperties"):
        return ()
    return tuple(name for name in arguments if name not in _parameters(tool))


MAX_SUITE_BYTES: Final = 16_777_216

_TOOL = TypeAdapter(ToolDefinition)
_CASE = TypeAdapter(ValidationCase)


def load_suite(text: str | bytes) -> Suite:
    """Return the suite in a JSON text. Raises ConfigError with every problem of its form and between its parts."""
    try:
        source = safe_loads(text, max_bytes=MAX_SUITE_BYTES)
    except JsonError as exc:
        raise ConfigError((Problem("", str(exc)),)) from exc
    if not isinstance(source, dict):
        raise ConfigError((Problem("", "a suite must be a JSON object"),))
    try:
        suite = Suite.model_validate(source)
    except ValidationError as exc:
        form = tuple(problem_of(error, Suite) for error in exc.errors(include_url=False))
        raise ConfigError((*form, *_errors(problems_of(_healthy_parts(source))))) from exc
    if errors := _errors(check_suite(suite)):
        raise ConfigError(errors)
    return suite


def check_suite(suite: Suite) -> tuple[Problem, ...]:
    """Return every problem between the parts of a suite by path.

    Errors make verdicts wrong or impossible: a tool that does not exist, an expected call that its tool rejects.
    Warnings are probable mistakes: an invalid value beside valid ones.
    """
    return tuple(problems_of(SuiteParts(tools=dict(enumerate(suite.tools)), cases=dict(enumerate(suite.cases)))))


@cache
def built_in_suites() -> Mapping[str, Suite]:
    """Return the built-in suites by name; `default` is run when none is named."""
    folder = resources.files("flexchat.validation") / "data"
    suites = [load_suite(file.read_bytes()) for file in folder.iterdir() if file.name.endswith(".json")]
    return MappingProxyType({suite.name: suite for suite in sorted(suites, key=lambda suite: suite.name)})


def _errors(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    return tuple(problem for problem in problems if problem.severity == "error")


def _healthy_parts(source: Mapping[str, Json]) -> SuiteParts:
    """Return the well-formed tools and cases by position, and the names of the other tools."""
    tools = _entries(source.get("tools"))
    healthy = _parsed(tools, _TOOL)
    names = (tool.get("name") for position, tool in tools.items() if position not in healthy and isinstance(tool, dict))
    return SuiteParts(
        tools=healthy,
        cases=_parsed(_entries(source.get("cases")), _CASE),
        broken_tools=frozenset(name for name in names if isinstance(name, str)),
    )


def _entries(value: Json) -> dict[int, Json]:
    return dict(enumerate(value)) if isinstance(value, list) else {}


def _parsed[M: BaseModel](entries: Mapping[int, Json], adapter: TypeAdapter[M]) -> dict[int, M]:
    parsed: dict[int, M] = {}
    for position, entry in entries.items():
        try:
            parsed[position] = adapter.validate_python(entry)
        except ValidationError:
            continue
    return parsed
