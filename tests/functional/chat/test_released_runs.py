"""Background runs during a release and after a rollback: events and workers of two versions of the chat function."""

from collections.abc import Sequence
from typing import Any

from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.messages import Completion, Message
from functions.chat.providers.base import ChatOptions
from tests.functional.chat.background import BackgroundChat, deploy_with_background
from tests.functional.chat.harness import LambdaContext, configuration
from tests.functional.chat.scripted_provider import Step, text_completion

LATER = {"Prefer": "respond-async"}
HELLO = {"message": "Hello"}


def version(dynamodb: DynamoDBClient, *script: Step) -> BackgroundChat:
    """Return one version of the chat function, which shares its tables with the others."""
    return deploy_with_background(script, configuration(), dynamodb)


def test_a_run_ends_in_the_version_that_began_it(dynamodb: DynamoDBClient) -> None:
    """The alias moves while the earlier version executes the run; Lambda delivers the event to the new one too."""
    new = version(dynamodb)
    delivered: list[Any] = []

    def move_the_alias(messages: Sequence[Message], options: ChatOptions) -> Completion:
        _, event = old.background.queued[-1]
        delivered.append(new.function.handle(event, LambdaContext(remaining_ms=900_000)))
        delivered.append(new.get(f"/api/runs/{run}").body["status"])
        return text_completion("from the earlier version")

    old = version(dynamodb, move_the_alias)
    run = old.post(HELLO, headers=LATER).body["id"]

    old.deliver()

    assert delivered == [{"run": run, "status": "running"}, "running"]
    assert new.model.seen == []
    assert new.get(f"/api/runs/{run}").body["answer"]["content"] == "from the earlier version"


def test_a_run_that_was_queued_before_the_release_is_executed_by_the_new_version(dynamodb: DynamoDBClient) -> None:
    old, new = version(dynamodb), version(dynamodb, text_completion("from the new version"))
    run = old.post(HELLO, headers=LATER).body["id"]
    _, event = old.background.queued[-1]

    new.function.handle(event, LambdaContext(remaining_ms=900_000))

    assert old.get(f"/api/runs/{run}").body["answer"]["content"] == "from the new version"


def test_a_run_that_a_later_version_queued_is_executed_after_the_rollback(dynamodb: DynamoDBClient) -> None:
    old = version(dynamodb, text_completion("after the rollback"))
    run = old.post(HELLO, headers=LATER).body["id"]
    _, event = old.background.queued[-1]
    event["run"]["key_of_a_later_version"] = {"a": 1}

    old.deliver()

    assert old.get(f"/api/runs/{run}").body["answer"]["content"] == "after the rollback"


def test_a_later_version_cancels_a_run_of_an_earlier_one(dynamodb: DynamoDBClient) -> None:
    new = version(dynamodb)

    def cancel(messages: Sequence[Message], options: ChatOptions) -> Completion:
        assert new.delete(f"/api/runs/{run}").status == 200
        return text_completion("too late")

    old = version(dynamodb, cancel)
    run = old.post(HELLO, headers=LATER).body["id"]

    assert old.deliver() == {"run": run, "status": "cancelled"}
