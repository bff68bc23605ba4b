from collections.abc import Iterator
from pathlib import Path

import pytest
from moto import mock_aws

from flexchat.aws.clients import s3
from tests.functional.collections.harness import BUCKET, Api, open_api


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    s3.cache_clear()
    with mock_aws():
        s3().create_bucket(Bucket=BUCKET)
        yield BUCKET
    s3.cache_clear()


@pytest.fixture
def api(bucket: str, tmp_path: Path) -> Api:
    return open_api(tmp_path / "cache")
