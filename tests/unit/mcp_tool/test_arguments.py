"""Names of arguments for the server (decision C45)."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from flexchat.mcp_arguments import camel_case, needs_schema, renamed
from flexchat.messages import Json
from flexchat.tools import CallTool
from functions.tools.builtin.app import lambda_handler
from tests.unit.mcp_tool.conftest import Logged

NAMES = {"device_name": "deviceName", "command": "action"}


def names(
    arguments: Mapping[str, Json],
    *,
    configured: Mapping[str, str] | None = None,
    schema: Mapping[str, Any] | None = None,
) -> dict[str, Json]:
    return renamed(arguments, configured=configured or {}, schema=schema, tool="control_zwave_device")


def test_configured_names_are_applied_first() -> None:
    arguments: dict[str, Json] = {"device_name": "Switch One", "command": "on"}
    schema: dict[str, Any] = {"properties": {"device_name": {}, "command": {}}}

    assert names(arguments, configured=NAMES, schema=schema) == {"deviceName": "Switch One", "action": "on"}


def test_a_name_with_underscores_that_nothing_declares_becomes_camel_case() -> None:
    arguments: dict[str, Json] = {"new_parameter_name": 1, "command": "on"}

    assert names(arguments, configured=NAMES) == {"newParameterName": 1, "action": "on"}


def test_names_without_underscores_are_left() -> None:
    assert names({"level": 3, "value": None}) == {"level": 3, "value": None}


DECLARING: list[dict[str, Any]] = [
    {"type": "object", "properties": {"file_path": {"type": "string"}}},
    {"allOf": [{"properties": {"file_path": {}}}]},
    {"anyOf": [{"properties": {"other": {}}}, {"properties": {"file_path": {}}}]},
]


@pytest.mark.parametrize("schema", DECLARING)
def test_a_name_that_the_server_declares_is_left(schema: Mapping[str, Any]) -> None:
    assert names({"file_path": "/tmp"}, schema=schema) == {"file_path": "/tmp"}  # noqa: S108


def test_an_explicit_argument_takes_precedence_over_a_converted_one(logged: Logged) -> None:
    assert names({"device_name": "a", "deviceName": "b"}) == {"deviceName": "b"}
    assert logged("mcp argument dropped") == [
        {"tool": "control_zwave_device", "argument": "device_name", "kept": "deviceName"}
    ]


def test_changed_names_are_logged_without_their_values(logged: Logged) -> None:
    names({"device_name": "the secret lamp", "level": 1})

    assert logged("mcp argument names changed") == [
        {"tool": "control_zwave_device", "summary": '{device_name: "..."} → {deviceName: "..."}'}
    ]


def test_unchanged_names_are_not_logged(logged: Logged) -> None:
    names({"level": 1, "deviceName": "lamp"})

    assert logged("mcp argument names changed") == []


def test_values_and_nested_names_are_left() -> None:
    nested: dict[str, Json] = {"outer_name": {"inner_name": [1, {"deep_name": 2}]}}

    assert names(nested) == {"outerName": {"inner_name": [1, {"deep_name": 2}]}}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a", "a"),
        ("a_b", "aB"),
        ("a__b", "aB"),
        ("_a_b", "_aB"),
        ("a_b_", "aB_"),
        ("___", "___"),
        ("", ""),
        ("URL_path", "URLPath"),
        ("line_2", "line2"),
        ("straße_name", "straßeName"),
    ],
)
def test_snake_case_becomes_camel_case(name: str, expected: str) -> None:
    assert camel_case(name) == expected


def test_the_schema_of_the_server_is_needed_only_for_a_name_that_would_change() -> None:
    assert needs_schema({"file_path": 1}, {})
    assert not needs_schema({"level": 1, "device_name": 2}, NAMES)


def test_names_of_arguments_of_other_tools_are_left() -> None:
    """The datetime tool declares `to_timezone`, and receives it under this name."""
    call = CallTool(
        tool="clock",
        arguments={"operation": "convert", "datetime": "2026-11-01T12:00:00Z", "to_timezone": "Europe/Berlin"},
        implementation={"type": "builtin", "handler": "datetime"},
        call_id="call_1",
        idempotency_key="request-1:call_1",
        request_id="request-1",
        timeout_ms=30_000,
    )

    assert "13:00:00+01:00" in str(lambda_handler(json.loads(call.as_json()), None)["result"])
