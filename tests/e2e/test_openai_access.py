"""Access to the OpenAI-compatible routes: their authorizer admits invalid tokens, and the function refuses them."""

import json
from uuid import uuid4

import httpx2
import pytest

from tests.e2e.commands import flexchat
from tests.functional.test_roles import LOWEST

ROUTES = [route.format(model="flexchat", response_id="resp_1") for route in LOWEST if " /v1/" in route]
REFUSAL = {
    "error": {
        "message": "this API token is unknown, expired or revoked",
        "type": "invalid_request_error",
        "param": None,
        "code": "invalid_api_key",
    }
}


def respond(client: httpx2.Client, route: str, token: str) -> httpx2.Response:
    method, path = route.split(" ")
    content = b"{}" if method == "POST" else None
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return client.request(method, path, content=content, headers=headers)


def unknown() -> str:
    """Return a token that no authorizer has cached."""
    return f"fc_{'abcdefghij'}_{uuid4().hex}{uuid4().hex[:11]}"


@pytest.mark.parametrize("route", ROUTES)
def test_invalid_token_is_refused_in_the_format_of_openai(anonymous: httpx2.Client, route: str) -> None:
    response = respond(anonymous, route, unknown())

    assert (response.status_code, response.json()) == (401, REFUSAL)
    assert response.headers["x-request-id"]


def test_token_that_was_refused_below_v1_is_refused_elsewhere_every_time(
    anonymous: httpx2.Client,
) -> None:
    token = unknown()

    statuses = [
        [respond(anonymous, route, token).status_code for route in ("GET /v1/models", "GET /api/me", "POST /api/chat")]
        for _ in range(2)
    ]

    assert statuses == [[401, 403, 403]] * 2


def test_revoked_token_is_refused_and_a_valid_one_is_admitted(anonymous: httpx2.Client, api: httpx2.Client) -> None:
    created = json.loads(flexchat("tokens", "create", "--stage", "local", "--name", "to be revoked", "--json"))
    flexchat("tokens", "revoke", created["id"], "--stage", "local")

    assert respond(anonymous, "GET /v1/models", created["token"]).json() == REFUSAL
    assert api.get("/v1/models").status_code == 200


MISSING = "send an API token as 'Authorization: Bearer <token>'"


@pytest.mark.parametrize("route", [*ROUTES, "POST /v1//chat/completions", "GET /v1/models/"])
def test_request_without_a_token_is_refused_in_the_format_of_openai(anonymous: httpx2.Client, route: str) -> None:
    method, path = route.split(" ")
    response = anonymous.request(method, path, json={} if method == "POST" else None)

    error = {"message": MISSING, "type": "invalid_request_error", "param": None, "code": None}
    assert (response.status_code, response.json()) == (401, {"error": error})
    assert response.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("route", ["GET /v1/unknown", "POST /v1/unknown/path", "DELETE /v1//unknown"])
def test_unknown_route_is_not_found_in_the_format_of_openai(api: httpx2.Client, route: str) -> None:
    method, path = route.split(" ")
    response = api.request(method, path, json={} if method == "POST" else None)

    assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found")


@pytest.mark.parametrize("model", ["..%2F..%2Fapi%2Fme", "%2E%2E/%2E%2E/api/me", "x/../../../api/me"])
def test_id_of_a_model_that_looks_like_another_route_stays_below_v1(anonymous: httpx2.Client, model: str) -> None:
    response = respond(anonymous, f"GET /v1/models/{model}", unknown())

    assert response.status_code in (401, 403, 404)
    assert "principal" not in response.text
