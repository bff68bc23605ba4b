"""Translation of the Authorization header to an API Gateway policy."""

from datetime import datetime
from typing import Annotated, Final, Literal, Protocol

from pydantic import ConfigDict, Field

from flexchat.deferred_model import DeferredModel
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.tokens import Token, TokenRecord

Effect = Literal["Allow", "Deny"]

OPENAI_ROUTES: Final = "/v1/"
"""Prefix of the OpenAI-compatible routes, which have an authorizer of their own, with this function."""

OPENAI_METHODS: Final = ("GET", "POST", "DELETE")

UNKNOWN: Final = "unknown"
"""`principalId` of a policy for credentials without a valid token."""


class Unauthorized(Exception):  # noqa: N818  # API Gateway responds with 401 to an error with exactly this message
    """Request without credentials."""

    def __init__(self) -> None:
        super().__init__("Unauthorized")


class TokenReader(Protocol):
    """Source of token records. Raises UnavailableError."""

    def get(self, id: str) -> TokenRecord | None: ...


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
    context: Annotated[RequestContext, Field(alias="requestContext")] = RequestContext()

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


def authorize(request: AuthorizerRequest, *, tokens: TokenReader, now: datetime) -> dict[str, Json]:
    """Return the policy for a request: Allow for a valid token, Deny for other credentials.

    Other credentials, and none, are allowed on the OpenAI-compatible routes alone, without a caller: their function
    responds with 401 in the format of these clients, which API Gateway's responses for all routes cannot have.

    Raises Unauthorized for a request without credentials to another route, and UnavailableError, to which API Gateway
    responds with 500. A policy covers all routes because API Gateway caches it by header value, across routes.
    """
    is_openai = request.resource.startswith(OPENAI_ROUTES)
    values = request.authorization()
    if not values and not is_openai:
        raise Unauthorized
    token = _bearer(values)
    record = tokens.get(token.id) if token else None
    if token is None or record is None or not record.admits(token, now=now):
        logger.info("request denied", principal=token.id if token else None, known=record is not None)
        if is_openai:
            return _without_caller(request)
        return _policy("Deny", (f"{_stage(request)}/*",), principal=token.id if token else UNKNOWN)
    logger.info("request admitted", principal=record.id)
    policy = _policy("Allow", (f"{_stage(request)}/*",), principal=record.id)
    policy["context"] = {"principal": record.id, "name": record.name, "roles": ",".join(record.roles)}
    return policy


def _bearer(values: tuple[str, ...]) -> Token | None:
    """Return the bearer token. Two headers are rejected: API Gateway may cache the policy by either of them."""
    if len(values) != 1:
        return None
    scheme, _, credentials = values[0].strip().partition(" ")
    return Token.parse(credentials.strip()) if scheme.lower() == "bearer" else None


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
