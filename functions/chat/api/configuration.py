"""Operator routes for the live configuration, and for the rule that answers a profile."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.http_api.openapi import responses
from functions.chat.api.services import STORE_SECONDS, ChatRouter
from functions.chat.inspection.views import ConfigurationView, RuleMatch, RuleMatchView

router = ChatRouter()


@router.endpoint(
    "GET",
    "/api/config",
    role="operator",
    summary="Get the live configuration",
    description="The configuration with its problems, for an operator, without prompts, keys and headers.",
    tags=["configuration"],
    responses=responses(ConfigurationView),
)
def show() -> ConfigurationView:
    return router.services.operations.inspector.show_configuration()


@router.endpoint(
    "POST",
    "/api/config/match",
    role="operator",
    summary="Match a profile against the response rules",
    description="The rule, model and tools that would answer for a profile, for an operator. No model is called.",
    tags=["configuration"],
    responses=responses(RuleMatchView),
)
def match(match: Annotated[RuleMatch, Body()]) -> RuleMatchView:
    return router.services.operations.inspector.match_rule(match, deadline=router.deadline(at_most=STORE_SECONDS))
