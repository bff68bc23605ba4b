"""Answers every call of a tool with what its configuration prepared."""

from collections.abc import Callable

from flexchat.errors import ToolError
from flexchat.messages import Json
from flexchat.tools import CallTool
from functions.tools.mock.implementation import Implementation


class MockTool:
    """Returns the answer prepared for a call's arguments; `sleep` waits the prepared delay, in seconds.

    It never sleeps longer than the call's timeout, so that no thread of it is left behind.
    """

    def __init__(self, *, sleep: Callable[[float], object]) -> None:
        self._sleep = sleep

    def __call__(self, call: CallTool, implementation: Implementation) -> Json:
        if implementation.delay_ms:
            self._sleep(min(implementation.delay_ms, call.timeout_ms) / 1000)
            if implementation.delay_ms > call.timeout_ms:
                raise TimeoutError
        if answer := implementation.answer_to(call.arguments):
            if answer.error is not None:
                raise ToolError(answer.error, user_message=answer.user_message)
            return answer.response
        if implementation.error is not None:
            raise ToolError(implementation.error)
        return implementation.mock_response
