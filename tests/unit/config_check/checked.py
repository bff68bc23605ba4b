"""Errors and warnings of one configuration."""

from collections.abc import Mapping

from flexchat.config_check.check import check_source
from flexchat.messages import Json
from flexchat.tool_implementation import ToolImplementation
from flexchat.tool_types import TOOL_TYPES, ToolType
from tests.unit.config.sources import problem_lines, rule, source


class StrictMock(ToolImplementation):
    """Implementation with a required field."""

    type: str
    mock_response: Json


class StrictType(ToolType):
    """Row of the table with an implementation of its own."""

    def implementation(self) -> type[ToolImplementation]:
        return StrictMock


TYPES = {"mock": StrictType(package=TOOL_TYPES["mock"].package)}


def errors(document: Mapping[str, Json]) -> list[str]:
    return problem_lines(check_source(document, TYPES)[1])


def warnings(document: Mapping[str, Json]) -> list[str]:
    return problem_lines(check_source(document, TYPES)[1], "warning")


def with_rule(**changes: Json) -> dict[str, Json]:
    return source(responses=[rule(), rule(match={"service": "docs"}, **changes)])
