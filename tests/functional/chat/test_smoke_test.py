"""Smoke test of a deployment: the hook of CodeDeploy that runs a chat before traffic moves to a new version."""

from collections.abc import Sequence
from typing import Any

import pytest
from botocore.exceptions import ClientError

from flexchat.errors import ModelError, UnavailableError
from tests.functional.chat.harness import CALCULATE, Chat, configuration, deploy
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion

EVENT = {"DeploymentId": "d-1", "LifecycleEventHookExecutionId": "hook-1", "Combined": "d-1.hook-1"}
UNAVAILABLE = ModelError("overloaded", type="overloaded", provider="openai")
CALL = call_completion(("calculate", {"expression": "15% of 45"}))


class CodeDeploy:
    """Fake of CodeDeploy that records results; `refuses` makes it refuse them."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.results: list[dict[str, str]] = []
        self.refuses = refuses

    def put_lifecycle_event_hook_execution_status(self, **request: str) -> dict[str, str]:
        if self.refuses:
            raise ClientError({"Error": {"Code": "DeploymentIsNotInReadyStateException"}}, "Put")
        self.results.append(request)
        return {}


def chat(script: Sequence[Step], codedeploy: CodeDeploy | None = None) -> tuple[Chat, CodeDeploy]:
    hooks = codedeploy or CodeDeploy()
    return deploy(script, configuration(tools=[CALCULATE]), codedeploy=hooks), hooks


def result(status: str) -> dict[str, Any]:
    return {"deploymentId": "d-1", "lifecycleEventHookExecutionId": "hook-1", "status": status}


def test_an_answered_chat_continues_the_deployment() -> None:
    service, hooks = chat([CALL, text_completion("6.75")])

    assert service.direct(EVENT) == {"status": "succeeded"}
    assert hooks.results == [result("Succeeded")]
    assert [event["tool"] for event in service.lambdas.executed] == ["calculate"]


def test_one_failure_of_the_provider_is_tried_again() -> None:
    service, hooks = chat([UNAVAILABLE, text_completion("6.75")])

    assert service.direct(EVENT) == {"status": "succeeded"}
    assert hooks.results == [result("Succeeded")]


def test_an_error_of_the_configuration_stops_the_deployment() -> None:
    refused = ModelError("no such key", type="authentication", provider="openai")
    service, hooks = chat([refused, refused])

    assert service.direct(EVENT) == {"status": "failed"}
    assert hooks.results == [result("Failed")]


def test_failing_tool_calls_stop_the_deployment() -> None:
    script = [call_completion(("calculate", {"expression": "1 +"})), text_completion("I cannot calculate")]
    service, hooks = chat([*script, *script])

    assert service.direct(EVENT) == {"status": "failed"}
    assert hooks.results == [result("Failed")]


def test_an_unexpected_error_stops_the_deployment_instead_of_leaving_it_waiting() -> None:
    def broken(*_: object) -> Any:
        raise KeyError("x")

    service, hooks = chat([broken, broken])

    assert service.direct(EVENT) == {"status": "failed"}
    assert hooks.results == [result("Failed")]


def test_a_refused_result_fails_the_invocation() -> None:
    service, _ = chat([text_completion("6.75")], CodeDeploy(refuses=True))

    with pytest.raises(UnavailableError, match="DeploymentIsNotInReadyStateException"):
        service.direct(EVENT)
