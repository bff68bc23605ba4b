"""The signing key: cached after one read, bounded by the deadline, and rejected when invalid."""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError, NoCredentialsError, NoRegionError
from mypy_boto3_secretsmanager import SecretsManagerClient

from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, UnavailableError
from functions.chat.aws.signing_key import SigningKey
from tests.aws import aws_client, emulated_aws

KEY = "k" * 32


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> Iterator[SecretsManagerClient]:
    with emulated_aws(monkeypatch):
        yield aws_client("secretsmanager")


@dataclass
class Secrets:
    """Secrets Manager with scripted responses and errors."""

    script: list[Mapping[str, Any] | Exception]
    reads: list[str] = field(default_factory=list[str])

    def get_secret_value(self, *, SecretId: str) -> Mapping[str, Any]:  # noqa: N803 (botocore's own name)
        self.reads.append(SecretId)
        step = self.script.pop(0)
        if isinstance(step, Exception):
            raise step
        return step


def refused(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "account 123"}}, "GetSecretValue")


def key_of(*script: Mapping[str, Any] | Exception) -> tuple[SigningKey, Secrets]:
    secrets = Secrets(list(script))
    return SigningKey(cast("SecretsManagerClient", secrets), "arn:signing"), secrets


def test_the_key_is_the_secret_of_the_arn(secrets: SecretsManagerClient) -> None:
    arn = secrets.create_secret(Name="flexchat-test-signing", SecretString=KEY)["ARN"]

    assert SigningKey(secrets, arn).read(Deadline.after(30)) == KEY.encode()


def test_a_binary_secret_is_a_key_too() -> None:
    key, _ = key_of({"SecretBinary": b"\x00" * 32})

    assert key.read(Deadline.after(30)) == b"\x00" * 32


def test_the_key_is_read_on_first_use_and_cached() -> None:
    key, secrets = key_of({"SecretString": KEY})
    assert secrets.reads == []

    assert [key.read(Deadline.after(30)), key.read(Deadline.after(0))] == [KEY.encode()] * 2
    assert secrets.reads == ["arn:signing"]


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        (refused("ThrottlingException"), "Secrets Manager answered ThrottlingException"),
        (EndpointConnectionError(endpoint_url="https://host"), "did not answer .EndpointConnectionError"),
    ],
    ids=["throttled", "unreachable"],
)
def test_a_failed_read_is_repeated_by_the_next_call(failure: Exception, message: str) -> None:
    key, secrets = key_of(failure, {"SecretString": KEY})

    with pytest.raises(UnavailableError, match=message):
        key.read(Deadline.after(30))

    assert key.read(Deadline.after(30)) == KEY.encode()
    assert len(secrets.reads) == 2


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (refused("AccessDeniedException"), "these credentials have no permission to read it"),
        (refused("ResourceNotFoundException"), "deploy the stage first"),
        (NoCredentialsError(), "NoCredentialsError"),
        (NoRegionError(), "NoRegionError"),
        ({"SecretString": "short"}, "at least 32 bytes, not 5"),
        ({"SecretBinary": b""}, "at least 32 bytes, not 0"),
    ],
    ids=["denied", "missing", "no credentials", "no region", "short", "empty"],
)
def test_a_configuration_error_names_the_secret_without_its_value(
    step: Mapping[str, Any] | Exception, message: str
) -> None:
    key, _ = key_of(step)

    with pytest.raises(ConfigError, match=f"^arn:signing: .*{message}") as caught:
        key.read(Deadline.after(30))

    assert "account 123" not in str(caught.value)


def test_a_read_without_remaining_time_is_not_started() -> None:
    key, secrets = key_of({"SecretString": KEY})

    with pytest.raises(UnavailableError, match="in time"):
        key.read(Deadline.after(0))

    assert secrets.reads == []


def test_a_caller_waits_for_another_read_only_until_its_deadline() -> None:
    reading, go_on = threading.Event(), threading.Event()

    class Hanging(Secrets):
        def get_secret_value(self, *, SecretId: str) -> Mapping[str, Any]:  # noqa: N803 (botocore's own name)
            reading.set()
            assert go_on.wait(timeout=10)
            return super().get_secret_value(SecretId=SecretId)

    secrets = Hanging([{"SecretString": KEY}])
    key = SigningKey(cast("SecretsManagerClient", secrets), "arn:signing")
    found: list[bytes] = []
    others = [threading.Thread(target=lambda: found.append(key.read(Deadline.after(30)))) for _ in range(2)]
    try:
        for other in others:
            other.start()
        assert reading.wait(timeout=10)
        with pytest.raises(UnavailableError, match="in time"):
            key.read(Deadline.after(0))
    finally:
        go_on.set()
        for other in others:
            other.join(timeout=10)

    assert [*found, key.read(Deadline.after(0))] == [KEY.encode()] * 3
    assert secrets.reads == ["arn:signing"]


def test_the_key_is_absent_from_repr_and_str() -> None:
    key, _ = key_of({"SecretString": KEY})
    key.read(Deadline.after(30))

    assert KEY not in f"{key} {key!r}"
