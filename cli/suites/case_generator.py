"""Generator of draft cases for a tool from its definition; an operator rewords their messages."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from flexchat.config.models.tools import ToolDefinition
from flexchat.errors import ConfigError, Problem
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.schema import ArgumentChecker, check_schema
from flexchat.validation.call_matching import LEFT_OUT
from flexchat.validation.cases import Expectation, ExpectedCall, ExpectedTurn, Suite, ValidationCase
from flexchat.validation.sample_values import PLACEHOLDER, PlausibleValues, takes
from flexchat.validation.values import accepted_form
from flexchat.validation.verdicts import Category

MAX_CHOICES: Final = 12
"""Maximum number of values of one parameter that get a case of their own."""

MAX_OTHERS: Final = 8

_NO_TOOL_FITS: Final = "Write a haiku about autumn leaves."

_UNFIT_FOR_NAMES: Final = re.compile(r"[^a-z0-9]+")


def draft_cases(tool: ToolDefinition, *, others: Sequence[ToolDefinition] = ()) -> Suite:
    """Return a suite with a case of every category that a definition supports; `check_suite` accepts it.

    The tools are copied as mocks. `others` are offered beside the tool in some cases. Messages consist of the tool's
    description and the values; `…` marks values that a schema does not define. Raises ConfigError when the tool's
    schema is invalid.
    """
    if problems := check_schema(tool.parameters):
        raise ConfigError(tuple(Problem("parameters", problem) for problem in problems))
    beside = {other.name: other for other in others if other.name != tool.name and not check_schema(other.parameters)}
    distractors = list(beside.values())[:MAX_OTHERS]
    name = _UNFIT_FOR_NAMES.sub("-", tool.name.lower()).strip("-") or "tool"
    return Suite(
        name=f"draft-{name}"[:64],
        description=f"Drafted for the tool {tool.name}. Let each message say what users say, and expect what is right.",
        tools=tuple(_as_mock(each) for each in (tool, *distractors)),
        cases=tuple(_Draft(tool, tuple(each.name for each in distractors)).cases()),
    )


class _Draft:
    """Return the cases of one tool."""

    def __init__(self, tool: ToolDefinition, others: tuple[str, ...]) -> None:
        self._tool = tool
        self._others = others
        self._checker = ArgumentChecker(tool.parameters)
        self._plausible = PlausibleValues(tool.parameters)
        properties = tool.parameters.get("properties")
        self._parameters: Mapping[str, Json] = properties if isinstance(properties, dict) else {}
        required = tool.parameters.get("required")
        self._required = tuple(map(str, required)) if isinstance(required, list) else ()
        self._values = {name: self._plausible.of(name) for name in dict.fromkeys((*self._parameters, *self._required))}

    def cases(self) -> Iterator[ValidationCase]:
        required = {name: self._values[name][0] for name in self._required if self._values[name]}
        if takes(self._checker, required):
            yield self._case("single", "single", required)
            yield from self._with_optional(required)
            yield from self._choices(required)
            if self._others:
                yield self._case("choice", "choice", required, beside=True)
            yield from self._parallel(required)
        else:
            yield self._any_call(required)
        if self._required:
            yield self._missing(self._required[0], required)
        yield self._without_call("irrelevance", "irrelevance", _NO_TOOL_FITS)

    def _with_optional(self, required: Mapping[str, Json]) -> Iterator[ValidationCase]:
        """Return a case with every optional parameter that has a value other than its default."""
        optional = {name: self._other_than_default(name) for name in self._parameters if name not in required}
        arguments = {**required, **{name: value for name, value in optional.items() if value is not None}}
        if len(arguments) > len(required) and takes(self._checker, arguments):
            yield self._case("single-optional", "single", arguments)

    def _choices(self, required: Mapping[str, Json]) -> Iterator[ValidationCase]:
        """Return a case for each value of a list that no earlier case uses."""
        for name in filter(self._plausible.is_choice, self._parameters):
            for number, value in enumerate(self._values[name][:MAX_CHOICES], start=1):
                arguments = {**required, name: value}
                if arguments != required and takes(self._checker, arguments):
                    word = _UNFIT_FOR_NAMES.sub("-", str(value).lower()).strip("-") or str(number)
                    yield self._case(f"types-{name}-{number}-{word}", "types", arguments)

    def _parallel(self, required: Mapping[str, Json]) -> Iterator[ValidationCase]:
        """Return a case of two calls that differ in the first parameter with two possible values."""
        for name in (*self._required, *self._parameters):
            both = [{**required, name: value} for value in self._values[name][:2]]
            if len(both) > 1 and all(takes(self._checker, arguments) for arguments in both):
                sentences = " And the same again: ".join(self._sentence(arguments) for arguments in both)
                yield self._made("parallel", "parallel", f"{self._wish()} {sentences}", *map(self._call, both))
                return

    def _missing(self, left_out: str, required: Mapping[str, Json]) -> ValidationCase:
        given = {name: value for name, value in required.items() if name != left_out}
        message = f"{self._wish()} {self._sentence(given)}".strip()
        return self._without_call("clarification", "clarification", message, f"{left_out} is not said.")

    def _case(
        self, name: str, category: Category, arguments: Mapping[str, Json], *, beside: bool = False
    ) -> ValidationCase:
        message = f"{self._wish()} {self._sentence(arguments)}".strip()
        return self._made(name, category, message, self._call(arguments), beside=beside)

    def _made(
        self, name: str, category: Category, message: str, *calls: ExpectedCall, beside: bool = False
    ) -> ValidationCase:
        return ValidationCase(
            id=_case_id(name),
            category=category,
            message=message,
            tools=(self._tool.name, *(self._others if beside else ())),
            expect=Expectation(turns=(ExpectedTurn(calls=calls),)),
        )

    def _any_call(self, required: Mapping[str, Json]) -> ValidationCase:
        unknown = ", ".join(name for name in self._required if name not in required) or "the parameters together"
        return ValidationCase(
            id="single",
            category="single",
            description=f"Any call is right as long as you do not say what is: the schema of {unknown} is too special.",
            message=f"{self._wish()} {PLACEHOLDER}",
            tools=(self._tool.name,),
            expect=Expectation(any_call=True),
        )

    def _without_call(self, name: str, category: Category, message: str, description: str = "") -> ValidationCase:
        return ValidationCase(
            id=name,
            category=category,
            description=description,
            message=message,
            tools=(self._tool.name, *self._others),
            expect=Expectation(),
        )

    def _call(self, arguments: Mapping[str, Json]) -> ExpectedCall:
        """Make arguments that the message does not contain optional, or equal to their default."""
        expected = {name: (accepted_form(value),) for name, value in arguments.items()}
        silent: dict[str, tuple[Json, ...]] = {}
        for name in self._parameters:
            if name not in arguments:
                default = self._plausible.default(name)
                silent[name] = (LEFT_OUT,) if default is None else (LEFT_OUT, accepted_form(default))
        return ExpectedCall(tool=self._tool.name, arguments={**expected, **silent})

    def _other_than_default(self, name: str) -> Json:
        default = self._plausible.default(name)
        return next((value for value in self._values[name] if value != default), None)

    def _wish(self) -> str:
        """Return the first sentence of the tool's description."""
        sentence = re.split(r"(?<=[.!?])\s", self._tool.description.strip(), maxsplit=1)[0]
        return sentence if sentence[-1:] in ".!?" else f"{sentence}."

    def _sentence(self, arguments: Mapping[str, Json]) -> str:
        sentences = (f"{name.replace('_', ' ')}: {_text(value)}" for name, value in arguments.items())
        return f"{'; '.join(sentences)}." if arguments else ""


def _as_mock(tool: ToolDefinition) -> ToolDefinition:
    return ToolDefinition(
        name=tool.name,
        description=tool.description,
        parameters=tool.parameters,
        implementation={"type": "mock", "mock_response": {"done": True}},
    )


def _text(value: Json) -> str:
    return value if isinstance(value, str) else dumps(value)


def _case_id(name: str) -> str:
    return re.sub(r"[^a-zA-Z0-9_.-]+", "-", name)[:128]
