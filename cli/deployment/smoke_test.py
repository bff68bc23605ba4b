"""Smoke test of a deployed stage: its health, and the answer of one chat with its tool calls."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from cli.client import Client
from cli.console import Console
from cli.errors import DeploymentError, ServiceError
from cli.render.answer import show_answer
from flexchat.api import ChatResponse
from flexchat.messages import Json

QUESTION = "What is 15% of 45, and the weather in Paris?"

START_SECONDS = 60.0
"""Maximum seconds until the address of a new API is resolved and served."""

PAUSE_SECONDS = 2.0

ATTEMPTS = 2
"""Attempts of the first chat, which starts every function and may exceed its deadline."""


class Clock(Protocol):
    """Monotonic clock, and its wait."""

    def monotonic(self) -> float: ...

    def sleep(self, seconds: float, /) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SmokeTest:
    """Smoke test by `client`; `catalog_seconds` is the maximum age of the configuration in the functions."""

    client: Client
    console: Console
    catalog_seconds: float = 0.0
    clock: Clock = time

    def run(self) -> None:
        """Print an answer. Raises DeploymentError when the stage is not healthy or returns no complete answer."""
        self._until(START_SECONDS, self.client.health)
        problem: str | None = None
        for _ in range(ATTEMPTS):
            problem = self._ask()
            if problem is None:
                return
        raise DeploymentError(f"the smoke test failed: {problem}")

    def _ask(self) -> str | None:
        """Print an answer; return its problem."""
        self.console.print(f"\n> {QUESTION}\n", style="bold")
        body = self._until(self.catalog_seconds, lambda: self.client.chat({"message": QUESTION}))
        show_answer(self.console, body)
        answer = ChatResponse.model_validate(body, extra="ignore")
        if answer.status != "complete":
            return f"the answer is {answer.status} ({answer.finish_reason})"
        if answer.tool_calls and not any(call.result.success for call in answer.tool_calls):
            return "no tool call of the answer succeeded"
        return None

    def _until(self, seconds: float, ask: Callable[[], dict[str, Json]]) -> dict[str, Json]:
        """Return the first answer within `seconds`; one attempt is always made."""
        end = self.clock.monotonic() + seconds
        while True:
            try:
                return ask()
            except ServiceError as error:
                if self.clock.monotonic() + PAUSE_SECONDS > end:
                    raise DeploymentError(f"the smoke test failed: {error}") from error
                self.clock.sleep(PAUSE_SECONDS)
