"""The route on which a person tries how a model calls the configured tools (document 003, lines 1733-1779)."""

from collections.abc import Callable
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.api import ChatResponse
from flexchat.api.trials import ToolTest
from flexchat.deadline import Deadline
from flexchat.http_api.door import Door, responses
from functions.chat.trials.tool_tests import ToolTests


def add_trial_routes(door: Door, *, tests: Callable[[], ToolTests], deadline: Callable[[], Deadline]) -> None:
    """Add the route to `door`. `deadline` is when the request that is being answered is due."""

    @door.route(
        "POST",
        "/api/tools/test",
        role="user",
        summary="Try a model with the tools",
        description=(
            "The answer of one chat with this model and every configured tool. It counts for the model's validation: "
            "as passed when a tool was called with success and no limit was hit; an answer without any call is only "
            "noted."
        ),
        tags=["tools"],
        responses=responses(ChatResponse),
    )
    def test_tools(test: Annotated[ToolTest, Body()]) -> ChatResponse:  # pyright: ignore[reportUnusedFunction]
        return tests().run(test, deadline=deadline(), request_id=door.request_id())
