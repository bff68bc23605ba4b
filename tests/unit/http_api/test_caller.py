"""The caller of a request is the principal in the context of the authorizer."""

from typing import Any

import pytest

from flexchat.errors import RequestError
from flexchat.http_api.caller import Caller, caller_of


def event(authorizer: dict[str, Any] | None, **headers: str) -> dict[str, Any]:
    return {"requestContext": {"authorizer": authorizer}, "headers": headers}


def refusal(authorizer: dict[str, Any] | None, **headers: str) -> tuple[int, str]:
    with pytest.raises(RequestError) as refused:
        caller_of(event(authorizer, **headers))
    return int(refused.value.status), refused.value.code


def test_caller_has_the_principal_and_the_known_roles_of_the_context() -> None:
    context = {"principalId": "unknown", "principal": "k7m2p9qx4d", "roles": "user,guest"}

    assert caller_of(event(context)) == Caller("k7m2p9qx4d", frozenset({"user"}))


@pytest.mark.parametrize("authorizer", [None, {}])
def test_request_without_an_authorizer_is_forbidden(authorizer: dict[str, Any] | None) -> None:
    assert refusal(authorizer) == (403, "forbidden")


@pytest.mark.parametrize(
    "context",
    [
        {"principalId": "unknown"},
        {"principalId": "k7m2p9qx4d", "roles": "user,operator"},
        {"principalId": "k7m2p9qx4d", "principal": "", "roles": "operator"},
        {"principalId": "k7m2p9qx4d", "principal": 7, "roles": "operator"},
    ],
)
def test_request_whose_authorizer_found_no_token_is_unauthorized(context: dict[str, Any]) -> None:
    assert refusal(context, Authorization="Bearer x") == (401, "invalid_api_key")
    assert refusal(context, Authorization=" ") == refusal(context) == (401, "unauthorized")
