"""Lookup of a stage's bucket by a command, and the errors when the bucket is not accessible."""

from collections.abc import Iterator
from typing import Literal

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError, NoCredentialsError, ProfileNotFound
from moto import mock_aws

from cli.stage_bucket import operator_objects
from flexchat.aws.clients import s3
from flexchat.errors import ConfigError, Problem, UnavailableError
from tests.template.resolver import Resolved
from tests.template.transform import Transformed, transform

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def template() -> Transformed:
    return transform()


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("AWS_DEFAULT_REGION", "AWS_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, "/dev/null")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    s3.cache_clear()
    yield
    s3.cache_clear()


@pytest.mark.parametrize("region", ["eu-central-1", "ap-southeast-2"])
def test_command_finds_the_bucket_of_the_template(
    monkeypatch: pytest.MonkeyPatch, template: Transformed, region: Literal["eu-central-1", "ap-southeast-2"]
) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", region)
    bucket = Resolved(template, {"Stage": "dev"}, region=region).properties("CollectionsBucket")["BucketName"]
    with mock_aws():
        s3().create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": region})
        s3().put_object(Bucket=bucket, Key="collections/handbook", Body=b"{}")
        assert [found.key for found in operator_objects("dev").list("")] == ["collections/handbook"]


def test_missing_region_is_an_operator_error() -> None:
    with pytest.raises(ConfigError) as raised:
        operator_objects("dev")
    assert raised.value.problems == (
        Problem(
            "flexchat-dev-<account>-<region>",
            "no AWS region is set; set AWS_DEFAULT_REGION or choose a profile with one",
        ),
    )


@pytest.mark.parametrize(
    ("fault", "error", "message"),
    [
        (
            NoCredentialsError(),
            ConfigError,
            "no AWS credentials were found; set AWS_PROFILE, or run `aws configure`",
        ),
        (
            ProfileNotFound(profile="x"),
            ConfigError,
            "the profile of AWS_PROFILE was not found; `aws configure list-profiles` lists them",
        ),
        (
            ClientError({"Error": {"Code": "ExpiredToken"}}, "GetCallerIdentity"),
            ConfigError,
            "AWS refuses these credentials (ExpiredToken); set AWS_PROFILE, or run `aws sso login`",
        ),
        (
            EndpointConnectionError(endpoint_url="https://sts.invalid"),
            UnavailableError,
            "could not read the account of 'flexchat-dev-<account>-<region>' from AWS (EndpointConnectionError)",
        ),
    ],
)
def test_account_error_of_aws_is_translated(
    monkeypatch: pytest.MonkeyPatch, fault: Exception, error: type[Exception], message: str
) -> None:
    def fail(*_arguments: object, **_named: object) -> None:
        raise fault

    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setattr("botocore.client.BaseClient._make_api_call", fail)
    with pytest.raises(error) as raised:
        operator_objects("dev")
    assert str(raised.value).endswith(message)
