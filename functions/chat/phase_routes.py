"""The routes on which an operator tries one phase alone."""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.api.explain import IntentTrial, IntentView, TopicTrial, TopicView
from flexchat.deadline import Deadline
from flexchat.http_api.door import Door, responses
from functions.chat.phase_trials import PhaseTrials

TRIAL_SECONDS = 28.0
"""As long as a chat has, so that a phase has the time that it has there."""

ERRORS: Sequence[int] = (
    *(HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.CONFLICT),
    *(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE, HTTPStatus.TOO_MANY_REQUESTS),
    *(HTTPStatus.INTERNAL_SERVER_ERROR, HTTPStatus.SERVICE_UNAVAILABLE),
)


def add_phase_routes(
    door: Door,
    *,
    trials: Callable[[], PhaseTrials],
    limit: Callable[[int | None, float], Deadline],
) -> None:
    """Add the routes to `door`; `limit` returns a deadline that this invocation can keep."""

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
        return trials().try_topic(trial, deadline=limit(None, TRIAL_SECONDS))

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
        deadline = limit(None, TRIAL_SECONDS)
        return trials().try_intent(trial, deadline=deadline, request_id=door.request_id())
