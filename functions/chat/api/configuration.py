"""The routes on which an operator sees the live configuration, and tries which rule would answer."""

from collections.abc import Callable
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.deadline import Deadline
from flexchat.http_api.api import Door, responses
from functions.chat.inspection.configuration import configuration_view
from functions.chat.inspection.rule_match import match_profile
from functions.chat.inspection.views import ConfigurationView, RuleMatch, RuleMatchView
from functions.chat.runtime import Runtime


def add_config_routes(
    door: Door,
    *,
    runtime: Callable[[], Runtime],
    stage: str,
    deadline: Callable[[], Deadline],
) -> None:
    """Add the routes to `door`; `deadline` returns that of the request."""

    @door.route(
        "GET",
        "/api/config",
        role="operator",
        summary="Show the live configuration",
        description="What is live, with what is wrong with it, for an operator. No prompt, key or header is shown.",
        tags=["configuration"],
        responses=responses(ConfigurationView),
    )
    def show() -> ConfigurationView:  # pyright: ignore[reportUnusedFunction]
        return configuration_view(runtime(), stage=stage)

    @door.route(
        "POST",
        "/api/config/match",
        role="operator",
        summary="Try which rule answers",
        description="Which rule, model and tools would answer for a profile, for an operator. No model is asked.",
        tags=["configuration"],
        responses=responses(RuleMatchView),
    )
    def match(match: Annotated[RuleMatch, Body()]) -> RuleMatchView:  # pyright: ignore[reportUnusedFunction]
        return match_profile(match, runtime(), deadline=deadline())
