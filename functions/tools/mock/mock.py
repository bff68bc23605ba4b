"""Tool with prepared answers."""

from collections.abc import Callable

from flexchat.errors import ToolError
from flexchat.messages import Json
from flexchat.tools import CallTool
from functions.tools.mock.implementation import Implementation


class MockTool:
    """Return the prepared answer for a call's arguments; `sleep` waits for the prepared delay, in seconds.

    The delay ends at the call's timeout, so that no thread is abandoned.
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
