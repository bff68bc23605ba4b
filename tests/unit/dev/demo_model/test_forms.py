"""Structured answers of the demo model."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dev.demo_model.conversation import ForcedTool, PlannedCall, Reply
from dev.demo_model.forms import forced_call, formed
from flexchat.messages import Json

REPLY = Reply("(demo model) 15% of 45 is 6.75.")
NODE: dict[str, Json] = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}

TREE: dict[str, Json] = {"$ref": "#/$defs/node", "$defs": {"node": NODE}}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {"type": "string"}, "n": {"type": ["integer", "null"]}}},
        {"type": "object", "properties": {"list": {"type": "array", "items": {"enum": ["x", "y"]}}}},
        {"type": "object", "properties": {"any": {"anyOf": [{"type": "boolean"}, {"type": "null"}]}}},
        {"type": "object", "properties": {"day": {"type": "string", "format": "date"}, "c": {"const": 3}}},
        {"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", "properties": {"x": {"type": "number"}}}}},
        {},
    ],
)
def test_an_answer_fits_its_schema(schema: dict[str, Any]) -> None:
    answer = json.loads(formed(REPLY, schema).text)

    assert answer
    validator: Any = Draft202012Validator({"type": "object", **schema})
    validator.validate(answer)


def test_values_are_of_the_answer() -> None:
    schema: Any = {"properties": {"text": {"type": "string"}, "total": {"type": "number"}}}

    assert json.loads(formed(REPLY, schema).text) == {"text": REPLY.text, "total": 6.75}


def test_a_schema_is_read_from_the_prompt_where_the_request_has_none() -> None:
    prompt = 'Answer as in {"a": 1} by this schema: {"type": "object", "properties": {"total": {"type": "number"}}}.'

    assert json.loads(formed(REPLY, {}, prompt).text) == {"total": 6.75}


def test_a_call_that_is_forced_has_arguments_by_the_schema_of_its_tool() -> None:
    tool = ForcedTool("sum", {"properties": {"total": {"type": "number"}}})

    assert forced_call(REPLY, tool) == Reply(calls=(PlannedCall("sum", {"total": 6.75}),), finish="tool_calls")
    assert forced_call(REPLY, None) is REPLY


def test_a_recursive_schema_ends() -> None:
    assert "next" in json.loads(formed(REPLY, TREE).text)


@pytest.mark.parametrize(
    "reply",
    [Reply(calls=(PlannedCall("calculate", {}),), finish="tool_calls"), Reply("No.", finish="refusal"), Reply("")],
)
def test_other_replies_are_unchanged(reply: Reply) -> None:
    assert formed(reply, {}) is reply
    assert formed(REPLY, None) is REPLY
