"""Releases of a stage on the emulator: two deployments, and the rollback of all aliases."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.deployment.environment_file import environment_file
from cli.layout import Layout
from cli.local_stack import StackState
from tests.e2e.conftest import AwsClients
from tests.e2e.test_deployment import config, delete_bucket, run, variables_of

__all__ = ["config"]  # a fixture

STAGE = "released"
CHAT = f"flexchat-{STAGE}-chat"
FUNCTIONS = (CHAT, f"flexchat-{STAGE}-chat-stream", f"flexchat-{STAGE}-tool-builtin")


@pytest.fixture(scope="module")
def variables(stack: StackState, layout: Layout) -> dict[str, str]:
    """Environment of an operator who deploys this stage."""
    return variables_of(STAGE, stack, layout)


def live(aws: AwsClients) -> dict[str, str]:
    """Return the version of each alias."""
    lambdas = aws.lambdas()
    return {name: lambdas.get_alias(FunctionName=name, Name="live")["FunctionVersion"] for name in FUNCTIONS}


def recorded(output: str) -> int:
    """Return the number of the recorded release; an earlier stage of this name may have had some."""
    found = re.search(rf"release (\d+) of '{STAGE}' is recorded", output)
    assert found, output
    return int(found[1])


@pytest.fixture(scope="module")
def deploy(layout: Layout, variables: dict[str, str], config: Path, aws: AwsClients) -> Iterator[list[str]]:
    """Command that deploys the stage; the stage is deleted afterwards."""
    command = ["make", "deploy", f"STAGE={STAGE}", f"CONFIG={config}"]
    yield command
    run(layout, variables, *command, "ARGS=--parameter ProtectData=false")
    sam = str(layout.tools / "sam" / "bin" / "sam")
    run(layout, variables, sam, "delete", "--no-prompts", "--stack-name", f"flexchat-{STAGE}", "--region", "us-east-1")
    file = environment_file(layout.root, STAGE)
    bucket = json.loads(file.read_text())["RetrievalFunction"]["FLEXCHAT_COLLECTIONS_BUCKET"]
    s3 = aws.client("s3")
    if bucket in {each["Name"] for each in s3.list_buckets()["Buckets"]}:
        delete_bucket(aws, bucket)
    file.unlink()


def test_a_rollback_returns_every_function_to_the_previous_release(
    deploy: list[str],
    layout: Layout,
    variables: dict[str, str],
    aws: AwsClients,
) -> None:
    first = run(layout, variables, *deploy)
    before = live(aws)
    second = run(layout, variables, *deploy, "ARGS=--parameter LogLevel=WARNING")
    after = live(aws)
    rolled_back = run(layout, variables, *deploy, "ARGS=--rollback")

    number = recorded(first)
    assert recorded(second) == number + 1
    assert not before.items() & after.items()
    assert live(aws) == before
    assert f"release {number} of '{STAGE}', deployed at " in rolled_back
    assert "✓ calculate" in rolled_back

    corrected = run(layout, variables, *deploy, "ARGS=--parameter LogLevel=WARNING")
    assert "the stage was rolled back, so this deployment moves all traffic at once" in corrected
    assert live(aws) == after
