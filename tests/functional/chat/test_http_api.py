"""HTTP API of chats: answers, errors and the OpenAPI document."""

import base64
import json
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest
from openapi_spec_validator import validate

from flexchat.api.sessions import SessionList
from flexchat.config.catalog import Catalog, DisabledEntry
from flexchat.config.models.configuration import Configuration
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, ModelError, ModelErrorType, Problem, UnavailableError
from flexchat.http_api.deadline import RequestDeadlines
from functions.chat.api.api import ChatApi
from functions.chat.runtime import RuntimeCache
from tests.functional.chat.harness import CALCULATE, EVENTS, Chat, configuration, deploy, mock_tool, serve
from tests.functional.chat.scripted_provider import call_turn, text_turn


def refused(chat: Chat, body: Any, headers: Mapping[str, str] | None = None) -> tuple[int, str, str]:
    answer = chat.post(body, headers=headers)
    assert answer.headers["content-type"] == "application/json"
    assert answer.body["request_id"]
    return answer.status, answer.body["error"], answer.body["message"]


def test_answer_omits_fields_without_a_value() -> None:
    answer = deploy([text_turn("hi")], configuration()).post({"message": "Hello"})
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
    ("body", "says_why"),
    [
        ("", "the body is empty"),
        ("hello", "cannot be read as JSON"),
        ('{"message": "a", "message": "b"}', "same name twice"),
        ('{"message": NaN}', "NaN is not JSON"),
        ("[" * 100_000, "nested deeper"),
        ('["message"]', "must be a JSON object"),
    ],
)
def test_body_without_a_json_object_is_rejected_with_400_and_the_reason(body: str, says_why: str) -> None:
    status, error, message = refused(deploy([], configuration()), body)
    assert (status, error) == (400, "invalid_request")
    assert says_why in message


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
    status, error, message = refused(deploy([], configuration()), "{" * (256 * 1024 + 1))
    assert (status, error) == (413, "payload_too_large")
    assert "262144" in message


def test_unsupported_content_type_is_rejected_with_415_and_the_supported_one() -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    status, error, message = refused(deploy([], configuration()), '{"message": "a"}', headers)
    assert (status, error) == (415, "unsupported_media_type")
    assert "application/json" in message


def test_header_names_are_read_in_any_case() -> None:
    chat = deploy([text_turn("hi")], configuration())
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
    chat = deploy([text_turn("hi")], configuration())
    event = json.loads((EVENTS / "chat-http.json").read_text())
    event["headers"] = headers
    event["multiValueHeaders"] = {name: [value] for name, value in headers.items()}
    assert chat.send(event).status == 200


def test_responses_for_a_caller_are_not_stored_by_caches() -> None:
    chat = deploy([text_turn("hi")], configuration())
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
        call_turn(("get_weather", {"location": "Oslo"})),
        text_turn("hi"),
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
    chat = deploy([text_turn("hi")], configuration())
    assert chat.direct({"message": "Hello"})["request_id"] == "direct-request"
    [line] = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "chat answered" in line]
    assert line["request_id"] == "direct-request"


def test_base64_body_is_decoded_and_an_invalid_one_rejected() -> None:
    chat = deploy([text_turn("hi")], configuration())
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
    assert answer.headers.get("retry-after") == ("7" if status == 503 else None)


def broken(error: Exception) -> Chat:
    def fails() -> Catalog:
        raise error

    working = deploy([], configuration())
    function = serve(working.lambdas, catalog=fails, provider=lambda _name, _config: working.model)
    return Chat(function, working.model, working.lambdas)


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


@pytest.mark.parametrize(("roles", "told"), [("user", ["user"]), ("user,operator", ["operator", "user"])])
def test_roles_of_a_token_are_returned_without_a_configuration(roles: str, told: list[str]) -> None:
    answer = broken(UnavailableError("down")).request("GET", "/api/me", principal="k7m2p9qx4d", roles=roles)

    assert (answer.status, answer.body) == (200, {"principal": "k7m2p9qx4d", "roles": told})


def test_health_needs_no_configuration() -> None:
    assert broken(UnavailableError("down")).get("/health").body == {"status": "ok"}


def test_openapi_document_is_valid_and_has_every_chat_route() -> None:
    document = deploy([], configuration()).get("/api/openapi.json").body
    validate(document)
    assert document["openapi"].startswith("3.1")
    routes = {(method, path) for path, operations in document["paths"].items() for method in operations}
    others = ("/api/collections", "/api/validation/", "/api/tools/validat")
    assert {(method, path) for method, path in routes if not path.startswith(others)} == {
        ("post", "/api/chat"),
        ("post", "/api/topic/test"),
        ("post", "/api/intent/test"),
        ("get", "/api/config"),
        ("post", "/api/config/match"),
        ("get", "/api/sessions"),
        ("post", "/api/sessions"),
        ("get", "/api/sessions/{id}"),
        ("patch", "/api/sessions/{id}"),
        ("delete", "/api/sessions/{id}"),
        ("get", "/api/sessions/{id}/messages"),
        ("get", "/api/runs/{id}"),
        ("delete", "/api/runs/{id}"),
        ("get", "/api/tools/list"),
        ("post", "/api/tools/test"),
        ("get", "/api/models/list"),
        ("post", "/api/connections/llm/discovery/models"),
        ("get", "/api/me"),
        ("get", "/api/openapi.json"),
        ("get", "/health"),
    }
    answers = document["paths"]["/api/chat"]["post"]["responses"]
    refused = {"400", "401", "403", "409", "410", "413", "415", "422", "429"}
    assert set(answers) == {"200", "202", *refused, "500", "502", "503", "504"}
    assert document["paths"]["/health"]["get"]["security"] == []


def test_disabled_tools_are_listed_with_the_reason() -> None:
    tools = [
        CALCULATE,
        {**mock_tool("off"), "enabled": False},
        {**mock_tool("broken"), "parameters": {"type": "array"}},
        mock_tool("elsewhere", type="internal"),
        mock_tool("get_weather"),
        mock_tool("get_weather"),
    ]
    body = deploy([], configuration(tools=tools)).get("/api/tools/list").body
    assert [tool["name"] for tool in body["tools"]] == ["calculate", "get_weather"]
    assert body["tools"][0]["implementation"] == {"type": "builtin"}
    assert [(entry["name"], entry["problems"]) for entry in body["disabled"]] == [
        ("off", ["switched off in the configuration"]),
        ("elsewhere", ["no function runs tools of type 'internal' in this deployment"]),
        ("broken", ["type: must be 'object'; a tool's parameters are an object with 'properties'"]),
        ("get_weather", ["Tool get_weather already registered"]),
    ]


def test_no_tool_is_listed_while_tools_are_disabled() -> None:
    chat = deploy([], configuration(tools=[CALCULATE], enabled=False))
    assert chat.get("/api/tools/list").body == {"tools": [], "disabled": []}


def test_entries_disabled_at_load_time_are_listed() -> None:
    catalog = Catalog(Configuration(), (DisabledEntry("llm", "openai", ("secret 'K' is not stored",)),), "1")
    working = deploy([], configuration())
    function = serve(working.lambdas, catalog=lambda: catalog, provider=lambda _name, _config: working.model)
    chat = Chat(function, working.model, working.lambdas)
    assert chat.get("/api/tools/list").body["disabled"] == [
        {"kind": "llm", "name": "openai", "problems": ["secret 'K' is not stored"]}
    ]


def test_cors_headers_are_sent_to_allowed_origins_only() -> None:
    chat = deploy(
        [text_turn("hi"), text_turn("hi")],
        configuration(),
        allowed_origins=("https://a.example", "https://b.example"),
    )
    allowed = chat.post({"message": "Hello"}, headers={"Origin": "https://b.example"})
    assert allowed.headers["access-control-allow-origin"] == "https://b.example"
    other = chat.post({"message": "Hello"}, headers={"Origin": "https://evil.example"})
    assert "access-control-allow-origin" not in other.headers
    refusal = chat.post("{", headers={"Origin": "https://a.example"})
    assert (refusal.status, refusal.headers["access-control-allow-origin"]) == (400, "https://a.example")


def test_cors_is_disabled_without_allowed_origins() -> None:
    answer = deploy([text_turn("hi")], configuration()).post(
        {"message": "Hello"}, headers={"Origin": "https://a.example"}
    )
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_direct_invocation_accepts_a_request_body_and_returns_the_same_answer() -> None:
    chat = deploy([call_turn(("calculate", {"expression": "6*7"})), text_turn("42")], configuration(tools=[CALCULATE]))
    body = chat.direct(json.loads((EVENTS / "chat-direct.json").read_text()))
    assert (body["content"], body["request_id"]) == ("42", "direct-request")
    assert body["tool_calls"][0]["result"]["result"] == {"result": 42}


def test_invalid_direct_invocation_returns_the_error_envelope() -> None:
    body = deploy([], configuration()).direct({"text": "Hello"})
    assert body["error"] == "invalid_request"
    assert {detail["path"] for detail in body["details"]} == {"message", "text"}


def test_deadline_is_the_earliest_of_caller_api_and_invocation() -> None:
    chat = deploy([text_turn("1"), text_turn("2"), text_turn("3")], configuration())
    chat.post({"message": "Hello"})
    chat.post({"message": "Hello", "deadline_ms": 5_000})
    chat.direct({"message": "Hello", "deadline_ms": 60_000}, remaining_ms=11_000)
    limits = [options.deadline.remaining() for options in chat.model.options]
    assert all(upper - 2 < limit <= upper for limit, upper in zip(limits, (28, 5, 10), strict=True))


def test_unpaired_surrogate_in_an_answer_is_replaced() -> None:
    answer = deploy([text_turn("Done \ud83d")], configuration()).post({"message": "Hello"})
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

    class Services:
        @property
        def sessions(self) -> Sessions:
            runtimes.current()
            return Sessions()

    services: Any = Services()
    api = ChatApi(services, deadlines=RequestDeadlines(clock=lambda: 0.0))
    chat = Chat(cast("Any", SimpleNamespace(handle=api.resolve)), *([unused] * 2))
    answer = chat.get("/api/sessions")

    assert (answer.status, waits) == (200, [5.0, 20.0])
