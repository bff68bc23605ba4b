"""Routes of the configuration: read, check, match, publish, history."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Path

from flexchat.http_api.body import BodyLimit
from flexchat.http_api.openapi import responses
from functions.configuration.models import (
    ConfigurationDraft,
    ConfigurationSource,
    ConfigurationVersionList,
    DraftCheck,
    DraftMatch,
    DraftMatches,
    PublishDraft,
    PublishedVersion,
    RestoreVersion,
)
from functions.configuration.services import ConfigurationRouter

MAX_DRAFT_BYTES = 4_000_000

_DRAFT = BodyLimit('{"base": "…", "responses": ["{…}"]}', MAX_DRAFT_BYTES)
_READS = (401, 403, 404, 429, 500, 503)
_CHECKS = (400, 401, 403, 404, 413, 415, 429, 500, 503)
_WRITES = (400, 401, 403, 404, 409, 413, 415, 429, 500, 503)

Number = Annotated[int, Path(ge=1, le=99_999_999)]

router = ConfigurationRouter()


@router.endpoint(
    "GET",
    "/api/configuration",
    role="operator",
    right="configure",
    summary="Get the published configuration",
    description="Every entry as JSON text: prompts, schemas and addresses, with references in place of secrets.",
    tags=["configuration"],
    responses=responses(ConfigurationSource, errors=_READS),
)
def show() -> ConfigurationSource:
    return router.services.editor.show()


@router.endpoint(
    "POST",
    "/api/configuration/check",
    role="operator",
    right="configure",
    summary="Check a draft",
    description="The problems that `flexchat config check` reports, and the changes of a publication.",
    tags=["configuration"],
    responses=responses(DraftCheck, errors=_CHECKS),
    body=_DRAFT,
)
def check(draft: Annotated[ConfigurationDraft, Body()]) -> DraftCheck:
    return router.services.editor.check(draft)


@router.endpoint(
    "POST",
    "/api/configuration/match",
    role="operator",
    right="configure",
    summary="Match the rules of a draft against recorded profiles",
    description="The rule of the published configuration and that of the draft for each profile, changed ones first. "
    "`GET /api/traces/profiles` has the profiles of recorded chats.",
    tags=["configuration"],
    responses=responses(DraftMatches, errors=_CHECKS),
    body=BodyLimit('{"draft": {"base": "…"}, "profiles": []}', MAX_DRAFT_BYTES),
)
def match(match: Annotated[DraftMatch, Body()]) -> DraftMatches:
    return router.services.editor.match(match.draft, match.profiles)


@router.endpoint(
    "GET",
    "/api/configuration/versions",
    role="operator",
    right="configure",
    summary="List the published versions",
    tags=["configuration"],
    responses=responses(ConfigurationVersionList, errors=_READS),
)
def versions() -> ConfigurationVersionList:
    return router.services.editor.versions()


@router.endpoint(
    "POST",
    "/api/configuration/versions",
    role="operator",
    right="configure",
    summary="Publish a draft",
    description="Publishes rules, tools, the prompts of phases, and MCP servers on or off, by the same checks and "
    "writes as `flexchat config push --stage STAGE`. 409 if the configuration was published since `base`; 403 where "
    "the stage has `ConfigurationEditing` off.",
    tags=["configuration"],
    responses=responses(PublishedVersion, status=201, errors=_WRITES),
    status_code=201,
    body=BodyLimit('{"draft": {"base": "…"}, "comment": "…"}', MAX_DRAFT_BYTES),
)
def publish(request: Annotated[PublishDraft, Body()]) -> PublishedVersion:
    return router.services.editor.publish(
        request.draft, by=router.author, comment=request.comment, audit=router.auditor
    )


@router.endpoint(
    "GET",
    "/api/configuration/versions/<number>",
    role="operator",
    right="configure",
    summary="Get a published version",
    tags=["configuration"],
    responses=responses(ConfigurationSource, errors=(400, *_READS)),
)
def version(number: Number) -> ConfigurationSource:
    return router.services.editor.version(number)


@router.endpoint(
    "POST",
    "/api/configuration/versions/<number>/restore",
    role="operator",
    right="configure",
    summary="Roll back to a version",
    description="Publishes the configuration of an earlier version again, as a new version.",
    tags=["configuration"],
    responses=responses(PublishedVersion, status=201, errors=_WRITES),
    status_code=201,
    body=BodyLimit('{"base": "…", "comment": "…"}'),
)
def restore(number: Number, request: Annotated[RestoreVersion, Body()]) -> PublishedVersion:
    return router.services.editor.restore(
        number, base=request.base, by=router.author, comment=request.comment, audit=router.auditor
    )
