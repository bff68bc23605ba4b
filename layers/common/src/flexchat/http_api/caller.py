"""Caller of a request, by the context of the authorizer alone."""

import base64
import hashlib
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

from msgspec import Struct

from flexchat.errors import RequestError
from flexchat.http_api.body import header
from flexchat.tokens import PERSON_PREFIX, ROLES, Role, ordered_roles

USER_HEADER: Final = "X-Flexchat-User"
"""Header in which a service names the end user of a request."""

MAX_USER_CHARACTERS: Final = 256

_DIGEST_BYTES: Final = 16


class Caller(Struct, frozen=True):
    """Owner of everything stored for a request.

    `principal` is the id of a token, that of a person who signed in at an identity provider, that of an end user of a
    service (`acting_for`), or `direct` for an invocation of the function itself, whose caller IAM authorized.
    `roles` are built-in ones and those of the section `roles` of the configuration. `name` is that of the token,
    `expires_at` its expiry in seconds since the epoch; 0 if unknown.
    """

    principal: str
    roles: frozenset[str]
    name: str = ""
    expires_at: int = 0

    @property
    def is_operator(self) -> bool:
        return "operator" in self.roles

    @property
    def own_roles(self) -> frozenset[str]:
        """Return the roles that are not built in, whose rights the configuration has."""
        return self.roles.difference(ROLES)

    def has(self, role: str) -> bool:
        """Return whether the caller has `role`; `operator` includes every role, and one of the configuration `user`."""
        return role in self.roles or self.is_operator or (role == "user" and bool(self.own_roles))

    def has_one_of(self, roles: Iterable[str]) -> bool:
        return any(map(self.has, roles))

    @property
    def is_person(self) -> bool:
        """True for a person who signed in at an identity provider."""
        return self.principal.startswith(PERSON_PREFIX)

    @property
    def is_direct(self) -> bool:
        """True for an invocation of the function itself."""
        return self.principal == DIRECT.principal

    @property
    def service(self) -> str | None:
        """Return the principal of the service for whose end user this is; None for another caller."""
        token, separator, _ = self.principal.partition("_")
        return token if separator and not self.is_person else None

    @property
    def is_service(self) -> bool:
        """True for a token whose requests may name their end user."""
        return "service" in self.roles

    def acting_for(self, user: str) -> "Caller":
        """Return an end user of this service, by the id that the service has for them.

        The end user has the roles of the service except `service` and `operator`.

        The principal has a hash of the id, which may be personal. Raises RequestError for a token without the role
        `service` (403), and for an id that is too long or not printable (400).
        """
        if not self.is_service:
            message = f"{USER_HEADER} needs a token with the role 'service'"
            raise RequestError(message, status=HTTPStatus.FORBIDDEN, code="forbidden")
        if not 0 < len(user) <= MAX_USER_CHARACTERS or not user.isprintable():
            message = f"the id of an end user must have 1 to {MAX_USER_CHARACTERS} printable characters"
            raise RequestError(message, status=HTTPStatus.BAD_REQUEST, code="invalid_request")
        return Caller(end_user_principal(self.principal, user), self.roles - {"operator", "service"})

    def require(self, role: Role) -> None:
        """Raise RequestError (403) unless the caller has `role`; the role `operator` includes `user`."""
        if not self.has(role):
            if self.is_person:
                setting = "OidcUserRoles" if role == "user" else "OidcOperatorRoles"
                message = (
                    f"your account has no role {role!r} in this service: the identity provider must give it one of the"
                    f" roles of the deployment's parameter {setting}"
                )
            else:
                create = f"flexchat tokens create --stage STAGE --name NAME --role {role}"
                message = f"this needs a token with the role {role!r}; create one with `{create}`"
            raise RequestError(message, status=HTTPStatus.FORBIDDEN, code="forbidden")

    def require_operator(self) -> None:
        """Raise RequestError (403) unless the token has the role `operator`."""
        self.require("operator")


def end_user_principal(token_id: str, user: str) -> str:
    """Return the principal of an end user of the service with the token `token_id`."""
    digest = hashlib.sha256(f"{token_id}\0{user}".encode()).digest()[:_DIGEST_BYTES]
    return f"{token_id}_{base64.b32encode(digest).decode().rstrip('=').lower()}"


DIRECT = Caller("direct", frozenset(ROLES))
"""Caller of direct invocations, by `sam local invoke` or by another function."""


def caller_of(event: Mapping[str, Any]) -> Caller:
    """Return the caller of a REST API proxy event (payload v1) from the context of the authorizer.

    With the header `X-Flexchat-User` it is an end user of the service that sent the request.

    Raises RequestError for a request without an authorizer (403), because stored items must have an owner, for one
    whose authorizer found no token, or no valid one (401), and for an end user that cannot be named (403, 400).
    `principalId` is no caller, because every policy has one.
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
    caller = Caller(
        principal,
        frozenset(ordered_roles(roles)),
        name=str(authorizer.get("name", "")),
        expires_at=_seconds(authorizer.get("expires_at")),
    )
    user = header(event, USER_HEADER.lower()).strip()
    return caller.acting_for(user) if user else caller


def _seconds(value: object) -> int:
    """Return a number of the authorizer's context, which API Gateway sends as text; 0 for any other value."""
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() else 0
