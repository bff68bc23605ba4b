"""Check of http tools against the definitions of their tools."""

from typing import Any

import pytest

from flexchat.errors import Problem
from flexchat.messages import Json
from flexchat.tool_types import TOOL_TYPES

PARAMETERS: dict[str, Json] = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "title": {"type": "string"}},
    "required": ["id"],
}


def problems(
    parameters: dict[str, Json] = PARAMETERS, *, idempotent: bool = False, **values: Any
) -> tuple[Problem, ...]:
    implementation = {"type": "http", "url": "https://api.example.com/items", **values}
    return TOOL_TYPES["http"].problems(implementation, parameters=parameters, idempotent=idempotent)


@pytest.mark.parametrize(
    ("values", "path", "message"),
    [
        (
            {"params_mapping": {"titel": "name"}},
            "params_mapping.titel",
            "'titel' is not a parameter of the tool; did you mean 'title'?",
        ),
        (
            {"method": "POST", "body": {"template": {"a": ["x {{titel}}"], "b": "{{id}}"}}},
            "body.template",
            "{{titel}} is not a parameter of the tool; did you mean 'title'?",
        ),
        (
            {"url": "https://api.example.com/{ids}"},
            "url",
            "no parameter of the tool fills {ids}; did you mean 'id'?",
        ),
        (
            {"params_mapping": {"title": "id"}},
            "params_mapping",
            "'id' and 'title' are both sent as 'id' of the query",
        ),
    ],
)
def test_names_that_are_not_parameters_of_the_tool_are_errors(values: dict[str, Any], path: str, message: str) -> None:
    assert problems(**values) == (Problem(path, message),)


@pytest.mark.parametrize(
    ("values", "path", "message"),
    [
        (
            {"url": "https://api.example.com/{title}"},
            "url",
            "'title' is a part of the address, but the parameter is not required",
        ),
        (
            {"method": "POST", "retry": {"max_attempts": 2}},
            "retry.max_attempts",
            "no effect: a POST request is repeated only for a tool with 'idempotent': true",
        ),
        (
            {"retry": {"max_attempts": 4, "backoff_ms": 1_000}, "timeout_ms": 7_000},
            "retry.backoff_ms",
            "the pauses may take 7000 ms, but the call ends after 7000 ms (timeout_ms)",
        ),
        (
            {"method": "POST", "cache_seconds": 60},
            "cache_seconds",
            "the results of a POST request are cached; it should only read",
        ),
        (
            {"response_path": "$.a", "response_format": "text"},
            "response_path",
            "selects nothing in the format 'text'; use 'json'",
        ),
    ],
)
def test_settings_with_another_effect_than_intended_are_warnings(
    values: dict[str, Any], path: str, message: str
) -> None:
    assert problems(**values) == (Problem(path, message, "warning"),)


@pytest.mark.parametrize(
    "values",
    [
        {"url": "https://api.example.com/{id}/x", "params_mapping": {"title": "name"}},
        {"method": "POST", "retry": {"max_attempts": 2}, "idempotent": True},
        {"retry": {"max_attempts": 3}, "cache_seconds": 60, "response_path": "$.a"},
        {"url": "https://api.example.com/{key}", "params_mapping": {"id": {"name": "key", "in": "path"}}},
    ],
)
def test_a_configuration_that_fits_its_tool_has_no_problem(values: dict[str, Any]) -> None:
    assert problems(**values) == ()


def test_parameters_of_a_composed_schema_are_not_compared() -> None:
    composed: dict[str, Json] = {"type": "object", "allOf": [{"properties": {"other": {"type": "string"}}}]}

    assert problems(composed, params_mapping={"other": "o"}) == ()
