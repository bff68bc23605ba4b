"""Role matrix: every route of the OpenAPI document, requested without a token, by a user and by an operator."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn, cast

import pytest

from flexchat.errors import UnavailableError
from flexchat.http_api.api import ApiRouter, HttpApi
from flexchat.http_api.body import BodyLimit
from functions.chat.api.api import ChatApi
from functions.chat.api.service import openapi_text
from functions.configuration.api import ConfigurationApi
from functions.retrieval.routes import CollectionsApi
from functions.tools.mcp.discovery.routes import McpApi
from functions.traces.api import TracesApi
from functions.validation.api import ValidationApi

EVENT = json.loads((Path(__file__).parents[2] / "events" / "chat-http.json").read_text())

type Caller = Literal["no token", "user", "operator"]

LOWEST: dict[str, Caller] = {
    "GET /health": "no token",
    "GET /api/openapi.json": "user",
    "GET /api/me": "user",
    "POST /api/chat": "user",
    "GET /api/tools/list": "user",
    "POST /api/tools/test": "user",
    "POST /api/tools/call": "operator",
    "POST /mcp": "user",
    "GET /mcp": "user",
    "DELETE /mcp": "user",
    "GET /api/models/list": "user",
    "POST /api/connections/llm/discovery/models": "user",
    "GET /v1/models": "user",
    "GET /v1/models/{model}": "user",
    "POST /v1/chat/completions": "user",
    "POST /v1/responses": "user",
    "GET /v1/responses/{response_id}": "user",
    "DELETE /v1/responses/{response_id}": "user",
    "POST /v1/responses/{response_id}/cancel": "user",
    "POST /v1/embeddings": "user",
    "POST /api/files": "user",
    "GET /api/sessions": "user",
    "POST /api/sessions": "user",
    "GET /api/sessions/{id}": "user",
    "PATCH /api/sessions/{id}": "user",
    "DELETE /api/sessions/{id}": "user",
    "GET /api/sessions/{id}/messages": "user",
    "GET /api/sessions/{id}/files/{file}": "user",
    "GET /api/sessions/{id}/export": "user",
    "GET /api/sessions/{id}/shares": "user",
    "POST /api/sessions/{id}/shares": "user",
    "DELETE /api/sessions/{id}/shares/{share}": "user",
    "GET /api/shared/{share}": "user",
    "GET /api/runs/{id}": "user",
    "GET /api/runs/{id}/events": "user",
    "DELETE /api/runs/{id}": "user",
    "POST /api/runs/{id}/lease": "user",
    "GET /api/runs/{id}/approvals": "user",
    "POST /api/runs/{id}/approvals": "user",
    "GET /api/approvals": "user",
    "GET /api/config": "operator",
    "POST /api/config/match": "operator",
    "POST /api/topic/test": "operator",
    "POST /api/intent/test": "operator",
    "GET /api/collections": "user",
    "POST /api/collections": "operator",
    "GET /api/collections/{name}": "user",
    "PATCH /api/collections/{name}": "operator",
    "DELETE /api/collections/{name}": "operator",
    "POST /api/collections/{name}/query": "user",
    "POST /api/collections/{name}/calibrate": "operator",
    "GET /api/collections/{name}/documents": "user",
    "POST /api/collections/{name}/documents": "operator",
    "DELETE /api/collections/{name}/documents": "operator",
    "POST /api/collections/{name}/reindex": "operator",
    "DELETE /api/collections/{name}/documents/{id}": "operator",
    "GET /api/tools/validate": "user",
    "POST /api/tools/validate": "operator",
    "DELETE /api/tools/validate/{model}": "operator",
    "GET /api/tools/validation": "user",
    "GET /api/tools/validate/{model}": "user",
    "GET /api/validation/runs": "user",
    "GET /api/validation/runs/{id}": "user",
    "DELETE /api/validation/runs/{id}": "operator",
    "POST /api/validation/runs/{id}/resume": "operator",
    "GET /api/validation/suites": "user",
    "GET /api/validation/suites/{name}": "user",
    "GET /api/configuration": "operator",
    "POST /api/configuration/check": "operator",
    "POST /api/configuration/match": "operator",
    "GET /api/configuration/versions": "operator",
    "POST /api/configuration/versions": "operator",
    "GET /api/configuration/versions/{number}": "operator",
    "POST /api/configuration/versions/{number}/restore": "operator",
    "GET /api/tokens": "operator",
    "POST /api/tokens": "operator",
    "DELETE /api/tokens/{id}": "operator",
    "GET /api/traces": "user",
    "GET /api/traces/profiles": "operator",
    "GET /api/traces/{id}": "user",
    "GET /api/traces/{id}/logs": "operator",
    "GET /api/traces/{id}/case": "operator",
    "POST /api/runs/{id}/feedback": "user",
    "GET /api/usage": "user",
    "GET /api/audit": "operator",
    "GET /api/mcp/servers": "operator",
    "POST /api/mcp/servers/{name}/refresh": "operator",
    "POST /api/mcp/servers/{name}/approve": "operator",
    "POST /api/mcp/trials": "operator",
    "PUT /api/validation/suites/{name}": "operator",
    "DELETE /api/validation/suites/{name}": "operator",
}
"""Lowest role that each route allows."""

CALLERS: tuple[Caller, ...] = ("no token", "user", "operator")

NAMES = ("handbook", "query", "calibrate", "documents", "resume", "validate", "health", "list", "openapi.json")
"""Values of path parameters: a plain one, and the last segments of other routes."""


class Unavailable:
    """Services that fail on every use."""

    def __getattr__(self, _service: str) -> NoReturn:
        raise UnavailableError("nothing is behind the routes")


@dataclass(frozen=True)
class Context:
    aws_request_id: str = "invocation"
    function_name: str = "flexchat-test"
    memory_limit_in_mb: int = 512
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:flexchat-test"

    def get_remaining_time_in_millis(self) -> int:
        return 60_000


@pytest.fixture(scope="module")
def resolve() -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return a function that resolves an event in the function of its route, without services."""
    services: Any = Unavailable()
    chat, collections, validation = ChatApi(services), CollectionsApi(services), ValidationApi(services)
    mcp, traces, configuration = McpApi(services), TracesApi(services), ConfigurationApi(services)

    def answer(event: dict[str, Any]) -> dict[str, Any]:
        path: str = event["path"]
        if path.startswith("/api/collections"):
            return collections.resolve(event, Context())
        if path.startswith(("/api/audit", "/api/traces", "/api/usage")) or path.endswith("/feedback"):
            return traces.resolve(event, Context())
        if path.startswith(("/api/configuration", "/api/tokens")):
            return configuration.resolve(event, Context())
        if path.startswith("/api/mcp/"):
            return mcp.resolve(event, Context())
        if path.startswith(("/api/validation", "/api/tools/valid")):
            return validation.resolve(event, Context())
        return chat.resolve(event, Context())

    return answer


def request(method: str, path: str, caller: Caller) -> dict[str, Any]:
    authorizer = None if caller == "no token" else {"principal": "k7m2p9qx4d", "roles": caller}
    context = {**EVENT["requestContext"], "httpMethod": method, "authorizer": authorizer}
    event = {**EVENT, "httpMethod": method, "path": path, "resource": path, "requestContext": context}
    return {**event, "body": "{}" if method in ("POST", "PUT", "PATCH") else None}


def of_route(template: str, name: str) -> str:
    """Return a path of a route, with `name` as its parameters."""
    return template.format(name=name, id=name, model=name, response_id="resp_1", number="7", share=name, file="a")


def error_code(response: Mapping[str, Any]) -> str | None:
    """Return the code of an error, in the envelope of this API or in OpenAI's; None for another body."""
    body = cast("dict[str, Any]", json.loads(response["body"] or "{}"))
    error: Any = body.get("error")
    return cast("dict[str, Any]", error).get("code") if isinstance(error, dict) else error


def test_role_table_has_exactly_the_documented_routes() -> None:
    paths: dict[str, Any] = json.loads(openapi_text())["paths"]
    assert {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods} == set(LOWEST)


def test_document_has_the_role_of_every_route() -> None:
    paths: dict[str, Any] = json.loads(openapi_text())["paths"]
    named = {
        f"{method.upper()} {path}": operation.get("x-role", "no token")
        for path, methods in paths.items()
        for method, operation in methods.items()
    }
    assert named == LOWEST


@pytest.mark.parametrize("caller", CALLERS)
@pytest.mark.parametrize("route", LOWEST)
def test_route_admits_its_role_and_higher_roles(
    resolve: Callable[[dict[str, Any]], dict[str, Any]], route: str, caller: Caller
) -> None:
    method, template = route.split(" ")
    admitted = CALLERS.index(caller) >= CALLERS.index(LOWEST[route])
    for name in NAMES if "{" in template else NAMES[:1]:
        path = of_route(template, name)

        response = resolve(request(method, path, caller))

        refused = (response["statusCode"], error_code(response)) == (403, "forbidden")
        assert refused is not admitted, (method, path, response["statusCode"])
        assert response["statusCode"] != 404


@pytest.mark.parametrize("context", [{"principalId": "unknown"}, {"principalId": "k7m2p9qx4d", "roles": "operator"}])
@pytest.mark.parametrize("route", [route for route, lowest in LOWEST.items() if lowest != "no token"])
def test_route_admits_no_request_whose_authorizer_found_no_token(
    resolve: Callable[[dict[str, Any]], dict[str, Any]], route: str, context: dict[str, str]
) -> None:
    """The authorizer of the OpenAI-compatible routes admits such requests, so their function refuses them."""
    method, template = route.split(" ")
    path = of_route(template, "a")
    event = request(method, path, "operator")
    event["requestContext"]["authorizer"] = context

    response = resolve(event | {"body": "not JSON"})

    assert (response["statusCode"], error_code(response)) == (401, None if path.startswith("/v1/") else "unauthorized")
    assert "Cache-Control" in response["multiValueHeaders"]


@pytest.mark.parametrize("method", ["DELETE", "PATCH"])
@pytest.mark.parametrize("name", ["query", "calibrate"])
def test_collection_named_like_a_route_is_changed_by_operators_only(
    resolve: Callable[[dict[str, Any]], dict[str, Any]], method: str, name: str
) -> None:
    response = resolve(request(method, f"/api/collections/{name}", "user"))

    assert (response["statusCode"], json.loads(response["body"])["error"]) == (403, "forbidden")


def test_route_without_a_role_is_not_found() -> None:
    router = ApiRouter[None]()

    @router.get("/api/forgotten")
    def forgotten() -> dict[str, str]:  # pyright: ignore[reportUnusedFunction]
        raise AssertionError("never called")

    class Api(HttpApi[None]):
        routers = (router,)
        body = BodyLimit("{}")

    assert Api(None).resolve(request("GET", "/api/forgotten", "operator"), Context())["statusCode"] == 404


@pytest.mark.parametrize(
    "path", ["/api/config/", "/api/config\n", "//api/config", "/api/config/x/..", "/API/config", "/api/config%2F"]
)
def test_misspelled_path_is_not_found(resolve: Callable[[dict[str, Any]], dict[str, Any]], path: str) -> None:
    assert resolve(request("GET", path, "user"))["statusCode"] == 404


def test_token_without_roles_is_forbidden_everywhere(resolve: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    event = request("GET", "/api/tools/list", "user")
    event["requestContext"]["authorizer"]["roles"] = "Guest,useroperator no"
    assert resolve(event)["statusCode"] == 403


def test_suite_named_resume_is_authorized_like_other_suites(
    resolve: Callable[[dict[str, Any]], dict[str, Any]],
) -> None:
    event = request("PUT", "/api/validation/suites/resume", "operator") | {"body": '{"a": 1, "a": NaN}'}

    response = resolve(event)

    assert response["statusCode"] == 400
    assert "cannot be read as JSON" in json.loads(response["body"])["message"]
