"""HTTP API of chats: valid and invalid requests, errors and log lines."""

import base64
import json
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from flexchat.api.sessions import SessionList
from flexchat.attachments import MAX_INLINE_BYTES
from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, ModelError, ModelErrorType, Problem, UnavailableError
from flexchat.http_api.deadline import RequestDeadlines
from functions.chat.api.api import ChatApi
from functions.chat.runtime import RuntimeCache
from tests.functional.chat.harness import CALCULATE, EVENTS, Chat, configuration, deploy, mock_tool
from tests.functional.chat.http_requests import broken, refused
from tests.functional.chat.scripted_provider import call_completion, text_completion


def test_answer_omits_fields_without_a_value() -> None:
    answer = deploy([text_completion("hi")], configuration()).post({"message": "Hello"})
    assert set(answer.body) == {
        "content",
        "service",
        "model",
        "tool_calls",
        "status",
        "outcome",
        "finish_reason",
        "request_id",
        "usage",
        "timings",
    }


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("", "the body is empty"),
        ("hello", "cannot be read as JSON"),
        ('{"message": "a", "message": "b"}', "same name twice"),
        ('{"message": NaN}', "NaN is not JSON"),
        ("[" * 100_000, "nested deeper"),
        ('["message"]', "must be a JSON object"),
    ],
)
def test_body_without_a_json_object_is_rejected_with_400_and_the_reason(body: str, reason: str) -> None:
    status, error, message = refused(deploy([], configuration()), body)
    assert (status, error) == (400, "invalid_request")
    assert reason in message


@pytest.mark.parametrize(
    ("body", "path", "message"),
    [
        ({}, "message", "is required and must contain more than white space"),
        ({"message": 5}, "message", "must be text, not 5"),
        ({"message": " \n"}, "message", "is required and must contain more than white space"),
        ({"message": "a" * 32_001}, "message", "must have at most 32,000 characters, not 32,001"),
        ({"message": "a", "mesage": "b"}, "mesage", "unknown key 'mesage'; did you mean 'message'?"),
        ({"message": "a", "history": [{"role": "user"}]}, "history[0].content", "is required"),
        ({"message": "a", "history": "none"}, "history", "must be a list, not 'none'"),
        ({"message": "a", "history": ["hello"]}, "history[0]", "must be an object, not 'hello'"),
        ({"message": "a", "deadline_ms": 10}, "deadline_ms", "must be greater than or equal to 1000, not 10"),
    ],
)
def test_invalid_body_error_names_the_field_and_the_reason(body: Any, path: str, message: str) -> None:
    answer = deploy([], configuration()).post(body)
    assert (answer.status, answer.body["error"]) == (400, "invalid_request")
    assert answer.body["details"] == [{"path": path, "message": message}]


def test_invalid_parameter_is_named_with_its_value() -> None:
    answer = deploy([], configuration()).get("/api/sessions", query={"limit": "many"})
    assert (answer.status, answer.body["error"]) == (400, "invalid_request")
    assert answer.body["details"] == [{"path": "query.limit", "message": "must be a whole number, not 'many'"}]


def test_body_over_the_limit_is_rejected_with_413_before_parsing() -> None:
    status, error, message = refused(deploy([], configuration()), "{" * (MAX_INLINE_BYTES + 1))
    assert (status, error) == (413, "payload_too_large")
    assert str(MAX_INLINE_BYTES) in message


def test_unsupported_content_type_is_rejected_with_415_and_the_supported_one() -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    status, error, message = refused(deploy([], configuration()), '{"message": "a"}', headers)
    assert (status, error) == (415, "unsupported_media_type")
    assert "application/json" in message


def test_header_names_are_read_in_any_case() -> None:
    chat = deploy([text_completion("hi")], configuration())
    event = json.loads((EVENTS / "chat-http.json").read_text())
    event["headers"] = {"content-type": "text/plain"}
    assert chat.send(event).status == 415
    event["headers"] = {"CONTENT-TYPE": "application/json; charset=utf-8"}
    event["body"] = '{"message": "Hello"}'
    assert chat.send(event).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "APPLICATION/JSON"},
        {"Content-Type": " Application/Json ; charset=UTF-8"},
        {"Content-Type": "application/json;charset=utf-8", "content-type": "Application/JSON"},
        {"Content-Type": ""},
        {"Content-Type": None},
        {},
    ],
)
def test_content_type_is_compared_in_any_case(headers: Mapping[str, str | None]) -> None:
    chat = deploy([text_completion("hi")], configuration())
    event = json.loads((EVENTS / "chat-http.json").read_text())
    event["headers"] = headers
    event["multiValueHeaders"] = {name: [value] for name, value in headers.items()}
    assert chat.send(event).status == 200


def test_responses_for_a_caller_are_not_stored_by_caches() -> None:
    chat = deploy([text_completion("hi")], configuration())
    answers = [
        chat.post({"message": "Hello"}),
        chat.post({"message": ""}),
        chat.post("{"),
        chat.get("/api/sessions"),
        chat.get("/api/tools/list"),
        chat.get("/api/nowhere"),
        chat.post({"message": "Hello"}, path="/api/topic/test"),
    ]
    assert [answer.status for answer in answers] == [200, 400, 400, 503, 200, 404, 403]
    assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}
    assert "cache-control" not in chat.get("/health").headers


def test_log_lines_of_a_request_have_its_request_id(capsys: pytest.CaptureFixture[str]) -> None:
    script = [
        call_completion(("get_weather", {"location": "Oslo"})),
        text_completion("hi"),
        ModelError("no", type="timeout", provider="m"),
    ]
    chat = deploy(script, configuration(tools=[mock_tool()]))
    for status, last_line in ((200, "chat answered"), (504, "model failed")):
        answer = chat.post({"message": "Hello"})
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        logged = [line for line in lines if "message" in line]
        assert (answer.status, logged[-1]["message"]) == (status, last_line)
        assert {line["request_id"] for line in logged} == {answer.body["request_id"]}


def test_log_lines_of_a_direct_invocation_have_its_request_id(capsys: pytest.CaptureFixture[str]) -> None:
    chat = deploy([text_completion("hi")], configuration())
    assert chat.direct({"message": "Hello"})["request_id"] == "direct-request"
    [line] = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "chat answered" in line]
    assert line["request_id"] == "direct-request"


def test_base64_body_is_decoded_and_an_invalid_one_rejected() -> None:
    chat = deploy([text_completion("hi")], configuration())
    event = json.loads((EVENTS / "chat-http.json").read_text())
    event |= {"isBase64Encoded": True, "body": base64.b64encode(b'{"message": "Hello"}').decode()}
    assert chat.send(event).status == 200
    assert [chat.send(event | {"body": body}).status for body in ("%%%", "é", "\ud800")] == [400, 400, 400]


def test_unknown_route_is_rejected_with_404_and_the_document_path() -> None:
    answer = deploy([], configuration()).get("/api/nothing")
    assert (answer.status, answer.body["error"]) == (404, "not_found")
    assert "/api/openapi.json" in answer.body["message"]


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("authentication", 502),
        ("permission", 502),
        ("not_found", 502),
        ("invalid_request", 502),
        ("invalid_response", 502),
        ("network", 502),
        ("server_error", 502),
        ("rate_limit", 503),
        ("overloaded", 503),
        ("timeout", 504),
        ("context_length", 400),
        ("content_filter", 400),
    ],
)
def test_provider_failure_before_any_tool_call_is_an_error_with_the_matching_status(
    kind: ModelErrorType, status: int
) -> None:
    failure = ModelError("because", type=kind, provider="openai", retry_after=7.4)
    answer = deploy([failure], configuration(tools=[CALCULATE])).post({"message": "Hello"})
    assert (answer.status, answer.body["error"]) == (status, f"model_{kind}")
    assert "openai: because" in answer.body["message"]
    assert answer.headers.get("retry-after") == ("8" if status == 503 else None)


@pytest.mark.parametrize("kind", ["rate_limit", "overloaded"])
def test_an_overloaded_provider_without_a_delay_of_its_own_has_a_default_one(kind: ModelErrorType) -> None:
    failure = ModelError("because", type=kind, provider="openai")
    answer = deploy([failure], configuration(tools=[CALCULATE])).post({"message": "Hello"})

    assert (answer.status, answer.headers["retry-after"]) == (503, "5")


def test_unreadable_configuration_is_rejected_with_503_and_a_delay() -> None:
    answer = broken(UnavailableError("ssm says no")).post({"message": "Hello"})
    assert (answer.status, answer.body["error"], answer.headers["retry-after"]) == (503, "unavailable", "2")
    assert "ssm" not in answer.body["message"]


def test_unusable_configuration_is_rejected_with_500_and_the_entry() -> None:
    answer = broken(ConfigError((Problem("responses", "no rule matches"),))).post({"message": "Hello"})
    assert (answer.status, answer.body["error"]) == (500, "configuration")
    assert "responses: no rule matches" in answer.body["message"]


def test_unexpected_error_is_a_500_without_details(capsys: pytest.CaptureFixture[str]) -> None:
    answer = broken(KeyError("secret-key-17")).post({"message": "Hello"})
    assert (answer.status, answer.body["error"]) == (500, "internal_error")
    assert "secret-key-17" not in json.dumps(answer.body)
    logged = capsys.readouterr().out
    assert '"error":"KeyError"' in logged
    assert "secret-key-17" not in logged


def test_deadline_is_the_earliest_of_caller_api_and_invocation() -> None:
    chat = deploy([text_completion("1"), text_completion("2"), text_completion("3")], configuration())
    chat.post({"message": "Hello"})
    chat.post({"message": "Hello", "deadline_ms": 5_000})
    chat.direct({"message": "Hello", "deadline_ms": 60_000}, remaining_ms=11_000)
    limits = [options.deadline.remaining() for options in chat.model.options]
    assert all(upper - 2 < limit <= upper for limit, upper in zip(limits, (28, 5, 10), strict=True))


def test_unpaired_surrogate_in_an_answer_is_replaced() -> None:
    answer = deploy([text_completion("Done \ud83d")], configuration()).post({"message": "Hello"})
    assert (answer.status, answer.body["content"]) == (200, "Done ?")


def test_hanging_configuration_leaves_time_for_the_tables_within_the_api_limit() -> None:
    waits: list[float] = []

    def read(deadline: Deadline) -> Catalog:
        waits.append(deadline.remaining())
        return Catalog(Configuration(), (), "1")

    class Sessions:
        def list(self, owner: str, *, limit: int, cursor: str | None, deadline: Deadline) -> SessionList:
            waits.append(deadline.remaining())
            return SessionList(sessions=())

    unused: Any = None
    runtimes = RuntimeCache(catalog=read, invoker=unused, create_provider=unused, clock=lambda: 0.0)

    class Operations:
        @property
        def sessions(self) -> Sessions:
            runtimes.current()
            return Sessions()

    services: Any = SimpleNamespace(operations=Operations())
    api = ChatApi(services, deadlines=RequestDeadlines(clock=lambda: 0.0))
    chat = Chat(cast("Any", SimpleNamespace(handle=api.resolve)), *([unused] * 2))
    answer = chat.get("/api/sessions")

    assert (answer.status, waits) == (200, [5.0, 20.0])
