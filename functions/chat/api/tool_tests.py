"""The route on which a person tries how a model calls the configured tools."""

from collections.abc import Callable
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.api import ChatResponse
from flexchat.api.trials import ToolTest
from flexchat.deadline import Deadline
from flexchat.http_api.api import Door, responses
from flexchat.http_api.caller import Caller
from functions.chat.trials.quick_tests import QuickTests

ERRORS = (400, 401, 403, 404, 413, 415, 429, 500, 502, 503, 504)


def add_trial_routes(
    door: Door,
    *,
    tests: Callable[[], QuickTests],
    caller: Callable[[], Caller],
    deadline: Callable[[], Deadline],
) -> None:
    """Add the route to `door`; `caller` and `deadline` return those of the request."""

    @door.route(
        "POST",
        "/api/tools/test",
        role="user",
        summary="Try a model with the tools",
        description=(
            "The answer of one chat with this model and the configured tools. A user may test the models that response "
            "rules name, with the tools that these rules allow; an operator every model and tool. The test is recorded "
            "and does not count for the model's validation, unless an operator sends `count`: then it has passed when "
            "a tool call succeeded and no limit was hit, and an answer without any call counts for nothing."
        ),
        tags=["tools"],
        responses=responses(ChatResponse, errors=ERRORS),
    )
    def test_tools(test: Annotated[ToolTest, Body()]) -> ChatResponse:  # pyright: ignore[reportUnusedFunction]
        return tests().run(test, caller=caller(), deadline=deadline(), request_id=door.request_id())
