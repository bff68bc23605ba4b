"""Operator routes that run one phase alone, with its time limit in a chat."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.api.explain import IntentView, TopicView
from flexchat.http_api.openapi import responses
from functions.chat.api.services import ChatRouter
from functions.chat.inspection.phase_trials import IntentTrial, TopicTrial

_ERRORS = (400, 401, 403, 409, 413, 415, 429, 500, 503)

router = ChatRouter()


@router.endpoint(
    "POST",
    "/api/topic/test",
    role="operator",
    summary="Test the topic phase",
    description="The topic of a message, for an operator. A failure of the model is an `error` in the response.",
    tags=["phases"],
    responses=responses(TopicView, errors=_ERRORS),
)
def try_topic(trial: Annotated[TopicTrial, Body()]) -> TopicView:
    return router.services.operations.phase_tests.try_topic(trial, deadline=router.deadline())


@router.endpoint(
    "POST",
    "/api/intent/test",
    role="operator",
    summary="Test the intent phase",
    description="The intent of a message, for an operator. A failure of the model is an `error` in the response.",
    tags=["phases"],
    responses=responses(IntentView, errors=_ERRORS),
)
def try_intent(trial: Annotated[IntentTrial, Body()]) -> IntentView:
    return router.services.operations.phase_tests.try_intent(
        trial, deadline=router.deadline(), request_id=router.request_id
    )
