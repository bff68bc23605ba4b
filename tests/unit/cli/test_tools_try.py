"""Requests and output of `flexchat tools try`."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.command_runner import Flexchat, SentRequest

EXCHANGE: dict[str, Any] = {
    "purpose": "request",
    "attempt": 2,
    "method": "POST",
    "url": "https://api.example.com/tickets?api_key=[redacted]",
    "request_headers": {"Authorization": "[redacted]", "Content-Type": "application/json"},
    "request_body": '{"title":"Lamp"}',
    "request_bytes": 16,
    "status": 201,
    "response_headers": {"content-type": "application/json"},
    "response_body": '{"id": 7}\x1b[31m',
    "response_bytes": 9,
    "error": None,
    "start_ms": 12,
    "duration_ms": 85,
}
OUTCOME: dict[str, Any] = {
    "tool": "create_ticket",
    "type": "http",
    "arguments": {"title": "Lamp"},
    "result": {"success": True, "tool_name": "create_ticket", "execution_time_ms": 120, "result": {"id": 7}},
    "content": '{"success":true,"result":{"id":7}}',
    "inspection": {"exchanges": [EXCHANGE], "notes": {"response_path": "$.ticket"}, "omitted": 2},
    "request_id": "r-1",
    "total_ms": 131,
}
FAILED: dict[str, Any] = {
    **{key: value for key, value in OUTCOME.items() if key != "inspection"},
    "result": {
        "success": False,
        "tool_name": "create_ticket",
        "execution_time_ms": 0,
        "error": "Invalid parameters: title is required",
        "error_type": "invalid_arguments",
        "validation_errors": ["title is required"],
    },
}


def test_a_call_prints_its_requests_its_result_and_its_times(flexchat: Flexchat) -> None:
    service = flexchat.serve(OUTCOME)

    code, printed, _ = flexchat.type("tools", "try", "create_ticket", "--args", '{"title": "Lamp"}')

    assert code == 0
    assert service.requests == [
        SentRequest("POST", "/api/tools/call", {"tool": "create_ticket", "arguments": {"title": "Lamp"}})
    ]
    assert printed == "\n".join(
        [
            "✓ create_ticket (http)  120 ms, 131 ms with the checks",
            "",
            "arguments",
            "    {",
            '      "title": "Lamp"',
            "    }",
            "",
            "request 1: HTTP 201  85 ms from 12 ms, 9 bytes, attempt 2",
            "    POST https://api.example.com/tickets?api_key=[redacted]",
            "    Authorization: [redacted]",
            "    Content-Type: application/json",
            "",
            '    {"title":"Lamp"}',
            "",
            "response",
            "    content-type: application/json",
            "",
            '    {"id": 7}⟨U+001B⟩[31m',
            "",
            "2 more requests are not shown",
            "",
            "shaping",
            "    response_path: $.ticket",
            "",
            "result",
            "    {",
            '      "id": 7',
            "    }",
            "",
            "sent to a model (34 characters)",
            '    {"success":true,"result":{"id":7}}',
            "",
            "request id r-1 (flexchat logs r-1 --stage STAGE)",
        ]
    )


def test_a_request_without_a_response_prints_its_error(flexchat: Flexchat) -> None:
    unanswered = {**EXCHANGE, "attempt": 1, "status": None, "error": "The API could not be reached"}
    flexchat.serve({**OUTCOME, "inspection": {"exchanges": [unanswered], "notes": {}, "omitted": 0}})

    _, printed, _ = flexchat.type("tools", "try", "create_ticket")

    assert "request 1: The API could not be reached  85 ms from 12 ms, 9 bytes\n" in printed
    assert "\nresponse\n" not in printed


def test_a_message_that_is_no_request_of_http_prints_its_answer(flexchat: Flexchat) -> None:
    message = {**EXCHANGE, "attempt": 1, "method": "tools/call", "url": "stdio:files", "status": None}
    flexchat.serve({**OUTCOME, "inspection": {"exchanges": [message], "notes": {}, "omitted": 0}})

    _, printed, _ = flexchat.type("tools", "try", "create_ticket")

    assert "request 1: answered  85 ms from 12 ms, 9 bytes\n    tools/call stdio:files\n" in printed
    assert "\nresponse\n" in printed


def test_a_failed_call_has_exit_code_1_and_prints_the_problems(flexchat: Flexchat) -> None:
    flexchat.serve(FAILED)

    code, printed, _ = flexchat.type("tools", "try", "create_ticket")

    assert code == 1
    assert printed.startswith("✗ create_ticket (http)  0 ms, 131 ms with the checks\n")
    assert "error: invalid_arguments\n    Invalid parameters: title is required\n    - title is required\n" in printed


def test_the_option_json_prints_the_response(flexchat: Flexchat) -> None:
    flexchat.serve(FAILED)

    code, printed, _ = flexchat.type("tools", "try", "create_ticket", "--json")

    assert (code, json.loads(printed)) == (1, FAILED)


def test_arguments_are_read_from_a_file_or_from_stdin(
    flexchat: Flexchat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "arguments.json"
    file.write_text('{"title": "File"}')
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"title": "Stdin"}')))
    service = flexchat.serve(OUTCOME, OUTCOME)

    flexchat.type("tools", "try", "create_ticket", "--args", f"@{file}")
    flexchat.type("tools", "try", "create_ticket", "--args", "-")

    assert [request.body["arguments"] for request in service.requests] == [{"title": "File"}, {"title": "Stdin"}]


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        ("{title: Lamp}", 1, "--args: "),
        ("[1]", 2, "pass a JSON object"),
        ("@missing.json", 1, "missing.json: file not found"),
    ],
)
def test_invalid_arguments_are_reported_without_a_request(
    flexchat: Flexchat, arguments: str, code: int, text: str
) -> None:
    service = flexchat.serve()

    exit_code, _, error = flexchat.type("tools", "try", "create_ticket", "--args", arguments)

    assert (exit_code, text in error) == (code, True), error
    assert service.requests == []


def test_a_refused_call_prints_the_error_of_the_service(flexchat: Flexchat) -> None:
    flexchat.serve((403, {"error": "forbidden", "message": "this needs the role 'operator'", "request_id": "r-2"}))

    code, _, error = flexchat.type("tools", "try", "create_ticket")

    assert (code, "this needs the role 'operator'" in error) == (1, True)
