"""Routes of API tokens: list, create, revoke."""

from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Path

from flexchat.http_api.api import no_content
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.openapi import responses
from functions.configuration.services import ConfigurationRouter
from functions.configuration.token_models import CreatedToken, NewToken, TokenList

TokenId = Annotated[str, Path(max_length=64)]

router = ConfigurationRouter()


@router.endpoint(
    "GET",
    "/api/tokens",
    role="operator",
    summary="List the API tokens",
    description="Names, roles, expiry and limits, never a secret. Expired tokens are listed until they are deleted.",
    tags=["tokens"],
    responses=responses(TokenList, errors=(401, 403, 429, 500, 503)),
)
def tokens() -> TokenList:
    return router.services.tokens.list()


@router.endpoint(
    "POST",
    "/api/tokens",
    role="operator",
    summary="Create an API token",
    description="The response is the only copy of the token. Each request creates one: read the list before you "
    "repeat it. 403 where the stage has `TokenManagement` off.",
    tags=["tokens"],
    responses=responses(CreatedToken, status=201, errors=(400, 401, 403, 413, 415, 429, 500, 503)),
    status_code=201,
    body=BodyLimit('{"name": "Ada\'s laptop", "roles": ["user"], "days": 90}', 10_000),
)
def create(token: Annotated[NewToken, Body()]) -> CreatedToken:
    caller, author, audit = router.caller, router.author, router.auditor
    return router.services.tokens.create(token, caller=caller, author=author, audit=audit)


@router.endpoint(
    "DELETE",
    "/api/tokens/<id>",
    role="operator",
    summary="Revoke an API token",
    description="The API may accept it from its cache for a minute; routes below `/v1` refuse it at once. A caller may "
    "revoke its own token. 403 where the stage has `TokenManagement` off.",
    tags=["tokens"],
    responses=responses(None, errors=(400, 401, 403, 404, 429, 500, 503)),
)
def revoke(id: TokenId) -> Response[str]:
    router.services.tokens.revoke(id, caller=router.caller, audit=router.auditor)
    return no_content()
