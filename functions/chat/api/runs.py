"""The routes of runs: how far one is, and that it is not wanted any more."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from flexchat.api.runs import RunView
from flexchat.deadline import Deadline
from flexchat.http_api.api import Door, responses
from flexchat.http_api.caller import Caller
from functions.chat.runs.service import Runs

ACCEPTED: dict[int, Any] = {
    HTTPStatus.ACCEPTED.value: {
        "description": "With `Prefer: respond-async`: the run, to be asked for at Location",
        "content": {"application/json": {"model": RunView}},
    }
}
"""What POST /api/chat answers besides an answer."""

_ERRORS = (401, 403, 404, 429, 500, 503)


def add_run_routes(
    door: Door, *, runs: Callable[[], Runs], caller: Callable[[], Caller], deadline: Callable[[], Deadline]
) -> None:
    """Add the routes to `door`. `caller` and `deadline` are those of the request that is being answered."""

    @door.route(
        "GET",
        "/api/runs/<id>",
        role="user",
        summary="Look at a run",
        tags=["runs"],
        responses=responses(RunView, errors=_ERRORS),
    )
    def get_run(id: str) -> RunView:  # pyright: ignore[reportUnusedFunction]
        return runs().get(id, caller=caller(), deadline=deadline())

    @door.route(
        "DELETE",
        "/api/runs/<id>",
        role="user",
        summary="Cancel a run",
        tags=["runs"],
        responses=responses(RunView, errors=_ERRORS),
    )
    def cancel_run(id: str) -> RunView:  # pyright: ignore[reportUnusedFunction]
        return runs().cancel(id, caller=caller(), deadline=deadline())
