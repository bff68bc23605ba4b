"""Caller of a request, by the context of the authorizer alone."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, get_args

from msgspec import Struct

from flexchat.errors import RequestError
from flexchat.http_api.body import header
from flexchat.tokens import Role


class Caller(Struct, frozen=True):
    """Owner of everything stored for a request.

    `principal` is the id of a token, or `direct` for an invocation of the function itself, whose caller IAM authorized.
    """

    principal: str
    roles: frozenset[Role]

    @property
    def is_operator(self) -> bool:
        return "operator" in self.roles

    @property
    def is_direct(self) -> bool:
        """True for an invocation of the function itself."""
        return self.principal == DIRECT.principal

    def require(self, role: Role) -> None:
        """Raise RequestError (403) unless the token has `role`; the role `operator` includes `user`."""
        if role not in self.roles and not self.is_operator:
            create = f"flexchat tokens create --stage STAGE --name NAME --role {role}"
            message = f"this needs a token with the role {role!r}; create one with `{create}`"
            raise RequestError(message, status=HTTPStatus.FORBIDDEN, code="forbidden")

    def require_operator(self) -> None:
        """Raise RequestError (403) unless the token has the role `operator`."""
        self.require("operator")


DIRECT = Caller("direct", frozenset(get_args(Role)))
"""Caller of direct invocations, by `sam local invoke` or by another function."""


def caller_of(event: Mapping[str, Any]) -> Caller:
    """Return the caller of a REST API proxy event (payload v1) from the context of the authorizer.

    Raises RequestError for a request without an authorizer (403), because stored items must have an owner, and for one
    whose authorizer found no token, or no valid one (401). `principalId` is no caller, because every policy has one.
    """
    authorizer: Mapping[str, Any] = event.get("requestContext", {}).get("authorizer") or {}
    if not authorizer:
        raise RequestError("the request was not authorized by the API", status=HTTPStatus.FORBIDDEN, code="forbidden")
    principal = authorizer.get("principal")
    if not isinstance(principal, str) or not principal:
        if not header(event, "authorization").strip():
            message = "send an API token as 'Authorization: Bearer <token>'"
            raise RequestError(message, status=HTTPStatus.UNAUTHORIZED, code="unauthorized")
        message = "this API token is unknown, expired or revoked"
        raise RequestError(message, status=HTTPStatus.UNAUTHORIZED, code="invalid_api_key")
    roles = str(authorizer.get("roles", "")).split(",")
    return Caller(principal, frozenset(role for role in get_args(Role) if role in roles))
