"""Tool list, CORS, OpenAPI document and direct invocations of the chat function."""

import json

import pytest
from openapi_spec_validator import validate

from flexchat.config.catalog import Catalog, DisabledEntry
from flexchat.config.models.configuration import Configuration
from flexchat.errors import UnavailableError
from tests.functional.chat.harness import CALCULATE, EVENTS, Chat, configuration, deploy, mock_tool, serve
from tests.functional.chat.http_requests import broken
from tests.functional.chat.scripted_provider import call_completion, text_completion


@pytest.mark.parametrize(("roles", "expected"), [("user", ["user"]), ("user,operator", ["operator", "user"])])
def test_roles_of_a_token_are_returned_without_a_configuration(roles: str, expected: list[str]) -> None:
    answer = broken(UnavailableError("down")).request("GET", "/api/me", principal="k7m2p9qx4d", roles=roles)

    assert (answer.status, answer.body) == (
        200,
        {"principal": "k7m2p9qx4d", "name": "example", "roles": expected},
    )


def test_health_needs_no_configuration() -> None:
    assert broken(UnavailableError("down")).get("/health").body == {"status": "ok"}


def test_openapi_document_is_valid_and_has_every_chat_route() -> None:
    document = deploy([], configuration()).get("/api/openapi.json").body
    validate(document)
    assert document["openapi"].startswith("3.1")
    routes = {(method, path) for path, operations in document["paths"].items() for method in operations}
    others = ("/api/collections", "/api/mcp/", "/api/validation/", "/api/tools/validat")
    assert {(method, path) for method, path in routes if not path.startswith(others)} == {
        ("post", "/api/chat"),
        ("post", "/api/topic/test"),
        ("post", "/api/intent/test"),
        ("get", "/api/config"),
        ("post", "/api/config/match"),
        ("post", "/api/files"),
        ("get", "/api/sessions"),
        ("post", "/api/sessions"),
        ("get", "/api/sessions/{id}"),
        ("patch", "/api/sessions/{id}"),
        ("delete", "/api/sessions/{id}"),
        ("get", "/api/sessions/{id}/messages"),
        ("get", "/api/configuration"),
        ("post", "/api/configuration/check"),
        ("post", "/api/configuration/match"),
        ("get", "/api/configuration/versions"),
        ("post", "/api/configuration/versions"),
        ("get", "/api/configuration/versions/{number}"),
        ("post", "/api/configuration/versions/{number}/restore"),
        ("get", "/api/tokens"),
        ("post", "/api/tokens"),
        ("delete", "/api/tokens/{id}"),
        ("get", "/api/sessions/{id}/files/{file}"),
        ("get", "/api/sessions/{id}/export"),
        ("get", "/api/sessions/{id}/shares"),
        ("post", "/api/sessions/{id}/shares"),
        ("delete", "/api/sessions/{id}/shares/{share}"),
        ("get", "/api/shared/{share}"),
        ("get", "/api/traces"),
        ("get", "/api/traces/profiles"),
        ("get", "/api/traces/{id}"),
        ("get", "/api/traces/{id}/logs"),
        ("get", "/api/traces/{id}/case"),
        ("get", "/api/usage"),
        ("get", "/api/audit"),
        ("post", "/api/runs/{id}/feedback"),
        ("get", "/api/runs/{id}"),
        ("get", "/api/runs/{id}/events"),
        ("delete", "/api/runs/{id}"),
        ("post", "/api/runs/{id}/lease"),
        ("get", "/api/runs/{id}/approvals"),
        ("post", "/api/runs/{id}/approvals"),
        ("get", "/api/approvals"),
        ("get", "/api/tools/list"),
        ("post", "/api/tools/test"),
        ("post", "/api/tools/call"),
        ("get", "/api/models/list"),
        ("post", "/api/connections/llm/discovery/models"),
        ("get", "/api/me"),
        ("get", "/api/openapi.json"),
        ("post", "/mcp"),
        ("get", "/mcp"),
        ("delete", "/mcp"),
        ("get", "/v1/models"),
        ("get", "/v1/models/{model}"),
        ("post", "/v1/chat/completions"),
        ("post", "/v1/responses"),
        ("get", "/v1/responses/{response_id}"),
        ("delete", "/v1/responses/{response_id}"),
        ("post", "/v1/responses/{response_id}/cancel"),
        ("post", "/v1/embeddings"),
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
        ("off", ["disabled in the configuration"]),
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
        [text_completion("hi"), text_completion("hi")],
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
    answer = deploy([text_completion("hi")], configuration()).post(
        {"message": "Hello"}, headers={"Origin": "https://a.example"}
    )
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_direct_invocation_accepts_a_request_body_and_returns_the_same_answer() -> None:
    chat = deploy(
        [call_completion(("calculate", {"expression": "6*7"})), text_completion("42")], configuration(tools=[CALCULATE])
    )
    body = chat.direct(json.loads((EVENTS / "chat-direct.json").read_text()))
    assert (body["content"], body["request_id"]) == ("42", "direct-request")
    assert body["tool_calls"][0]["result"]["result"] == {"result": 42}


def test_invalid_direct_invocation_returns_the_error_envelope() -> None:
    body = deploy([], configuration()).direct({"text": "Hello"})
    assert body["error"] == "invalid_request"
    assert {detail["path"] for detail in body["details"]} == {"message", "text"}
