"""Translation of the Authorization header to an API Gateway policy."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Final, Literal, Protocol

from msgspec import Struct
from pydantic import ConfigDict, Field

from flexchat.deferred_model import DeferredModel
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.tokens import ROLES, Token, TokenRecord, is_role_name

Effect = Literal["Allow", "Deny"]

OPENAI_ROUTES: Final = "/v1/"
"""Prefix of the OpenAI-compatible routes, which have an authorizer of their own, with this function."""

OPENAI_METHODS: Final = ("GET", "POST", "DELETE")

UNKNOWN: Final = "unknown"
"""`principalId` of a policy for credentials without a valid token."""

EVERYONE: Final = "all"
"""Value of the settings of roles for all subjects of an issuer."""

JWT_DOTS: Final = 2
"""Dots of a JSON Web Token, between its header, its claims and its signature."""


class Unauthorized(Exception):  # noqa: N818  # API Gateway responds with 401 to an error with exactly this message
    """Request without credentials."""

    def __init__(self) -> None:
        super().__init__("Unauthorized")


class TokenReader(Protocol):
    """Source of token records. Raises UnavailableError."""

    def get(self, id: str) -> TokenRecord | None: ...


class OidcIssuer(Struct, frozen=True, kw_only=True):
    """Rules for the tokens of one OpenID Connect issuer.

    `audiences` are those of which a token must have one. `roles_claim` is the name of a claim, or the names of nested
    objects separated by dots, such as `realm_access.roles`. A subject has the role `user` or `operator` when the claim
    has one of its values; with the value `all`, every subject has it. Values of `named` are roles of the same name.
    """

    issuer: str
    audiences: frozenset[str]
    roles_claim: str
    principal_claim: str
    users: frozenset[str]
    operators: frozenset[str]
    named: frozenset[str] = frozenset()


class StageVariables(DeferredModel):
    """Variables of the API's stage for sign-in, from the template's parameters; lists are separated by commas.

    They are not variables of the function: its versions would not change with them.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    oidc_issuer: Annotated[str, Field(alias="oidcIssuer")] = ""
    oidc_audiences: Annotated[str, Field(alias="oidcAudiences")] = ""
    oidc_roles_claim: Annotated[str, Field(alias="oidcRolesClaim")] = "roles"
    oidc_principal_claim: Annotated[str, Field(alias="oidcPrincipalClaim")] = "sub"
    oidc_user_roles: Annotated[str, Field(alias="oidcUserRoles")] = ""
    oidc_operator_roles: Annotated[str, Field(alias="oidcOperatorRoles")] = ""
    oidc_roles: Annotated[str, Field(alias="oidcRoles")] = ""

    def issuer(self) -> OidcIssuer | None:
        """Return the issuer whose tokens are accepted, if any."""
        if not self.oidc_issuer:
            return None
        return OidcIssuer(
            issuer=self.oidc_issuer,
            audiences=_values(self.oidc_audiences),
            roles_claim=self.oidc_roles_claim,
            principal_claim=self.oidc_principal_claim,
            users=_values(self.oidc_user_roles),
            operators=_values(self.oidc_operator_roles),
            named=frozenset(filter(is_role_name, _values(self.oidc_roles))).difference(ROLES),
        )


def _values(text: str) -> frozenset[str]:
    return frozenset(filter(None, map(str.strip, text.split(","))))


class RefusedTokenError(Exception):
    """A token of an identity provider that identifies no caller; the text is a reason for the log."""


class Admitted(Struct, frozen=True):
    """Caller of a request with valid credentials: the holder of an API token, or a person.

    `roles` is empty for a person without a role in the service.
    """

    principal: str
    name: str
    roles: tuple[str, ...]
    expires_at: datetime


def ignore_caller(_caller: Admitted) -> None:
    """No-op receiver of callers."""


class IdentityReader(Protocol):
    """Verifier of the tokens of an identity provider. Raises RefusedTokenError and UnavailableError."""

    def identify(self, token: str) -> Admitted: ...


class RequestContext(DeferredModel):
    """Request context; the caller receives `request_id` too."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    request_id: Annotated[str | None, Field(alias="requestId")] = None


class AuthorizerRequest(DeferredModel):
    """Used part of API Gateway's REQUEST authorizer event (payload v1).

    `resource` is the path of the API's definition, with the names of parameters: a client cannot choose it.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    method_arn: Annotated[str, Field(alias="methodArn", pattern=r"^arn:[^/]+/[^/]+/")]
    resource: str = ""
    headers: dict[str, str] | None = None
    multi_value_headers: Annotated[dict[str, tuple[str, ...]] | None, Field(alias="multiValueHeaders")] = None
    variables: Annotated[StageVariables | None, Field(alias="stageVariables")] = None
    context: Annotated[RequestContext, Field(alias="requestContext")] = RequestContext()

    @property
    def stage_variables(self) -> StageVariables:
        return self.variables or StageVariables()

    def authorization(self) -> tuple[str, ...]:
        """Return the values of the Authorization header that are not blank; HTTP/2 has its name in lower case."""
        every = self.multi_value_headers or {name: (value,) for name, value in (self.headers or {}).items()}
        return tuple(
            value
            for name, values in every.items()
            if name.lower() == "authorization"
            for value in values
            if value.strip()
        )


def authorize(
    request: AuthorizerRequest,
    *,
    tokens: TokenReader,
    identities: IdentityReader | None = None,
    now: datetime,
    admitted: Callable[[Admitted], None] = ignore_caller,
) -> dict[str, Json]:
    """Return the policy for a request: Allow for a valid token, Deny for other credentials.

    A token is an API token, or with `identities` one of the identity provider. A person without a role is admitted: the
    routes respond with what is missing. `admitted` receives the caller of an allowed request.

    Other credentials, and none, are allowed on the OpenAI-compatible routes alone, without a caller: their function
    responds with 401 in the format of these clients, which API Gateway's responses for all routes cannot have.

    Raises Unauthorized for a request without credentials to another route, and UnavailableError, to which API Gateway
    responds with 500. A policy covers all routes because API Gateway caches it by header value, across routes.
    """
    is_openai = request.resource.startswith(OPENAI_ROUTES)
    values = request.authorization()
    if not values and not is_openai:
        raise Unauthorized
    credentials = _bearer(values)
    caller = _admitted(credentials, tokens, identities, now)
    if caller is None:
        if is_openai:
            return _without_caller(request)
        token = Token.parse(credentials)
        return _policy("Deny", (f"{_stage(request)}/*",), principal=token.id if token else UNKNOWN)
    logger.info("request admitted", principal=caller.principal)
    admitted(caller)
    policy = _policy("Allow", (f"{_stage(request)}/*",), principal=caller.principal)
    policy["context"] = {
        "principal": caller.principal,
        "name": caller.name,
        "roles": ",".join(caller.roles),
        "expires_at": int(caller.expires_at.timestamp()),
    }
    return policy


def _admitted(
    credentials: str, tokens: TokenReader, identities: IdentityReader | None, now: datetime
) -> Admitted | None:
    """Return the caller with these credentials; None for other than valid ones."""
    if (token := Token.parse(credentials)) is not None:
        record = tokens.get(token.id)
        if record is not None and record.admits(token, now=now):
            return Admitted(record.id, record.name, record.roles, record.expires_at)
        logger.info("request denied", principal=token.id, known=record is not None)
        return None
    reason = "no token"
    if identities is not None and credentials.count(".") == JWT_DOTS:
        try:
            return identities.identify(credentials)
        except RefusedTokenError as error:
            reason = str(error)
    logger.info("request denied", principal=None, known=False, reason=reason)
    return None


def _bearer(values: tuple[str, ...]) -> str:
    """Return the bearer token, empty without one.

    Two headers are rejected: API Gateway may cache the policy by either of them.
    """
    if len(values) != 1:
        return ""
    scheme, _, credentials = values[0].strip().partition(" ")
    return credentials.strip() if scheme.lower() == "bearer" else ""


def _without_caller(request: AuthorizerRequest) -> dict[str, Json]:
    """Return the policy that admits a request to the OpenAI-compatible routes without a principal and roles.

    Its resources begin with a method because `*` also matches slashes: `*/v1/*` would match `GET/api/a/v1/b`. Its
    principal is never the id of a token, which the credentials may only claim.
    """
    resources = tuple(f"{_stage(request)}/{method}{OPENAI_ROUTES}*" for method in OPENAI_METHODS)
    return _policy("Allow", resources, principal=UNKNOWN)


def _stage(request: AuthorizerRequest) -> str:
    """Return the ARN of the API's stage."""
    return "/".join(request.method_arn.split("/", 2)[:2])


def _policy(effect: Effect, resources: tuple[str, ...], *, principal: str) -> dict[str, Json]:
    resource: Json = resources[0] if len(resources) == 1 else list(resources)
    statement: dict[str, Json] = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": resource}
    return {"principalId": principal, "policyDocument": {"Version": "2012-10-17", "Statement": [statement]}}
