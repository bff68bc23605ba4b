"""Plain parameters: their check accepts only arguments that the validator accepts."""

from collections.abc import Mapping
from typing import Any

import pytest

from flexchat.messages import Json
from flexchat.schema.keywords import SchemaValidator
from flexchat.schema.plain import PlainParameters

PROPERTIES: Mapping[str, Json] = {
    "text": {"type": "string", "description": "a text"},
    "count": {"type": "integer", "default": 1},
    "share": {"type": ["number", "null"]},
    "unit": {"type": "string", "enum": ["metric", "imperial"]},
    "mixed": {"enum": ["a", 1]},
    "limited": {"type": "integer", "minimum": 1},
    "list": {"type": "array"},
    "anything": True,
}
VALUES: tuple[Json, ...] = ("metric", "a", "", 0, 1, 1.0, 1.5, True, None, [], [1], {})


def schema(**keywords: Json) -> dict[str, Json]:
    return {"type": "object", "properties": dict(PROPERTIES), "required": ["text"], **keywords}


@pytest.mark.parametrize(
    "keywords",
    [{}, {"additionalProperties": False}, {"additionalProperties": {"type": "integer"}}, {"minProperties": 3}],
)
def test_accepted_arguments_are_valid(keywords: dict[str, Json]) -> None:
    plain, validator = PlainParameters(schema(**keywords)), SchemaValidator(schema(**keywords))
    calls: list[dict[str, Any]] = [{name: value} for name in (*PROPERTIES, "other") for value in VALUES]
    calls += [{"text": "x"} | call for call in calls]

    accepted = [call for call in calls if plain.accept(call)]

    assert all(validator.is_valid(call) for call in accepted)


@pytest.mark.parametrize(
    "arguments",
    [{"text": "x"}, {"text": "x", "count": 2}, {"text": "x", "share": None}, {"text": "x", "unit": "metric"}],
)
def test_arguments_of_plain_parameters_are_accepted(arguments: dict[str, Json]) -> None:
    assert PlainParameters(schema()).accept(arguments)


@pytest.mark.parametrize(
    "arguments",
    [{}, {"count": 1}, {"text": "x", "limited": 1}, {"text": "x", "other": 1}, {"text": "x", "count": True}],
)
def test_other_arguments_are_left_to_the_validator(arguments: dict[str, Json]) -> None:
    assert not PlainParameters(schema()).accept(arguments)
