"""Emulated AWS with one deployed stage, and a configuration file."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.deployment.account import client
from flexchat.aws import clients
from flexchat.aws.audit_log import audit_table
from flexchat.aws.parameters import ParameterStore, operator_store
from tests.aws import REGION, aws_client, create_audit_table, emulated_aws
from tests.functional.config.commands import STAGE, TEMPLATE, write
from tests.unit.config.sources import source

BUCKET = f"flexchat-{STAGE}-123456789012-{REGION}"
"""The bucket of the stage in moto's account."""


@pytest.fixture(autouse=True)
def ssm(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("FLEXCHAT_STAGE", raising=False)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))  # there, `flexchat` is found by its name
    with emulated_aws(monkeypatch):
        client("cloudformation").create_stack(StackName="flexchat-dev", TemplateBody=TEMPLATE)
        client("s3").create_bucket(Bucket=BUCKET)
        clients.dynamodb.cache_clear()
        create_audit_table(aws_client("dynamodb"), audit_table(STAGE))
        yield
    clients.dynamodb.cache_clear()


@pytest.fixture
def store() -> ParameterStore:
    return operator_store()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "flexchat.json"
    write(path, source())
    return path
