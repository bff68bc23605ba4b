"""Role matrix of the deployed API: rejections by API Gateway, its authorizer and each function.

`tests/functional/test_roles.py` checks the allowed routes; these tests change nothing.
"""

import re
from collections.abc import Iterator

import httpx2
import pytest

from cli.local_stack import StackState
from flexchat.api import ErrorResponse
from tests.e2e.commands import flexchat
from tests.functional.test_roles import LOWEST

PARAMETER = re.compile(r"\{\w+\}")
ODD_NAME = "query"
"""Path parameter equal to the last segment of another route."""


@pytest.fixture(scope="module")
def user(stack: StackState) -> Iterator[httpx2.Client]:
    """API client with a token of the role `user`."""
    token = flexchat("tokens", "create", "--stage", "local", "--name", "role matrix", "--role", "user").split()[-1]
    headers = {"Authorization": f"Bearer {token}"}
    with httpx2.Client(base_url=stack.url, headers=headers, timeout=60, trust_env=False) as client:
        yield client
    flexchat("tokens", "revoke", token.split("_")[1], "--stage", "local")


def refused(client: httpx2.Client, route: str) -> tuple[int, str]:
    method, template = route.split(" ")
    path = PARAMETER.sub(ODD_NAME, template)
    response = client.request(method, path, json={} if method in ("POST", "PUT", "PATCH") else None)
    if path.startswith("/v1/"):
        error: dict[str, str | None] = response.json()["error"]
        return response.status_code, error["code"] or "unauthorized"  # OpenAI has no code for a missing key
    return response.status_code, ErrorResponse.model_validate(response.json()).error


@pytest.mark.parametrize("route", [route for route, lowest in LOWEST.items() if lowest != "no token"])
def test_route_without_a_token_is_unauthorized(anonymous: httpx2.Client, route: str) -> None:
    assert refused(anonymous, route) == (401, "unauthorized")


@pytest.mark.parametrize("route", [route for route, lowest in LOWEST.items() if lowest == "operator"])
def test_operator_route_is_forbidden_to_users(user: httpx2.Client, route: str) -> None:
    assert refused(user, route) == (403, "forbidden")


def test_served_document_has_the_roles_of_the_matrix(user: httpx2.Client) -> None:
    paths = user.get("/api/openapi.json").json()["paths"]
    assert {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods} == set(LOWEST)
