"""Inspections of tool calls."""

import threading
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from flexchat.errors import ToolError
from flexchat.json import byte_size
from flexchat.secret_references import secret_name
from flexchat.stage_secrets import StageSecrets
from flexchat.tool_implementation import ToolImplementation
from flexchat.tool_inspection import (
    MAX_BODY_CHARACTERS,
    MAX_EXCHANGES,
    MAX_INSPECTION_BYTES,
    Inspection,
    Recorder,
    current_recorder,
)
from flexchat.tool_runtime import ToolHandler, tool_handler
from flexchat.tools import CallTool, ToolReply
from tests.unit.config.sources import STAGE, MemoryParameters

CANARY = "c4n4ry/key of-the-service"


class Part(ToolImplementation):
    secret_fields: ClassVar = ("headers.*",)

    type: str
    headers: dict[str, str]


def event(**changes: Any) -> dict[str, Any]:
    return {
        "tool": "t",
        "arguments": {},
        "implementation": {"type": "part", "headers": {"Authorization": "Bearer ${KEY}"}},
        "call_id": "call_1",
        "idempotency_key": "k",
        "request_id": "r",
        "timeout_ms": 5_000,
        "inspect": True,
        **changes,
    }


def handler_of(run: Callable[[CallTool, Part], object], *, secret: str = CANARY) -> ToolHandler:
    store = MemoryParameters({secret_name(STAGE, "KEY"): secret})
    return tool_handler(Part, run, secrets=StageSecrets(store=store, stage=STAGE, ttl_seconds=60))


def record(**changes: Any) -> None:
    recorder = current_recorder()
    assert recorder is not None
    exchange: dict[str, Any] = {
        "method": "GET",
        "url": "https://api.example.com/v1?q=a",
        "request_headers": {},
        "request_body": None,
        "duration_ms": 3,
        **changes,
    }
    recorder.add_exchange(**exchange)


def inspected(run: Callable[[CallTool, Part], object], **changes: Any) -> tuple[ToolReply, Inspection]:
    reply = ToolReply.model_validate(handler_of(run)(event(**changes), None))
    assert reply.inspection is not None
    return reply, reply.inspection


def test_a_call_with_inspect_returns_its_exchanges_and_notes() -> None:
    def run(_call: CallTool, _part: Part) -> str:
        record(
            request_headers={"Accept": "text/plain"},
            request_body=b"{}",
            status=200,
            response_headers={"content-type": "text/plain"},
            response_body="grün".encode(),
        )
        recorder = current_recorder()
        assert recorder is not None
        recorder.add_note("response cache", "miss")
        return "green"

    reply, inspection = inspected(run)

    assert reply.result == "green"
    assert inspection.notes == {"response cache": "miss"}
    assert [exchange.model_dump(exclude={"start_ms"}) for exchange in inspection.exchanges] == [
        {
            "purpose": "request",
            "attempt": 1,
            "method": "GET",
            "url": "https://api.example.com/v1?q=a",
            "request_headers": {"Accept": "text/plain"},
            "request_body": "{}",
            "request_bytes": 2,
            "status": 200,
            "response_headers": {"content-type": "text/plain"},
            "response_body": "grün",
            "response_bytes": 5,
            "error": None,
            "duration_ms": 3,
        }
    ]


def test_a_call_without_inspect_has_no_recorder_and_no_inspection() -> None:
    recorders: list[object] = []

    reply = handler_of(lambda _call, _part: recorders.append(current_recorder()))(event(inspect=False), None)

    assert recorders == [None]
    assert reply == {"version": 1, "ok": True, "result": None, "error": None}


def test_a_tool_that_records_nothing_has_no_inspection() -> None:
    assert "inspection" not in handler_of(lambda _call, _part: 1)(event(), None)


def test_a_call_that_fails_returns_the_exchanges_before_the_failure() -> None:
    def run(_call: CallTool, part: Part) -> None:
        record(error="The API could not be reached")
        raise ToolError("The API could not be reached", type="unavailable")

    reply, inspection = inspected(run)

    assert reply.error is not None
    assert reply.error.type == "unavailable"
    assert [exchange.error for exchange in inspection.exchanges] == ["The API could not be reached"]


def test_a_call_that_times_out_returns_the_exchanges_before_the_timeout() -> None:
    released = threading.Event()

    def run(_call: CallTool, part: Part) -> None:
        record(status=302)
        released.wait(30)

    reply, inspection = inspected(run, timeout_ms=100)
    released.set()

    assert reply.error is not None
    assert reply.error.type == "timeout"
    assert [exchange.status for exchange in inspection.exchanges] == [302]


def test_secrets_are_redacted_in_every_form_and_place() -> None:
    def run(_call: CallTool, part: Part) -> None:
        secret = part.headers["Authorization"]
        record(
            url="https://api.example.com/c4n4ry%2Fkey%20of-the-service?api_key=abcdefgh&page=2",
            request_headers={**part.headers, "X-Custom": CANARY, "Cookie": "session=1"},
            request_body=f"token {secret}".encode(),
            response_headers={"Set-Cookie": "session=1", "location": f"/?to={CANARY}"},
            response_body=f'{{"echo": "{CANARY}", "password": "hunter22", "page": 2}}'.encode(),
            error=f"refused {CANARY}",
        )

    _, inspection = inspected(run)

    text = inspection.model_dump_json()
    assert "c4n4ry" not in text
    assert "hunter22" not in text
    exchange = inspection.exchanges[0]
    assert exchange.url == "https://api.example.com/[redacted]?api_key=[redacted]&page=2"
    assert exchange.request_headers == {"Authorization": "[redacted]", "X-Custom": "[redacted]", "Cookie": "[redacted]"}
    assert exchange.response_headers == {"Set-Cookie": "[redacted]", "location": "/?to=[redacted]"}
    assert exchange.response_body == '{"echo": "[redacted]", "password": "[redacted]", "page": 2}'


def test_a_secret_at_the_end_of_a_recorded_body_is_redacted_whole() -> None:
    def run(_call: CallTool, part: Part) -> None:
        record(response_body=b"x" * (MAX_BODY_CHARACTERS - 5) + CANARY.encode() + b"y" * 9_000)

    _, inspection = inspected(run)

    body = inspection.exchanges[0].response_body
    assert body is not None
    assert "c4n4" not in body
    assert body.startswith("x" * (MAX_BODY_CHARACTERS - 5) + "[reda")


def test_a_long_secret_at_the_end_of_a_recorded_body_is_redacted_whole() -> None:
    secret = "c4n4ry" + "0123456789" * 300

    def run(_call: CallTool, _part: Part) -> None:
        record(response_body=b"x" * (MAX_BODY_CHARACTERS - 100) + secret.encode() + b"y" * 9_000)

    reply = handler_of(run, secret=secret)(event(), None)

    assert "c4n4ry" not in str(reply["inspection"])


@pytest.mark.slow
def test_an_inspection_is_bounded_in_exchanges_and_bytes() -> None:
    recorder = Recorder(clock=lambda: 0.0)
    for _ in range(MAX_EXCHANGES + 5):
        recorder.add_exchange(
            method="GET",
            url="https://api.example.com/" + "a" * 100_000,
            request_headers={f"x-{number}": "b" * 100_000 for number in range(200)},
            request_body=b"c" * 100_000,
            response_body=b"\xff" * 100_000,
            duration_ms=1,
        )
    inspection = recorder.inspection()

    assert inspection is not None
    assert inspection.omitted + len(inspection.exchanges) == MAX_EXCHANGES + 5
    assert byte_size(inspection.model_dump(mode="json")) <= MAX_INSPECTION_BYTES + 100


def test_a_record_that_cannot_be_returned_leaves_the_result_as_it_is() -> None:
    def run(_call: CallTool, part: Part) -> int:
        recorder = current_recorder()
        assert recorder is not None
        recorder.add_note("text", "\ud800")
        return 1

    assert handler_of(run)(event(), None)["result"] == 1


def test_the_flag_is_left_out_of_a_call_that_does_not_want_an_inspection() -> None:
    assert b"inspect" not in CallTool.from_event(event(inspect=False)).as_json()
    assert "inspection" not in ToolReply(ok=True).model_dump(mode="json")
