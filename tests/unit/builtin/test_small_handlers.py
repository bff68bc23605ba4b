"""`echo`, `uuid`, and how handlers are found by name."""

from typing import Any
from uuid import NAMESPACE_DNS, UUID, uuid5

import pytest
from pydantic import ValidationError

from flexchat.errors import ToolInputError
from functions.tools.builtin.handlers import HANDLERS, echo, handler_named
from functions.tools.builtin.implementation import Implementation
from functions.tools.builtin.uuids import Uuids

VALID_CALLS: dict[str, dict[str, Any]] = {
    "datetime": {"operation": "now"},
    "echo": {},
    "math_eval": {"expression": "2+2"},
    "string": {"operation": "upper", "text": "a"},
    "uuid": {},
}


def test_echo_returns_its_arguments():
    arguments: dict[str, Any] = {"a": [1, None, {"b": "c"}]}

    assert echo(arguments) == {"echo": {"a": [1, None, {"b": "c"}]}}


def test_random_uuids_are_made_from_the_given_random_bytes():
    input_bytes = [bytes(16), b"\xff" * 16]
    uuids = Uuids(random_bytes=lambda count: input_bytes.pop(0) if count == 16 else b"")

    assert uuids({"count": 2}) == {
        "uuids": ["00000000-0000-4000-8000-000000000000", "ffffffff-ffff-4fff-bfff-ffffffffffff"]
    }


@pytest.mark.parametrize(
    ("namespace", "expected"), [("dns", NAMESPACE_DNS), ("DNS", NAMESPACE_DNS), (str(UUID(int=7)), UUID(int=7))]
)
def test_a_uuid_is_derived_from_a_name(namespace: str, expected: UUID):
    uuids = Uuids(random_bytes=bytes)

    assert uuids({"version": 5, "namespace": namespace, "name": "example.com"}) == {
        "uuids": [str(uuid5(expected, "example.com"))]
    }


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"version": 1}, "version must be at least 4 and at most 5"),
        ({"version": "4"}, "version must be an integer"),
        ({"count": 0}, "count must be at least 1 and at most 100"),
        ({"count": 101}, "count must be at least 1 and at most 100"),
        ({"version": 5}, "Missing required parameter: namespace"),
        ({"version": 5, "namespace": "dns"}, "Missing required parameter: name"),
        ({"version": 5, "namespace": "x", "name": "y"}, "namespace must be one of: dns, url, oid, x500, or a UUID"),
    ],
)
def test_invalid_uuid_arguments_are_an_error_with_the_correct_form(arguments: dict[str, Any], error: str):
    with pytest.raises(ToolInputError) as raised:
        Uuids(random_bytes=bytes)(arguments)

    assert raised.value.errors == (error,)


@pytest.mark.parametrize("name", HANDLERS)
def test_every_handler_is_found_by_its_name_and_returns_a_result(name: str):
    assert isinstance(handler_named(name)(VALID_CALLS[name]), dict)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("mathEval", "did you mean 'math_eval'?"),
        ("date", "did you mean 'datetime'?"),
        ("shell", "the handlers are datetime, echo, math_eval, string, uuid"),
        ("", "the handlers are datetime, echo, math_eval, string, uuid"),
    ],
)
def test_an_unknown_handler_is_a_configuration_error_with_a_hint(name: str, hint: str):
    with pytest.raises(ValidationError) as error:
        Implementation.model_validate({"type": "builtin", "handler": name})

    assert [problem["msg"] for problem in error.value.errors()] == [f"Builtin handler '{name}' not found; {hint}"]
