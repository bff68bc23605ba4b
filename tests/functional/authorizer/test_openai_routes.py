"""Policies of the authorizer for the OpenAI-compatible routes, whose function responds to invalid tokens itself."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from flexchat.aws.tokens import TokenStore
from flexchat.tokens import Token, issue
from functions.authorizer import app
from functions.chat.api.service import openapi_text
from tests.functional.authorizer.events import STAGE, authorizer_event

OPENAI_ROUTES = (
    "GET /v1/models",
    "GET /v1/models/flexchat/support",
    "POST /v1/chat/completions",
    "POST /v1/responses",
    "POST /v1/embeddings",
)
CREDENTIALS: dict[str, Callable[[TokenStore], str]] = {
    "unknown": lambda store: f"Bearer {_token(store, stored=False).reveal()}",
    "expired": lambda store: f"Bearer {_token(store, lifetime=timedelta(seconds=-1)).reveal()}",
    "wrong secret": lambda store: f"Bearer fc_{_token(store).id}_{'x' * 43}",
    "revoked": lambda store: f"Bearer {_revoked(store).reveal()}",
    "key of another service": lambda _: "Bearer sk-proj-0000000000000000",
    "another scheme": lambda _: "Basic dXNlcjpwYXNz",
}
WITHOUT_CALLER = {
    "principalId": "unknown",
    "policyDocument": {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Action": "execute-api:Invoke",
                "Effect": "Allow",
                "Resource": [f"{STAGE}/GET/v1/*", f"{STAGE}/POST/v1/*", f"{STAGE}/DELETE/v1/*"],
            }
        ],
    },
}


def _token(store: TokenStore, *, stored: bool = True, lifetime: timedelta = timedelta(days=1)) -> Token:
    issued = issue(name="laptop", roles=("user",), lifetime=lifetime, now=datetime.now(UTC))
    if stored:
        store.put(issued.record)
    return issued.token


def _revoked(store: TokenStore) -> Token:
    token = _token(store)
    store.revoke(token.id)
    return token


def answer(event: dict[str, Any]) -> dict[str, Any]:
    policy: Any = app.lambda_handler(event, None)
    return policy


def _allowed(policy: dict[str, Any], route: str) -> bool:
    """Return true if a policy allows a route; `*` matches every character, as in IAM."""
    (statement,) = policy["policyDocument"]["Statement"]
    resources = statement["Resource"] if isinstance(statement["Resource"], list) else [statement["Resource"]]
    arn = f"{STAGE}/{route.replace(' ', '')}"
    matched = any(re.fullmatch(re.escape(each).replace(r"\*", ".*"), arn) for each in resources)
    return statement["Effect"] == "Allow" and matched


@pytest.mark.parametrize("credentials", CREDENTIALS)
@pytest.mark.parametrize("route", OPENAI_ROUTES)
def test_invalid_credentials_reach_the_openai_routes_without_a_caller(
    store: TokenStore, route: str, credentials: str
) -> None:
    event = authorizer_event(CREDENTIALS[credentials](store), route=route)

    policy = answer(event)

    assert policy == WITHOUT_CALLER
    assert all(_allowed(policy, each) for each in OPENAI_ROUTES)


def test_policy_without_a_caller_opens_nothing_outside_the_openai_routes() -> None:
    paths: dict[str, Any] = json.loads(openapi_text())["paths"]
    documented = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    hostile = {
        f"{method} {path}"
        for method in ("GET", "POST", "PATCH", "DELETE")
        for path in (
            "/api/collections/v1/documents",
            "/api/sessions/v1/x",
            "/x/v1/models",
            "/V1/models",
            "/v1",
            "/v1x/a",
        )
    }

    assert [route for route in documented | hostile if _allowed(WITHOUT_CALLER, route) and " /v1/" not in route] == []
    assert not _allowed(WITHOUT_CALLER, "PATCH /v1/models/x")


@pytest.mark.parametrize(
    ("resource", "path"),
    [
        ("/api/collections/{name}", "/v1/models"),
        ("/api/collections/{name}", "/api/collections/v1"),
        ("", "/v1/models"),
        ("/v1", "/v1"),
    ],
)
def test_the_route_is_that_of_the_definition_and_not_of_the_request(
    store: TokenStore, resource: str, path: str
) -> None:
    event = authorizer_event("Bearer x", route=f"GET {path}") | {"resource": resource}

    (statement,) = answer(event)["policyDocument"]["Statement"]

    assert statement == {"Action": "execute-api:Invoke", "Effect": "Deny", "Resource": f"{STAGE}/*"}


def test_two_authorization_headers_have_no_caller(store: TokenStore) -> None:
    bearer = f"Bearer {_token(store).reveal()}"
    event = authorizer_event(bearer, route="GET /v1/models")
    event["multiValueHeaders"]["Authorization"] = [bearer, bearer]

    assert answer(event) == WITHOUT_CALLER


def test_valid_token_has_the_same_policy_on_all_routes(store: TokenStore) -> None:
    bearer = f"Bearer {_token(store).reveal()}"
    own, openai = (
        answer(authorizer_event(bearer, route=route)) for route in ("POST /api/chat", "POST /v1/chat/completions")
    )

    assert openai == own
    assert own["context"]["roles"] == "user"


@pytest.mark.parametrize("authorization", [None, "", "  "])
@pytest.mark.parametrize("route", OPENAI_ROUTES)
def test_request_without_credentials_reaches_the_openai_routes_without_a_caller(
    store: TokenStore, route: str, authorization: str | None
) -> None:
    assert answer(authorizer_event(authorization, route=route)) == WITHOUT_CALLER


def test_request_without_credentials_is_unauthorized_where_only_its_path_is_below_v1(store: TokenStore) -> None:
    event = authorizer_event(None, route="GET /v1/models") | {"resource": "/api/collections/{name}"}

    with pytest.raises(Exception, match=r"^Unauthorized$"):
        app.lambda_handler(event, None)
