"""What must not be answered is refused with the right status and says what would be right."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from openapi_spec_validator import validate

from cli.local.state import StackState
from flexchat.api import ErrorResponse
from tests.e2e.commands import flexchat, run_flexchat
from tests.e2e.conftest import AwsClients

EVENTS = Path(__file__).parents[2] / "events"
JSON = {"Content-Type": "application/json"}
GOOD = {"message": "Hello!"}


def test_a_request_without_a_token_is_not_admitted(anonymous: httpx.Client) -> None:
    assert anonymous.post("/api/chat", json=GOOD).status_code == 401


@pytest.mark.parametrize("token", ["wrong", "fc_abcdefghij_not-a-token-anybody-was-given-000000000000"])
def test_a_request_with_a_wrong_token_is_forbidden(anonymous: httpx.Client, token: str) -> None:
    assert anonymous.post("/api/chat", json=GOOD, headers={"Authorization": f"Bearer {token}"}).status_code == 403


def test_a_revoked_token_is_forbidden_and_the_others_go_on(anonymous: httpx.Client, api: httpx.Client) -> None:
    created = json.loads(flexchat("tokens", "create", "--stage", "local", "--name", "to be revoked", "--json"))
    flexchat("tokens", "revoke", created["id"], "--stage", "local")

    refused = anonymous.get("/api/tools/list", headers={"Authorization": f"Bearer {created['token']}"})

    assert refused.status_code == 403
    assert api.get("/api/tools/list").status_code == 200


def test_health_needs_no_token(anonymous: httpx.Client) -> None:
    response = anonymous.get("/health")

    assert (response.status_code, response.json()) == (200, {"status": "ok"})


@pytest.mark.parametrize(
    ("content", "headers", "status", "code", "words"),
    [
        (b"{nope", JSON, 400, "invalid_request", "cannot be read as JSON"),
        (b"[]", JSON, 400, "invalid_request", "must be a JSON object"),
        (b"", JSON, 400, "invalid_request", "the body is empty"),
        (b"{}", JSON, 400, "invalid_request", "right shape"),
        (json.dumps({"message": "x" * 262_144}).encode(), JSON, 413, "payload_too_large", "at most 262144"),
        (b"message=Hello", {"Content-Type": "text/plain"}, 415, "unsupported_media_type", "application/json"),
    ],
    ids=["not JSON", "not an object", "empty", "wrong shape", "too large", "wrong type"],
)
def test_a_wrong_body_is_refused_with_what_would_be_right(
    api: httpx.Client, content: bytes, headers: dict[str, str], status: int, code: str, words: str
) -> None:
    response = api.post("/api/chat", content=content, headers=headers)

    refusal = ErrorResponse.model_validate(response.json())
    assert (response.status_code, refusal.error) == (status, code)
    assert words in refusal.message
    assert refusal.request_id


def test_every_mistake_of_a_body_is_named_at_once(api: httpx.Client) -> None:
    body = {"mesage": "Hello", "deadline_ms": -1}

    refusal = ErrorResponse.model_validate(api.post("/api/chat", json=body).json())

    assert {detail.path for detail in refusal.details or ()} == {"message", "mesage", "deadline_ms"}


def test_a_route_that_does_not_exist_is_not_found(aws: AwsClients) -> None:
    # The emulator answers 403 in API Gateway's place before it asks anybody, so the function is asked itself.
    event: dict[str, Any] = json.loads((EVENTS / "chat-http.json").read_text())
    response = aws.lambdas().invoke(
        FunctionName="flexchat-local-chat", Payload=json.dumps({**event, "path": "/api/nothing"})
    )

    answer = json.loads(response["Payload"].read())
    refusal = ErrorResponse.model_validate_json(answer["body"])
    assert (answer["statusCode"], refusal.error) == (404, "not_found")
    assert "/api/openapi.json" in refusal.message


def test_the_openapi_document_is_valid_and_names_every_route(api: httpx.Client) -> None:
    response = api.get("/api/openapi.json")

    assert response.status_code == 200
    document = response.json()
    validate(document)
    assert document["openapi"].startswith("3.1")
    assert {(path, method) for path, operations in document["paths"].items() for method in operations} >= {
        ("/api/chat", "post"),
        ("/api/tools/list", "get"),
        ("/api/openapi.json", "get"),
        ("/health", "get"),
    }


def test_the_command_line_tells_a_refusal_in_words(stack: StackState) -> None:
    done = run_flexchat("chat", "Hello!", "--url", stack.url, "--token", "wrong")

    assert done.returncode == 1
    assert "HTTP 403" in done.stderr
    assert "Traceback" not in done.stderr
