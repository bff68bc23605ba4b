"""`make deploy` of a second stage to the emulator of the local stack: first and repeated deployment."""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest

from cli.deployment.environment_file import environment_file
from cli.layout import Layout
from cli.local_stack import StackState, aws_environment
from dev.local_stack.environment import recorded
from flexchat.tool_types import TOOL_TYPES
from tests.e2e.conftest import AwsClients

STAGE = "second"
UNPROTECTED = "ARGS=--parameter ProtectData=false"
SECONDS = 900


@pytest.fixture(scope="module")
def variables(stack: StackState, layout: Layout) -> dict[str, str]:
    return variables_of(STAGE, stack, layout)


def variables_of(stage: str, stack: StackState, layout: Layout) -> dict[str, str]:
    """Return the environment of an operator of the emulated account, with the API key of the model.

    It has no variables of the `make` that runs the tests, `ARGS` among them.
    """
    own = {name: value for name, value in os.environ.items() if not name.startswith(("ARGS", "AWS_", "MAKE", "SAM_"))}
    path = f"{layout.venv_bin}{os.pathsep}{own.get('PATH', os.defpath)}"
    calls = recorded(layout, principal=f"deployer+operator@{stage}")
    keys = {"PATH": path, "OPENAI_API_KEY": "demo-model-key"}
    return own | aws_environment(stack.endpoint, stack.access_key_id) | calls | keys


@pytest.fixture(scope="module")
def config(stack: StackState, layout: Layout, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Project configuration with the demo model as its provider."""
    if stack.demo_model is None:
        pytest.skip("the local stack has no demo model: a real one is configured")
    document: dict[str, Any] = json.loads((layout.root / "config" / "flexchat.json").read_text())
    document["llms"]["openai"]["base_url"] = f"{stack.demo_model}/v1"
    path = tmp_path_factory.mktemp("deployment") / "flexchat.json"
    path.write_text(json.dumps(document))
    return path


def run(layout: Layout, variables: Mapping[str, str], *words: str) -> str:
    done = subprocess.run(  # noqa: S603
        words, env=dict(variables), cwd=layout.root, capture_output=True, text=True, check=False, timeout=SECONDS
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def deployed(layout: Layout, variables: dict[str, str], config: Path, aws: AwsClients) -> Iterator[str]:
    """Output of `make deploy`; the stage is deleted afterwards."""
    yield run(layout, variables, "make", "deploy", f"STAGE={STAGE}", f"CONFIG={config}", UNPROTECTED)
    sam = str(layout.tools / "sam" / "bin" / "sam")
    run(layout, variables, sam, "delete", "--no-prompts", "--stack-name", f"flexchat-{STAGE}", "--region", "us-east-1")
    file = environment_file(layout.root, STAGE)
    bucket = json.loads(file.read_text())["RetrievalFunction"]["FLEXCHAT_COLLECTIONS_BUCKET"]
    s3 = aws.client("s3")
    if bucket in {each["Name"] for each in s3.list_buckets()["Buckets"]}:
        delete_bucket(aws, bucket)  # not deleted with the stack
    file.unlink()


def delete_bucket(aws: AwsClients, bucket: str) -> None:
    """Delete a bucket with its objects, of which the packed configuration is one, and their versions."""
    s3 = aws.client("s3")
    for listed in s3.get_paginator("list_object_versions").paginate(Bucket=bucket):
        for each in [*listed.get("Versions", ()), *listed.get("DeleteMarkers", ())]:
            s3.delete_object(Bucket=bucket, Key=each["Key"], VersionId=each["VersionId"])
    for each in s3.list_objects_v2(Bucket=bucket).get("Contents", ()):
        s3.delete_object(Bucket=bucket, Key=each["Key"])
    s3.delete_bucket(Bucket=bucket)


def line(printed: str, name: str) -> str:
    """Return the value of the line that begins with a name."""
    (found,) = (line for line in printed.splitlines() if line.startswith(f"{name} "))
    return found.removeprefix(name).strip()


def token_names(aws: AwsClients) -> list[str]:
    items: list[dict[str, Any]] = aws.client("dynamodb").scan(TableName=f"flexchat-{STAGE}-tokens")["Items"]
    return [item["name"]["S"] for item in items]


def test_new_stage_answers_with_tool_calls_and_accepts_the_printed_token(deployed: str) -> None:
    assert "✓ calculate" in deployed
    assert f"'{STAGE}' is deployed and answers" in deployed
    headers = {"Authorization": f"Bearer {line(deployed, 'token')}"}
    with httpx2.Client(base_url=line(deployed, "url"), headers=headers, timeout=60, trust_env=False) as api:
        answer = api.post("/api/chat", json={"message": "What is 30% of 150?"}).json()
    assert "45" in answer["content"]


def test_every_resource_of_the_environment_file_exists(deployed: str, layout: Layout, aws: AwsClients) -> None:
    assert deployed
    written: dict[str, dict[str, str]] = json.loads(environment_file(layout.root, STAGE).read_text())
    chat, validation = written["ChatFunction"], written["ValidationFunction"]
    dynamodb, lambdas = aws.client("dynamodb"), aws.lambdas()

    tables = [written["AuthorizerFunction"]["FLEXCHAT_TOKENS_TABLE"]]
    tables += [value for name, value in {**chat, **validation}.items() if name.endswith("_TABLE")]
    for table in tables:
        dynamodb.describe_table(TableName=table)
    for function in (*(row.function_name(STAGE) for row in TOOL_TYPES.values()), validation["FLEXCHAT_CHAT_FUNCTION"]):
        lambdas.get_function(FunctionName=function)
    aws.client("secretsmanager").describe_secret(SecretId=chat["FLEXCHAT_SIGNING_SECRET"])
    aws.client("sqs").get_queue_attributes(QueueUrl=validation["FLEXCHAT_VALIDATION_QUEUE"])
    aws.client("s3").head_bucket(Bucket=written["RetrievalFunction"]["FLEXCHAT_COLLECTIONS_BUCKET"])


def test_second_deployment_changes_nothing_and_creates_no_token(
    deployed: str, layout: Layout, variables: dict[str, str], config: Path, aws: AwsClients
) -> None:
    again = run(layout, variables, "make", "deploy", f"STAGE={STAGE}", f"CONFIG={config}", UNPROTECTED)

    assert "0 created, 0 updated, 0 deleted" in again
    assert line(again, "url") == line(deployed, "url")
    assert "the one named 'me', which exists" in line(again, "token")
    assert "✓ calculate" in again
    assert token_names(aws) == ["me"]
