"""Smoke test of a deployed stage: its health, and a chat that is shown with its tool calls."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

from rich.console import Console

from cli.client import Client, ServiceError
from cli.deployment.errors import DeploymentError
from cli.render.answer import show_answer
from flexchat.api import ChatResponse
from flexchat.aws.tokens import TokenStore
from flexchat.messages import Json
from flexchat.tokens import issue

QUESTION = "What is 15% of 45, and the weather in Paris?"

START_SECONDS = 60.0
"""A new API's address may take that long to resolve and to be served."""

PAUSE_SECONDS = 2.0

ATTEMPTS = 2
"""The first chat after a deployment starts every function, and may use up its time by that."""

TOKEN_MINUTES = 15


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


@contextmanager
def short_lived_token(store: TokenStore, *, now: datetime | None = None) -> Generator[str]:
    """A user's token for the time of a smoke test; it is revoked at the end and expires by itself."""
    lifetime = timedelta(minutes=TOKEN_MINUTES)
    issued = issue(name="smoke test", roles=("user",), lifetime=lifetime, now=now or datetime.now(UTC))
    store.put(issued.record)
    try:
        yield issued.token.reveal()
    finally:
        store.revoke(issued.record.id)
