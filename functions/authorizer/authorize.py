"""Translation of the Authorization header to an API Gateway policy."""

from datetime import datetime
from typing import Annotated, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.tokens import Token, TokenRecord

Effect = Literal["Allow", "Deny"]


class Unauthorized(Exception):  # noqa: N818  # API Gateway responds with 401 to an error with exactly this message
    """Request without credentials."""

    def __init__(self) -> None:
        super().__init__("Unauthorized")


class TokenReader(Protocol):
    """Source of token records. Raises UnavailableError."""

    def get(self, id: str) -> TokenRecord | None: ...


class RequestContext(BaseModel):
    """Request context; the caller receives `request_id` too."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    request_id: Annotated[str | None, Field(alias="requestId")] = None


class AuthorizerRequest(BaseModel):
    """Used part of API Gateway's REQUEST authorizer event (payload v1)."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    method_arn: Annotated[str, Field(alias="methodArn", pattern=r"^arn:[^/]+/[^/]+/")]
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

    Raises Unauthorized for a request without credentials, and UnavailableError, to which API Gateway responds with 500.
    The policy covers the whole stage because API Gateway caches it by header value, across routes.
    """
    values = request.authorization()
    if not values:
        raise Unauthorized
    token = _bearer(values)
    record = tokens.get(token.id) if token else None
    if token is None or record is None or not record.admits(token, now=now):
        logger.info("request denied", principal=token.id if token else None, known=record is not None)
        return _policy("Deny", request, principal=token.id if token else "unknown")
    logger.info("request admitted", principal=record.id)
    policy = _policy("Allow", request, principal=record.id)
    policy["context"] = {"principal": record.id, "name": record.name, "roles": ",".join(record.roles)}
    return policy


def _bearer(values: tuple[str, ...]) -> Token | None:
    """Return the bearer token. Two headers are rejected: API Gateway may cache the policy by either of them."""
    if len(values) != 1:
        return None
    scheme, _, credentials = values[0].strip().partition(" ")
    return Token.parse(credentials.strip()) if scheme.lower() == "bearer" else None


def _policy(effect: Effect, request: AuthorizerRequest, *, principal: str) -> dict[str, Json]:
    api, stage = request.method_arn.split("/", 2)[:2]
    statement: dict[str, Json] = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": f"{api}/{stage}/*"}
    return {"principalId": principal, "policyDocument": {"Version": "2012-10-17", "Statement": [statement]}}
