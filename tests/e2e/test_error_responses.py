"""Invalid requests are rejected with the right status and the remedy."""

import json

import httpx2
import pytest
from openapi_spec_validator import validate

from cli.local_stack import StackState
from flexchat.api import ErrorResponse
from tests.e2e.commands import flexchat, run_flexchat

JSON = {"Content-Type": "application/json"}
GOOD = {"message": "Hello!"}


def refused(response: httpx2.Response) -> tuple[int, str, str]:
    """Return status, code and message of an error with a request id."""
    refusal = ErrorResponse.model_validate(response.json())
    assert refusal.request_id
    return response.status_code, refusal.error, refusal.message


def test_request_without_a_token_is_unauthorized(anonymous: httpx2.Client) -> None:
    response = anonymous.post("/api/chat", json=GOOD)

    assert refused(response) == (401, "unauthorized", "send an API token as 'Authorization: Bearer <token>'")
    assert response.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("token", ["wrong", "fc_abcdefghij_not-a-token-anybody-was-given-000000000000"])
def test_request_with_a_wrong_token_is_forbidden(anonymous: httpx2.Client, token: str) -> None:
    response = anonymous.post("/api/chat", json=GOOD, headers={"Authorization": f"Bearer {token}"})

    assert refused(response) == (403, "forbidden", "this token is unknown, expired or revoked")


def test_revoked_token_is_forbidden_and_other_tokens_remain_valid(anonymous: httpx2.Client, api: httpx2.Client) -> None:
    created = json.loads(flexchat("tokens", "create", "--stage", "local", "--name", "to be revoked", "--json"))
    flexchat("tokens", "revoke", created["id"], "--stage", "local")

    response = anonymous.get("/api/tools/list", headers={"Authorization": f"Bearer {created['token']}"})

    assert refused(response)[:2] == (403, "forbidden")
    assert api.get("/api/tools/list").status_code == 200


def test_health_needs_no_token(anonymous: httpx2.Client) -> None:
    response = anonymous.get("/health")

    assert (response.status_code, response.json()) == (200, {"status": "ok"})


@pytest.mark.parametrize(
    ("content", "headers", "status", "code", "words"),
    [
        (b"{nope", JSON, 400, "invalid_request", "cannot be read as JSON"),
        (b"[]", JSON, 400, "invalid_request", "must be a JSON object"),
        (b"", JSON, 400, "invalid_request", "the body is empty"),
        (b"{}", JSON, 400, "invalid_request", "the request is not valid"),
        (json.dumps({"message": "x" * 5_242_880}).encode(), JSON, 413, "payload_too_large", "at most 5242880"),
        (b"message=Hello", {"Content-Type": "text/plain"}, 415, "unsupported_media_type", "application/json"),
    ],
    ids=["not JSON", "not an object", "empty", "wrong shape", "too large", "wrong type"],
)
def test_invalid_body_is_rejected_with_the_correct_form(
    api: httpx2.Client, content: bytes, headers: dict[str, str], status: int, code: str, words: str
) -> None:
    error = refused(api.post("/api/chat", content=content, headers=headers))

    assert error[:2] == (status, code)
    assert words in error[2]


def test_every_error_of_a_body_is_reported_in_one_response(api: httpx2.Client) -> None:
    body = {"mesage": "Hello", "deadline_ms": -1}

    refusal = ErrorResponse.model_validate(api.post("/api/chat", json=body).json())

    assert {detail.path for detail in refusal.details or ()} == {"message", "mesage", "deadline_ms"}


@pytest.mark.parametrize(("method", "path"), [("GET", "/api/nothing"), ("DELETE", "/api/chat"), ("GET", "/nothing")])
def test_unknown_route_is_not_found(anonymous: httpx2.Client, method: str, path: str) -> None:
    response = anonymous.request(method, path)

    assert refused(response) == (404, "not_found", "route not found; GET /api/openapi.json lists the routes")


def test_openapi_document_is_valid_and_has_every_route(api: httpx2.Client) -> None:
    response = api.get("/api/openapi.json")

    assert response.status_code == 200
    document = response.json()
    validate(document)
    assert document["openapi"].startswith("3.1")
    assert {(path, method) for path, operations in document["paths"].items() for method in operations} >= {
        ("/api/chat", "post"),
        ("/api/tools/list", "get"),
        ("/api/models/list", "get"),
        ("/api/openapi.json", "get"),
        ("/health", "get"),
    }


def test_command_reports_an_api_error(stack: StackState) -> None:
    done = run_flexchat("chat", "Hello!", "--url", stack.url, "--token", "wrong")

    assert done.returncode == 1
    assert "HTTP 403" in done.stderr
    assert "Traceback" not in done.stderr
