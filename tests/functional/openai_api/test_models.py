"""GET /v1/models, and errors in OpenAI's envelope."""

import json
from typing import Any

import pytest
from openai.types import Model

from flexchat.errors import ConfigError, Problem, ReachedLimit, RequestError, UnavailableError
from functions.chat.errors import to_http_error
from functions.chat.openai_api.errors import error_text
from tests.functional.chat.harness import EVENTS, Chat, configuration, deploy


def chat(**section: Any) -> Chat:
    config = configuration(rule={"name": "support"})
    return deploy([], {**config, "openai_api": section})


def test_models_of_the_configuration_are_listed() -> None:
    listed = chat(rules=["support", "absent"], models=["openai:gpt-4o"], embedding_model="openai:embed")
    answer = listed.get("/v1/models")

    assert answer.status == 200
    assert answer.body["object"] == "list"
    assert [Model.model_validate(model).id for model in answer.body["data"]] == [
        "flexchat",
        "flexchat/support",
        "openai:gpt-4o",
        "openai:embed",
    ]
    assert answer.body["data"][0] == {"id": "flexchat", "object": "model", "created": 0, "owned_by": "flexchat"}
    assert answer.headers["x-request-id"]


@pytest.mark.parametrize("path", ["flexchat/support", "flexchat%2Fsupport"])
def test_a_model_is_found_by_an_id_with_a_slash(path: str) -> None:
    service = chat(rules=["support"])
    event = service_event(f"/v1/models/{path}", path)
    answer = service.send(event)

    assert (answer.status, answer.body["id"]) == (200, "flexchat/support")


def service_event(path: str, model: str) -> dict[str, Any]:
    event = json.loads((EVENTS / "chat-http.json").read_text())
    event |= {"httpMethod": "GET", "path": path, "resource": "/v1/models/{model+}", "body": None}
    return {**event, "pathParameters": {"model": model}}


def test_an_unknown_model_is_a_404_that_names_the_known_ones() -> None:
    answer = chat().send(service_event("/v1/models/flexcat", "flexcat"))

    assert answer.status == 404
    assert answer.body == {
        "error": {
            "message": "model 'flexcat' is not offered, only 'flexchat'; did you mean 'flexchat'?",
            "type": "invalid_request_error",
            "param": "model",
            "code": "model_not_found",
        }
    }


def test_an_unknown_route_has_openais_envelope() -> None:
    answer = chat().get("/v1/files")

    assert (answer.status, answer.body["error"]["code"]) == (404, "not_found")
    assert answer.headers["x-request-id"]


def test_other_routes_keep_their_envelope() -> None:
    assert chat().get("/api/files").body["error"] == "not_found"


@pytest.mark.parametrize(("roles", "status", "type"), [("", 403, "permission_error")])
def test_a_token_without_the_role_is_rejected(roles: str, status: int, type: str) -> None:
    answer = chat().request("GET", "/v1/models", roles=roles)

    assert (answer.status, answer.body["error"]["type"]) == (status, type)


def test_a_request_without_a_valid_token_is_rejected_as_openai_does() -> None:
    event = service_event("/v1/models/flexchat", "flexchat")
    event["requestContext"]["authorizer"] = {"principalId": "unknown"}
    event["headers"]["Authorization"] = "Bearer sk-of-another-service"
    answer = chat().send(event)

    assert (answer.status, answer.body["error"]["code"], answer.body["error"]["type"]) == (
        401,
        "invalid_api_key",
        "invalid_request_error",
    )


LIMIT = ReachedLimit("requests_per_minute", "caller", 3, used=3, resets_at=4_000_000_000.0)


@pytest.mark.parametrize(
    ("error", "status", "type", "code", "header"),
    [
        (RequestError("x", details=(Problem("temperature", "is wrong"),)), 400, "invalid_request_error", None, None),
        (
            RequestError("x", status=429, code="limit", limit=LIMIT, retry_after=2.0),
            429,
            "requests",
            "rate_limit_exceeded",
            ("x-ratelimit-limit-requests", "3"),
        ),
        (ConfigError((Problem("", "x"),)), 500, "server_error", "configuration", ("x-should-retry", "false")),
        (UnavailableError("x"), 503, "server_error", "unavailable", ("Retry-After", "2")),
        (ValueError("x"), 500, "server_error", "internal_error", ("X-Request-Id", "r1")),
    ],
)
def test_errors_have_openais_types_and_codes(
    error: Exception, status: int, type: str, code: str | None, header: tuple[str, str] | None
) -> None:
    found = to_http_error(error, "r1")
    text = error_text(error, found)
    body = json.loads(text.body)["error"]

    assert (found.status, body["type"], body["code"]) == (status, type, code)
    assert body["param"] == ("temperature" if status == 400 else None)
    assert header is None or text.headers[header[0]] == header[1]
