"""The caller of a request is the principal in the context of the authorizer."""

from http import HTTPStatus
from typing import Any

import pytest

from flexchat.errors import RequestError
from flexchat.http_api.caller import Caller, caller_of
from flexchat.tokens import Role


def event(authorizer: dict[str, Any] | None, **headers: str) -> dict[str, Any]:
    return {"requestContext": {"authorizer": authorizer}, "headers": headers}


def refusal(authorizer: dict[str, Any] | None, **headers: str) -> tuple[int, str]:
    with pytest.raises(RequestError) as refused:
        caller_of(event(authorizer, **headers))
    return int(refused.value.status), refused.value.code


def test_caller_has_the_principal_and_the_known_roles_of_the_context() -> None:
    context = {"principalId": "unknown", "principal": "k7m2p9qx4d", "roles": "user,support,No role"}

    assert caller_of(event(context)) == Caller("k7m2p9qx4d", frozenset({"user", "support"}))


@pytest.mark.parametrize(
    ("sent", "expected"), [("1764240000", 1764240000), (1764240000, 1764240000), ("soon", 0), (None, 0), ("-1", 0)]
)
def test_caller_has_the_name_and_expiry_of_its_token(sent: Any, expected: int) -> None:
    context = {"principal": "k7m2p9qx4d", "roles": "user", "name": "laptop", "expires_at": sent}

    assert caller_of(event(context)) == Caller("k7m2p9qx4d", frozenset({"user"}), "laptop", expected)


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


@pytest.mark.parametrize(("role", "setting"), [("user", "OidcUserRoles"), ("operator", "OidcOperatorRoles")])
def test_person_without_a_role_learns_which_setting_gives_it(role: Role, setting: str) -> None:
    with pytest.raises(RequestError, match=setting) as caught:
        Caller("oidc_6m6k24s27h5fygcne62vdr6ue4", frozenset()).require(role)

    assert "flexchat tokens" not in str(caught.value)
    assert caught.value.status == HTTPStatus.FORBIDDEN
