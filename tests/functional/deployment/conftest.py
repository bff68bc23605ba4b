"""Checkout for deployments, with AWS emulated in this process."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from flexchat.aws.clients import dynamodb
from tests.aws import emulated_aws
from tests.functional.deployment.sandbox import SAMCONFIG, DeploymentSandbox, write_configuration


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DeploymentSandbox]:
    with emulated_aws(monkeypatch):
        for name in ("AWS_REGION", "AWS_PROFILE"):
            monkeypatch.setenv(name, "us-east-1")  # restores the variables that a deployment sets
            monkeypatch.delenv(name)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-for-tests")
        dynamodb.cache_clear()
        for file in ("layers/common/src/requirements.txt", "functions/chat/requirements.txt"):
            (tmp_path / file).parent.mkdir(parents=True)
            (tmp_path / file).touch()
        (tmp_path / "samconfig.toml").write_text(SAMCONFIG)
        (tmp_path / "template.yaml").write_text(
            "BucketName: !Sub flexchat-${Stage}-collections-${AWS::AccountId}-${AWS::Region}\n"
        )
        write_configuration(tmp_path)
        yield DeploymentSandbox(tmp_path)
        dynamodb.cache_clear()
