"""Smoke test of a deployed stage: its health, and a chat that is shown with its tool calls."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from rich.console import Console

from cli.client import Client
from cli.errors import DeploymentError, ServiceError
from cli.render.answer import show_answer
from flexchat.api import ChatResponse
from flexchat.messages import Json

QUESTION = "What is 15% of 45, and the weather in Paris?"

START_SECONDS = 60.0
"""A new API's address may take that long to resolve and to be served."""

PAUSE_SECONDS = 2.0

ATTEMPTS = 2
"""The first chat after a deployment starts every function, and may use up its time by that."""


class Clock(Protocol):
    """A clock that never goes back, and its wait."""

    def monotonic(self) -> float: ...

    def sleep(self, seconds: float, /) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SmokeTest:
    """A smoke test by `client`; `catalog_seconds` is how long functions may still serve an older configuration."""

    client: Client
    console: Console
    catalog_seconds: float = 0.0
    clock: Clock = time

    def run(self) -> None:
        """Show an answer. Raises DeploymentError when the stage is not healthy or gives no whole answer."""
        self._until(START_SECONDS, self.client.health)
        problem: str | None = None
        for _ in range(ATTEMPTS):
            problem = self._ask()
            if problem is None:
                return
        raise DeploymentError(f"the smoke test failed: {problem}")

    def _ask(self) -> str | None:
        """Show an answer; returns what is wrong with it."""
        self.console.print(f"\n> {QUESTION}\n", style="bold", highlight=False)
        body = self._until(self.catalog_seconds, lambda: self.client.chat({"message": QUESTION}))
        show_answer(self.console, body)
        answer = ChatResponse.model_validate(body, extra="ignore")
        if answer.status != "complete":
            return f"the answer is {answer.status} ({answer.finish_reason})"
        if answer.tool_calls and not any(call.result.success for call in answer.tool_calls):
            return "no tool call of the answer succeeded"
        return None

    def _until(self, seconds: float, ask: Callable[[], dict[str, Json]]) -> dict[str, Json]:
        """The first answer within `seconds`; one attempt is always made."""
        end = self.clock.monotonic() + seconds
        while True:
            try:
                return ask()
            except ServiceError as error:
                if self.clock.monotonic() + PAUSE_SECONDS > end:
                    raise DeploymentError(f"the smoke test failed: {error}") from error
                self.clock.sleep(PAUSE_SECONDS)
