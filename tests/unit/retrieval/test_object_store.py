"""Objects in a bucket with conditional requests."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import pytest
from boto3.session import Session
from botocore.exceptions import EndpointConnectionError
from botocore.stub import Stubber
from mypy_boto3_s3 import S3Client

from flexchat.aws.objects import ObjectStore, ObjectSummary, StoredObject
from flexchat.errors import ConfigError, RetrievalError, UnavailableError
from tests.aws import aws_client, emulated_aws

BUCKET = "flexchat-test-collections"


def s3() -> S3Client:
    return cast("S3Client", cast("Any", Session()).client("s3", region_name="us-east-1"))


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Client]:
    with emulated_aws(monkeypatch):
        client = aws_client("s3")
        client.create_bucket(Bucket=BUCKET)
        yield client


@pytest.fixture
def objects(client: S3Client) -> ObjectStore:
    return ObjectStore(client, BUCKET)


def test_an_object_is_read_with_its_etag(objects: ObjectStore) -> None:
    etag = objects.put("a", b"one")

    assert objects.get("a") == StoredObject(b"one", etag)
    assert objects.etag("a") == etag


def test_an_object_with_the_given_etag_is_not_downloaded(objects: ObjectStore, tmp_path: Path) -> None:
    etag = objects.put("a", BytesIO(b"one"))
    first, second, third = (tmp_path / name for name in "123")

    fetched = objects.download("a", first), objects.download("a", second, unless_etag=etag)
    changed = objects.put("a", b"two")

    assert fetched == (etag, None)
    assert first.read_bytes() == b"one"
    assert not second.exists()
    assert objects.download("a", third, unless_etag=etag) == changed
    assert third.read_bytes() == b"two"


def test_a_missing_object_is_reported(objects: ObjectStore, tmp_path: Path) -> None:
    assert objects.etag("a") is None
    for use in (lambda: objects.get("a"), lambda: objects.download("a", tmp_path / "a")):
        with pytest.raises(RetrievalError, match="object 'a' not found") as raised:
            use()
        assert raised.value.code == "not_found"
    objects.delete("a")


def test_an_object_is_replaced_only_with_the_expected_etag(objects: ObjectStore) -> None:
    first = objects.put("a", b"one", if_absent=True)
    second = objects.put("a", b"two", if_match=first)

    for use in (
        lambda: objects.put("a", b"three", if_match=first),
        lambda: objects.put("a", b"three", if_absent=True),
        lambda: objects.put("gone", b"three", if_match=second),
    ):
        with pytest.raises(RetrievalError, match="another writer changed") as raised:
            use()
        assert raised.value.code == "conflict"
    assert objects.get("a") == StoredObject(b"two", second)
    assert objects.etag("gone") is None


def test_a_conflict_during_a_write_is_reported_as_a_conflict(client: S3Client, objects: ObjectStore) -> None:
    with Stubber(client) as stubber:
        stubber.add_client_error("put_object", "ConditionalRequestConflict", http_status_code=409)
        with pytest.raises(RetrievalError) as raised:
            objects.put("a", b"one", if_absent=True)

    assert raised.value.code == "conflict"


def test_objects_are_listed_by_key_prefix(objects: ObjectStore) -> None:
    etags = {key: objects.put(key, b"12") for key in ("b/2", "a/1", "b/1")}

    assert objects.list("b/") == tuple(ObjectSummary(key, etags[key], 2) for key in ("b/1", "b/2"))
    assert objects.list("c/") == ()


def test_a_deleted_object_does_not_exist(objects: ObjectStore) -> None:
    objects.put("a", b"one")

    objects.delete("a")

    assert objects.list("") == ()


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
        ("NoSuchBucket", ConfigError, "deploy the stage first"),
        ("AccessDenied", ConfigError, "cannot read it: these credentials lack s3:GetObject, or s3:ListBucket if the"),
        ("SlowDown", UnavailableError, f"cannot read s3://{BUCKET}/a: SlowDown"),
        ("InternalError", UnavailableError, "InternalError"),
    ],
)
def test_an_s3_error_is_unavailable_or_a_configuration_error(
    client: S3Client, objects: ObjectStore, code: str, error: type[Exception], message: str
) -> None:
    with Stubber(client) as stubber:
        stubber.add_client_error("get_object", code)
        with pytest.raises(error, match=message):
            objects.get("a")


def test_an_unreachable_bucket_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    client = s3()

    def unreachable(**_: object) -> None:
        raise EndpointConnectionError(endpoint_url="http://127.0.0.1:9")

    client.meta.events.register("before-send.s3", unreachable)

    with pytest.raises(UnavailableError, match="EndpointConnectionError"):
        ObjectStore(client, BUCKET).get("a")


def test_missing_credentials_are_a_configuration_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_CONTAINER_CREDENTIALS_FULL_URI"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    client = s3()

    with pytest.raises(ConfigError, match="cannot read it: no AWS credentials were found"):
        ObjectStore(client, BUCKET).get("a")
