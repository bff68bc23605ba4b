"""Log lines of a trace."""

import json
from typing import Any

from botocore.exceptions import ClientError

from flexchat.aws import logs
from tests.functional.traces.harness import NOW, Service, chat

GROUP = "/aws/lambda/flexchat-test-"


def line(message: str, at: str, request_id: str = "r1", **fields: Any) -> str:
    facts = {"level": "INFO", "timestamp": at, "service": "chat", "request_id": request_id, "location": "f:1"}
    return json.dumps({"message": message, **facts, **fields})


def test_lines_of_all_functions_are_in_order(service: Service) -> None:
    service.store(chat("r1"))
    service.logs.groups = {
        f"{GROUP}chat": [
            "START RequestId: r1",
            line("chat answered", "2026-11-27T02:59:01.000+00:00", tokens=[1, 2]),
            line("other chat", "2026-11-27T02:59:01.000+00:00", "r2"),
        ],
        f"{GROUP}tool-http": [
            line("request sent", "2026-11-27T02:59:00.500+00:00", service="tool-http", level="DEBUG"),
            line("line of another logger", "in the morning"),
        ],
    }

    answer = service.get("/api/traces/r1/logs")

    assert answer.status == 200
    assert answer.body == {
        "complete": True,
        "lines": [
            {
                "at": "1970-01-01T00:00:00Z",
                "function": "chat",
                "level": "INFO",
                "message": "line of another logger",
                "fields": {},
            },
            {
                "at": "2026-11-27T02:59:00.500000Z",
                "function": "tool-http",
                "level": "DEBUG",
                "message": "request sent",
                "fields": {},
            },
            {
                "at": "2026-11-27T02:59:01Z",
                "function": "chat",
                "level": "INFO",
                "message": "chat answered",
                "fields": {"tokens": [1, 2]},
            },
        ],
    }


def test_search_covers_a_minute_before_the_chat_to_five_minutes_after(service: Service) -> None:
    service.store(chat("r1", at=NOW - 600, duration_ms=2_000))

    assert service.get("/api/traces/r1/logs").body == {"lines": [], "complete": True}

    requests = service.logs.requests
    assert {request["logGroupName"].removeprefix(GROUP) for request in requests} >= {"chat", "tool-mcp", "retrieval"}
    assert {(request["startTime"], request["endTime"]) for request in requests} == {
        (int(NOW - 660) * 1_000, int(NOW - 298) * 1_000)
    }
    assert {request["filterPattern"] for request in requests} == {'{ $.request_id = "r1" }'}


def test_search_ends_after_a_number_of_pages(service: Service, monkeypatch: Any) -> None:
    service.store(chat("r1"))
    monkeypatch.setattr(logs, "MAX_PAGES", 3)

    def filter_log_events(**_: Any) -> dict[str, Any]:
        return {"events": [{"message": line("more", "2026-11-27T02:59:00Z")}], "nextToken": "next"}

    monkeypatch.setattr(service.logs, "filter_log_events", filter_log_events)

    body = service.get("/api/traces/r1/logs").body

    assert (len(body["lines"]), body["complete"]) == (3, False)


def test_error_of_cloudwatch_logs_is_reported(service: Service, monkeypatch: Any) -> None:
    service.store(chat("r1"))

    def refuse(code: str, message: str = "") -> None:
        def filter_log_events(**_: Any) -> Any:
            raise ClientError({"Error": {"Code": code, "Message": message}}, "FilterLogEvents")

        monkeypatch.setattr(service.logs, "filter_log_events", filter_log_events)

    refuse("ThrottlingException")
    assert service.get("/api/traces/r1/logs").status == 503
    refuse("AccessDeniedException")
    answer = service.get("/api/traces/r1/logs")
    assert (answer.status, answer.body["error"]) == (500, "configuration")
