"""Import of the published files of the Berkeley Function Calling Leaderboard as a suite.

The supported categories are those that one answer of a model decides, with Python functions: simple, multiple, parallel
and irrelevance, and the user-contributed ones (`live`). Java and JavaScript have types of their own; multi-turn, memory
and web search run programs of BFCL.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from cli.suites.bfcl_tools import BfclFunction, ToolNames
from flexchat.api.request import HistoryMessage
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from flexchat.validation.cases import Expectation, ExpectedCall, ExpectedTurn, Suite, ValidationCase
from flexchat.validation.suites import SuiteParts, problems_of
from flexchat.validation.verdicts import Category

CATEGORIES: Final[Mapping[str, Category]] = {
    "simple": "single",
    "simple_python": "single",
    "multiple": "choice",
    "parallel": "parallel",
    "parallel_multiple": "parallel_choice",
    "irrelevance": "irrelevance",
    "live_simple": "single",
    "live_multiple": "choice",
    "live_parallel": "parallel",
    "live_parallel_multiple": "parallel_choice",
    "live_irrelevance": "irrelevance",
    "live_relevance": "choice",
}
"""Supported categories of BFCL and the corresponding categories of suites; `simple` is an older name of
`simple_python`."""

ANSWERS_FOLDER: Final = "possible_answer"

MAX_ITERATIONS: Final = 3
"""Maximum number of turns: BFCL grades one answer of a model; here it may call once more and answer."""

_FILE = re.compile(r"BFCL_v\d+_(?P<category>\w+)\.json")
_PLACE = re.compile(r"cases\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class BfclImport:
    """A suite, and the cases that could not be imported: the reason by the id of the case."""

    suite: Suite
    skipped: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class BfclFile:
    """Files of one category: `questions`, and `answers` if the category has them, as JSON lines."""

    category: str
    questions: str
    answers: str = ""


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True)


class _Message(_Row):
    role: str
    content: str


class _Question(_Row):
    id: str
    question: tuple[tuple[_Message, ...], ...]
    function: tuple[BfclFunction, ...]


class _Answer(_Row):
    id: str
    ground_truth: tuple[dict[str, dict[str, tuple[Json, ...]]], ...]


class _SkippedError(Exception):
    """A case cannot be imported."""


def read_bfcl(folder: Path, *, categories: Sequence[str] | None = None) -> BfclImport:
    """Return the suite in a folder of BFCL's files, `BFCL_v4_<category>.json` beside `possible_answer/`.

    `categories` are names of BFCL; by default all supported ones in the folder. Raises ConfigError for an unsupported
    or missing category, and for files that are not in the published form.
    """
    found = {match["category"]: path for path in sorted(folder.iterdir()) if (match := _FILE.fullmatch(path.name))}
    chosen = [name for name in found if name in CATEGORIES] if categories is None else [*dict.fromkeys(categories)]
    problems = [Problem(name, f"cannot be read; {_names()} can") for name in chosen if name not in CATEGORIES]
    problems += [Problem(name, f"is not in {folder}") for name in chosen if name in CATEGORIES and name not in found]
    if not chosen:
        problems.append(Problem(str(folder), f"has no file BFCL_v4_<category>.json of {_names()}"))
    if problems:
        raise ConfigError(tuple(problems))
    return bfcl_suite(
        "bfcl" if categories is None else "_".join(("bfcl", *chosen))[:64].lower(),
        [BfclFile(name, _text(found[name]), _text(folder / ANSWERS_FOLDER / found[name].name)) for name in chosen],
    )


def bfcl_suite(name: str, files: Sequence[BfclFile]) -> BfclImport:
    """Return one suite of all `files`. Raises ConfigError with every line that is not in the published form.

    A case is omitted when every call that BFCL accepts contradicts the schema and so would be rejected.
    """
    problems: list[Problem] = []
    questions = {file.category: _rows(_Question, file.category, file.questions, problems) for file in files}
    answers = {
        file.category: _rows(_Answer, f"{ANSWERS_FOLDER}/{file.category}", file.answers, problems) for file in files
    }
    if problems:
        raise ConfigError(tuple(problems))
    names, cases, skipped = ToolNames(), list[ValidationCase](), list[Problem]()
    for file in files:
        expected = {answer.id: answer for answer in answers[file.category]}
        for question in questions[file.category]:
            try:
                cases.append(_case(file.category, question, expected.get(question.id), names))
            except _SkippedError as reason:
                skipped.append(Problem(question.id, str(reason)))
    impossible = _impossible(names, cases)
    skipped += [Problem(case.id, impossible[place]) for place, case in enumerate(cases) if place in impossible]
    usable = tuple(case for place, case in enumerate(cases) if place not in impossible)
    if not usable:
        raise ConfigError((Problem(name, "has no case that can run"), *skipped))
    used = {tool for case in usable for tool in case.tools or ()}
    suite = Suite(
        name=name,
        description=f"Berkeley Function Calling Leaderboard: {', '.join(file.category for file in files)}",
        tools=tuple(tool for tool in names.tools if tool.name in used),
        cases=usable,
    )
    return BfclImport(suite, tuple(skipped))


def _case(category: str, question: _Question, answer: _Answer | None, names: ToolNames) -> ValidationCase:
    if len(question.question) != 1:
        raise _SkippedError("has several turns")
    functions = {function.name: function for function in question.function}
    if not functions:
        raise _SkippedError("offers no tool")
    if len(functions) < len(question.function):
        raise _SkippedError("offers two tools of the same name")
    tools = {name: names.add(function).name for name, function in functions.items()}
    *history, message = _merged(question.question[0])
    return ValidationCase(
        id=question.id,
        category=CATEGORIES[category],
        history=tuple(HistoryMessage(role=earlier.role, content=earlier.content) for earlier in history),
        message=message.content,
        tools=tuple(tools.values()),
        expect=_expectation(category, answer, tools),
        max_iterations=MAX_ITERATIONS,
    )


def _merged(messages: tuple[_Message, ...]) -> list[_Message]:
    """Return the messages without system messages, whose text precedes the first message: a suite has one prompt."""
    system = [message.content for message in messages if message.role == "system"]
    spoken = [message for message in messages if message.role != "system"]
    if not spoken or spoken[-1].role != "user":
        raise _SkippedError("does not end with a message of the user")
    if system:
        spoken[0] = _Message(role=spoken[0].role, content="\n\n".join((*system, spoken[0].content)))
    return spoken


def _expectation(category: str, answer: _Answer | None, tools: Mapping[str, str]) -> Expectation:
    if category.endswith("irrelevance"):
        return Expectation()
    if category.endswith("relevance"):
        return Expectation(any_call=True)
    calls = tuple(_expected_calls(answer, tools))
    if not calls:
        raise _SkippedError("has no answer")
    return Expectation(turns=(ExpectedTurn(calls=calls, together=len(calls) > 1),))


def _expected_calls(answer: _Answer | None, tools: Mapping[str, str]) -> Iterator[ExpectedCall]:
    for truth in answer.ground_truth if answer else ():
        for name, arguments in truth.items():
            if name not in tools:
                raise _SkippedError(f"expects {name}, which it does not offer")
            yield ExpectedCall(tool=tools[name], arguments=arguments)


def _impossible(names: ToolNames, cases: Sequence[ValidationCase]) -> Mapping[int, str]:
    """Return the cases that no model can pass, by position, each with the reason."""
    parts = SuiteParts(tools=dict(enumerate(names.tools)), cases=dict(enumerate(cases)))
    broken = {problem.path: problem for problem in problems_of(parts) if problem.severity == "error"}
    found: dict[int, str] = {}
    for path, problem in broken.items():
        if place := _PLACE.match(path):
            found.setdefault(int(place[1]), problem.message)
    unusable = {
        tool.name: f"{tool.name!r}: {problem.message}"
        for position, tool in enumerate(names.tools)
        for path, problem in broken.items()
        if path.startswith(f"tools[{position}].")
    }
    for place, case in enumerate(cases):
        for tool in case.tools or ():
            if tool in unusable:
                found.setdefault(place, unusable[tool])
    return found


def _rows[Row: _Row](form: type[Row], where: str, text: str, problems: list[Problem]) -> list[Row]:
    rows: list[Row] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            rows.append(form.model_validate_json(line))
        except ValidationError as exc:
            first = exc.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            problems.append(Problem(f"{where}: line {number}", f"{place}: {first['msg']}" if place else first["msg"]))
    return rows


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _names() -> str:
    return ", ".join(CATEGORIES)
