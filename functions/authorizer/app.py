"""Lambda authorizer: allows requests with a valid bearer token."""

from flexchat.startup import modules_imported  # first: it turns garbage collection off

# isort: split
import os
from datetime import UTC, datetime
from functools import cache
from typing import Any

from flexchat.aws.audit_log import DEFAULT_DAYS, AuditLog
from flexchat.aws.clients import close_connections, dynamodb
from flexchat.aws.tokens import TokenStore
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.settings import Settings, read_environment
from flexchat.snapstart import before_snapshot
from functions.authorizer.authorize import Admitted, AuthorizerRequest, IdentityReader, OidcIssuer, authorize
from functions.authorizer.sign_ins import SignIns


class AuthorizerSettings(Settings):
    """`FLEXCHAT_TOKENS_TABLE`: the table with the records of tokens; `FLEXCHAT_AUDIT_TABLE`: that of audit records,
    which are kept for `FLEXCHAT_AUDIT_RETENTION_DAYS`."""

    audit_table: str
    tokens_table: str
    audit_retention_days: int = DEFAULT_DAYS


@cache
def settings() -> AuthorizerSettings:
    return read_environment(AuthorizerSettings, os.environ)


@cache
def token_store() -> TokenStore:
    """Return the token store of this environment."""
    return TokenStore(dynamodb(), settings().tokens_table)


@cache
def sign_ins() -> SignIns:
    """Return the writer of sign-ins of this environment."""
    return SignIns(AuditLog(dynamodb(), settings().audit_table, days=settings().audit_retention_days))


@cache
def identities(issuer: OidcIssuer) -> IdentityReader:
    """Return the verifier of an issuer's tokens, which keeps the issuer's keys."""
    # Imported here: a deployment without an issuer needs neither cryptography nor an HTTP client.
    from flexchat.egress.policy import EgressPolicy
    from flexchat.http_client import BoundedHttpClient
    from functions.authorizer.identities import Identities
    from functions.authorizer.signing_keys import SigningKeys

    # Only addresses of the issuer are called, whatever hosts the configuration may name.
    local = bool(os.environ.get("AWS_ENDPOINT_URL"))
    return Identities(issuer, SigningKeys(issuer.issuer, BoundedHttpClient(egress=EgressPolicy(local=local))))


def lambda_handler(event: dict[str, Any], _context: object) -> dict[str, Json]:
    """Return the policy for API Gateway's REQUEST authorizer event (payload v1)."""
    request = AuthorizerRequest.model_validate(event)
    with logger.append_context_keys(request_id=request.context.request_id):
        issuer = request.stage_variables.issuer()
        people = None if issuer is None else identities(issuer)
        now = datetime.now(UTC)

        def admitted(caller: Admitted) -> None:
            sign_ins().add(caller, request_id=request.context.request_id or "unknown", now=now)

        return authorize(request, tokens=token_store(), identities=people, now=now, admitted=admitted)


def prepare() -> None:
    """Create the client before a snapshot, without the connection for its credentials."""
    token_store()
    sign_ins()
    close_connections()


before_snapshot(prepare)
modules_imported()
