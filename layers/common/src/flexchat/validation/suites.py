"""Suites of cases: parsing, checks, and the built-in suites."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final

from pydantic import BaseModel, TypeAdapter, ValidationError

from flexchat.config.models.tools import ToolDefinition
from flexchat.config.problems import problem_of
from flexchat.errors import ConfigError, Problem
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json
from flexchat.validation.cases import Suite, ValidationCase
from flexchat.validation.suite_check import SuiteParts, problems_of

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
