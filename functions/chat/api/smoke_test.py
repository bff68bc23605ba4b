"""Smoke test of a new version, which CodeDeploy runs before it moves traffic to the version.

CodeDeploy invokes the unpublished version of the chat function, which has the code and the settings of the version that
the deployment has published. Its chat uses the stage's configuration, and the tool functions by their aliases.
https://docs.aws.amazon.com/codedeploy/latest/userguide/reference-appspec-file-structure-hooks.html
"""

from typing import Any, Final, Protocol

from flexchat.api import ApiModel, ChatRequest
from flexchat.deadline import Clock
from flexchat.errors import FlexchatError
from flexchat.http_api.caller import DIRECT
from flexchat.http_api.deadline import invocation_deadline
from flexchat.observability import logger
from functions.chat.engine import ChatEngine

QUESTION: Final = "What is 15% of 45?"
CHAT_SECONDS: Final = 60.0
ATTEMPTS: Final = 2
"""Attempts of the chat, so that one failed request of a provider stops no deployment."""


class HookEvent(ApiModel, extra="ignore"):
    """Event of a lifecycle hook."""

    DeploymentId: str
    LifecycleEventHookExecutionId: str


class LifecycleHooks(Protocol):
    """Hooks of running deployments. Raises UnavailableError when CodeDeploy does not accept the result."""

    def report(self, deployment: str, hook: str, *, succeeded: bool) -> None: ...


class SmokeTest:
    """Handler of a lifecycle hook: one chat, whose result continues or stops the deployment."""

    def __init__(self, *, engine: ChatEngine, hooks: LifecycleHooks, clock: Clock) -> None:
        self._engine = engine
        self._hooks = hooks
        self._clock = clock

    def handle(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """Report the result to CodeDeploy and return it. Raises UnavailableError if the report fails: CodeDeploy then
        stops the deployment when its wait for the hook ends."""
        hook = HookEvent.model_validate(event)
        problem: str | None = None
        for _ in range(ATTEMPTS):
            problem = self._problem(context)
            if problem is None:
                break
        if problem is None:
            logger.info("smoke test passed", deployment=hook.DeploymentId)
        else:
            logger.error("smoke test failed", deployment=hook.DeploymentId, reason=problem)
        self._hooks.report(hook.DeploymentId, hook.LifecycleEventHookExecutionId, succeeded=problem is None)
        return {"status": "failed" if problem else "succeeded"}

    def _problem(self, context: Any) -> str | None:
        """Return the problem of one chat, or None when it is answered."""
        deadline = invocation_deadline(context, clock=self._clock).within(CHAT_SECONDS)
        try:
            answer = self._engine.answer(
                ChatRequest(message=QUESTION),
                caller=DIRECT,
                deadline=deadline,
                request_id=context.aws_request_id,
                front_end="direct",
            )
        except FlexchatError as error:
            return str(error)
        except Exception as error:  # noqa: BLE001 # the deployment waits for a result
            return type(error).__name__
        if answer.status != "complete":
            return f"the answer is {answer.status} ({answer.finish_reason})"
        if answer.tool_calls and not any(call.result.success for call in answer.tool_calls):
            return "no tool call of the answer succeeded"
        return None
