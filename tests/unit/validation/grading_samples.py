"""Builders of cases, calls and tools for grading."""

from typing import Any

from flexchat.config.models.tools import ToolDefinition
from flexchat.messages import Json
from flexchat.validation.cases import Expectation, ExpectedCall, ExpectedTurn, ValidationCase
from flexchat.validation.grading import grade
from flexchat.validation.verdicts import Category, MadeCall, Outcome, Verdict

PASSED = Verdict("passed")


def tool(name: str, properties: dict[str, Json], *required: str) -> ToolDefinition:
    return ToolDefinition(
        name=name,
        description=f"What {name} does.",
        parameters={"type": "object", "properties": properties, "required": [*required]},
        implementation={"type": "mock"},
    )


TOOLS = {
    each.name: each
    for each in (
        tool(
            "get_weather",
            {
                "city": {"type": "string"},
                "unit": {"type": "string", "default": "celsius"},
                "days": {"type": "integer"},
            },
            "city",
        ),
        tool("get_news", {"topic": {"type": "string"}}),
        tool("check_room", {"room": {"type": "string"}}),
        tool("book_room", {"room": {"type": "string"}}),
        tool(
            "values",
            {
                "whole": {"type": "integer"},
                "number": {"type": "number"},
                "maybe": {"type": ["number", "null"]},
                "form": {"anyOf": [{"type": "string"}, {"type": "number"}]},
                "open": {},
                "flag": {"type": "boolean"},
                "words": {"type": "array", "items": {"type": "string"}},
                "numbers": {"type": "array", "items": {"type": "number"}},
                "address": {"type": "object", "properties": {"zip": {"type": "integer"}, "size": {"type": "number"}}},
                "rows": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "number"}}}},
                "text": {"type": "string"},
            },
        ),
    )
}


def wanted(tool: str, **arguments: list[Any]) -> ExpectedCall:
    return ExpectedCall(tool=tool, arguments={name: tuple(values) for name, values in arguments.items()})


def turn(*calls: ExpectedCall, **changes: Any) -> ExpectedTurn:
    return ExpectedTurn(calls=calls, **changes)


def case(*turns: ExpectedTurn | ExpectedCall, category: Category = "single", **expect: Any) -> ValidationCase:
    each = tuple(one if isinstance(one, ExpectedTurn) else turn(one) for one in turns)
    return ValidationCase(id="a-case", category=category, message="Go.", expect=Expectation(turns=each, **expect))


def made(tool: str, iteration: int = 1, /, **arguments: Json) -> MadeCall:
    return MadeCall(tool, arguments, iteration=iteration, success=True)


def failed(tool: str, iteration: int = 1, /, *, why: str = "execution_failed", **arguments: Json) -> MadeCall:
    return MadeCall(tool, arguments, iteration=iteration, success=False, error_type=why)


def verdict(of: ValidationCase, *calls: MadeCall, content: str = "Done.", **outcome: Any) -> Verdict:
    return grade(of, Outcome(calls, content, **outcome), TOOLS)


def wrong(*reasons: str) -> Verdict:
    return Verdict("failed", reasons)
