"""The routes on which an operator tries one phase alone."""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.api.explain import IntentTrial, IntentView, TopicTrial, TopicView
from flexchat.http_api.api import Door, responses
from functions.chat.inspection.phase_tests import PhaseTests

ERRORS: Sequence[int] = (
    *(HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.CONFLICT),
    *(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE, HTTPStatus.TOO_MANY_REQUESTS),
    *(HTTPStatus.INTERNAL_SERVER_ERROR, HTTPStatus.SERVICE_UNAVAILABLE),
)


def add_phase_routes(door: Door, *, trials: Callable[[], PhaseTests]) -> None:
    """Add the routes to `door`. A phase has the time that it has in a chat."""

    @door.route(
        "POST",
        "/api/topic/test",
        role="operator",
        summary="Try the topic phase",
        description="What the topic of a message is, for an operator. A model that fails is an `error` in the answer.",
        tags=["phases"],
        responses=responses(TopicView, errors=ERRORS),
    )
    def try_topic(trial: Annotated[TopicTrial, Body()]) -> TopicView:  # pyright: ignore[reportUnusedFunction]
        return trials().try_topic(trial, deadline=door.deadline())

    @door.route(
        "POST",
        "/api/intent/test",
        role="operator",
        summary="Try the intent phase",
        description="What a message asks for, for an operator. A model that fails is an `error` in the answer.",
        tags=["phases"],
        responses=responses(IntentView, errors=ERRORS),
    )
    def try_intent(trial: Annotated[IntentTrial, Body()]) -> IntentView:  # pyright: ignore[reportUnusedFunction]
        return trials().try_intent(trial, deadline=door.deadline(), request_id=door.request_id())
