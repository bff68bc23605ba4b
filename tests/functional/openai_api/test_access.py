"""Requests without a caller are refused before a stream starts and before the body is read."""

import json
from typing import Any

import pytest

from functions.chat.api.service import openapi_text
from tests.functional.chat.harness import EVENTS, Chat, LambdaContext, configuration, deploy
from tests.functional.chat.streams import StreamClient

PATHS: dict[str, Any] = json.loads(openapi_text())["paths"]
ROUTES = [f"{method.upper()} {path}" for path in PATHS if path.startswith("/v1/") for method in PATHS[path]]
STREAM = {"model": "flexchat", "stream": True, "messages": [{"role": "user", "content": "Hello"}], "input": "Hello"}


@pytest.fixture
def chat() -> Chat:
    return deploy([], configuration())


def event(route: str, authorizer: dict[str, Any] | None, body: str) -> dict[str, Any]:
    method, path = route.format(model="flexchat", response_id="resp_1").split(" ")
    sent: dict[str, Any] = json.loads((EVENTS / "chat-http.json").read_text())
    sent["headers"]["Authorization"] = "Bearer fc_unknown"
    sent["requestContext"] |= {"httpMethod": method, "resourcePath": path, "authorizer": authorizer}
    return sent | {"httpMethod": method, "path": path, "resource": path, "body": body if method == "POST" else None}


@pytest.mark.parametrize("body", [json.dumps(STREAM), "not JSON", "", "{" * 300_000])
@pytest.mark.parametrize("route", ROUTES)
def test_invalid_token_is_an_invalid_api_key_and_starts_no_stream(chat: Chat, route: str, body: str) -> None:
    client = StreamClient()

    response: Any = chat.function.handle(event(route, {"principalId": "unknown"}, body), LambdaContext(), client)

    assert client.started == []
    assert (response["statusCode"], json.loads(response["body"])) == (
        401,
        {
            "error": {
                "message": "this API token is unknown, expired or revoked",
                "type": "invalid_request_error",
                "param": None,
                "code": "invalid_api_key",
            }
        },
    )
    assert response["multiValueHeaders"]["Cache-Control"] == ["no-store"]


@pytest.mark.parametrize("authorization", [None, "", " "])
@pytest.mark.parametrize("route", [*ROUTES, "GET /v1//models/", "POST /v1//chat/completions"])
def test_missing_token_is_an_error_of_openai_that_says_how_to_send_one(
    chat: Chat, route: str, authorization: str | None
) -> None:
    client, sent = StreamClient(), event(route, {"principalId": "unknown"}, json.dumps(STREAM))
    del sent["headers"]["Authorization"]
    if authorization is not None:
        sent["headers"]["authorization"] = authorization

    response: Any = chat.function.handle(sent, LambdaContext(), client)

    assert client.started == []
    assert (response["statusCode"], json.loads(response["body"])) == (
        401,
        {
            "error": {
                "message": "send an API token as 'Authorization: Bearer <token>'",
                "type": "invalid_request_error",
                "param": None,
                "code": None,
            }
        },
    )
    assert response["multiValueHeaders"]["WWW-Authenticate"] == ["Bearer"]


@pytest.mark.parametrize("principal", ["k7m2p9qx4d", None])
@pytest.mark.parametrize("route", ["GET /v1/unknown", "POST /v1//assistants", "DELETE /v1/files/1"])
def test_unknown_route_is_not_found_in_the_format_of_openai(chat: Chat, route: str, principal: str | None) -> None:
    authorizer = {"principalId": "unknown"} if principal is None else {"principal": principal, "roles": "user"}

    response: Any = chat.function.handle(event(route, authorizer, "{}"), LambdaContext())

    error = json.loads(response["body"])["error"]
    assert (response["statusCode"], error["type"], error["code"]) == (404, "invalid_request_error", "not_found")


@pytest.mark.parametrize("authorizer", [None, {}])
def test_request_without_an_authorizer_is_forbidden(chat: Chat, authorizer: dict[str, Any] | None) -> None:
    client = StreamClient()
    sent = event("POST /v1/chat/completions", authorizer, json.dumps(STREAM))

    response: Any = chat.function.handle(sent, LambdaContext(), client)

    assert (client.started, response["statusCode"]) == ([], 403)
    assert json.loads(response["body"])["error"]["type"] == "permission_error"


def test_id_of_a_model_never_selects_another_route(chat: Chat) -> None:
    """The gateway matched the resource of a model, whose authorizer may have admitted a request without a caller."""
    sent = event("GET /v1/models", {"principal": "k7m2p9qx4d", "roles": "user"}, "")
    sent |= {"resource": "/v1/models/{model+}", "path": "/api/me", "pathParameters": {"model": "../../api/me"}}

    response: Any = chat.function.handle(sent, LambdaContext())

    assert (response["statusCode"], json.loads(response["body"])["error"]["code"]) == (404, "model_not_found")
