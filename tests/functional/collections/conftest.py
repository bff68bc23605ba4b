"""Buckets of collections, and the API over one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from functions.retrieval.collections import Collections
from tests.aws import aws_client, emulated_aws
from tests.functional.collections.harness import BUCKET, Api, Embedders, open_api, service


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with emulated_aws(monkeypatch):
        aws_client("s3").create_bucket(Bucket=BUCKET)
        yield BUCKET


@pytest.fixture
def api(bucket: str, tmp_path: Path) -> Api:
    return open_api(tmp_path / "cache")


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("FLEXCHAT_STAGE", "dev")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    with emulated_aws(monkeypatch):
        aws_client("s3").create_bucket(Bucket="flexchat-dev-123456789012-us-east-1")
        yield


@pytest.fixture
def embedders() -> Embedders:
    return Embedders()


@pytest.fixture
def collections(bucket: str, tmp_path: Path, embedders: Embedders) -> Collections:
    return service(tmp_path / "cache", embedders)
