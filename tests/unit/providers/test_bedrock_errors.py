"""Errors and retries of the Bedrock adapter."""

import pytest
from botocore.exceptions import BotoCoreError, NoCredentialsError

from flexchat.config.models.llms import LlmConfig
from flexchat.errors import ConfigError, Problem
from functions.chat.providers.bedrock.adapter import BedrockProvider
from functions.chat.providers.bedrock.aws.converse import BedrockRuntime, ConverseError, bedrock_runtime
from tests.contract.bedrock_wire import REGION, bedrock_client
from tests.contract.wire_script import Playback, WireAnswer
from tests.unit.providers.bedrock_service import Service, failure, provider_of, refused, send_chat, turn


@pytest.mark.parametrize(
    ("error", "attempts"),
    [
        (ConverseError("ThrottlingException", "slow down", status=429), 3),
        (ConverseError("ServiceQuotaExceededException", "spent", status=400), 1),
        (ConverseError("ModelNotReadyException", "soon", status=429), 3),
        (ConverseError("ServiceUnavailableException", "busy", status=503), 3),
        (ConverseError("InternalServerException", "oops", status=500), 3),
        (ConverseError("ModelTimeoutException", "too long", status=408), 1),
        (ConverseError("SomethingNew", "busy", status=503), 3),
        (ConverseError("SomethingNew", "bad", status=400), 1),
        (ConverseError("EndpointConnectionError"), 3),
        (ConverseError("ConnectionClosedError"), 3),
        (ConverseError("ReadTimeoutError"), 1),
        (ConverseError("NoCredentialsError"), 1),
        (refused("bad"), 1),
    ],
)
def test_only_transient_errors_are_retried(error: ConverseError, attempts: int) -> None:
    service = Service(error)

    failure(provider_of(service, max_retries=2))

    assert len(service.requests) == attempts


@pytest.mark.parametrize(("delay", "wait"), [("2", 2.0), (None, 0.5)])
def test_the_retry_delay_is_from_the_service_or_the_default(delay: str | None, wait: float) -> None:
    sleeps: list[float] = []
    busy = ConverseError("ThrottlingException", "slow down", status=429, retry_after=delay)

    send_chat(provider_of(Service(busy, turn({"text": "Hi"})), max_retries=1, sleeps=sleeps))

    assert sleeps == [wait]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ConverseError("SSLError"), ("network", "no connection could be made to the provider")),
        (ConverseError("HTTPClientError"), ("network", "the connection broke before the answer was complete")),
        (
            ConverseError("CredentialRetrievalError"),
            ("authentication", "no AWS credentials were found that could be used"),
        ),
        (
            ConverseError("ParamValidationError"),
            ("invalid_request", "the model must be named by its Bedrock id or ARN"),
        ),
        (ConverseError("SomethingNew", status=418), ("invalid_request", "the provider answered with status 418")),
    ],
)
def test_each_failure_has_an_error_type_and_no_host_name(error: ConverseError, expected: tuple[str, str]) -> None:
    assert failure(provider_of(Service(error))) == expected


def test_a_body_shorter_than_its_content_length_is_a_network_error() -> None:
    body = turn({"text": "Hello."}).decode()
    announced = {"content-length": str(len(body))}
    cut = Playback([WireAnswer(text=body, headers=announced, fault="cut")])
    whole = Playback([WireAnswer(text=body, headers=announced)])

    with pytest.raises(ConverseError) as caught:
        bedrock_client(cut, key="k").converse("m", b"{}", seconds=1)

    assert (caught.value.code, str(caught.value)) == ("ConnectionClosedError", "ConnectionClosedError")
    assert bedrock_client(whole, key="k").converse("m", b"{}", seconds=1) == body.encode()


def test_a_content_length_of_thousands_of_digits_is_a_network_error() -> None:
    text = turn({"text": "Hello."}).decode()
    endless = Playback([WireAnswer(text=text, headers={"content-length": "9" * 5_000})])

    with pytest.raises(ConverseError, match="ConnectionClosedError"):
        bedrock_client(endless, key="k").converse("m", b"{}", seconds=1)


def test_an_error_without_a_code_is_reported_completely() -> None:
    playback = Playback([WireAnswer(status=400, headers={}, body={"code": "ValidationException", "Message": "bad"})])

    with pytest.raises(ConverseError) as caught:
        bedrock_client(playback, key="k").converse("m", b"{}", seconds=1)

    assert (str(caught.value), caught.value.status) == ("ValidationException: bad", 400)


def test_a_client_without_credentials_is_a_configuration_error(monkeypatch: pytest.MonkeyPatch) -> None:
    _forget_aws(monkeypatch)

    with pytest.raises(ConverseError) as caught:
        _runtime(region=REGION).converse("m", b"{}", seconds=1)

    assert caught.value.code == NoCredentialsError.__name__


def test_a_region_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    _forget_aws(monkeypatch)

    with pytest.raises(ConfigError) as caught:
        BedrockProvider("cloud", LlmConfig(type="bedrock"))

    assert caught.value.problems == (Problem("llms.cloud.region", "is required: the environment names no AWS region"),)


def test_options_rejected_by_botocore_are_a_configuration_error(monkeypatch: pytest.MonkeyPatch) -> None:
    _forget_aws(monkeypatch)
    monkeypatch.setenv("AWS_PROFILE", "missing")

    with pytest.raises(ConfigError) as caught:
        _runtime(region=REGION)

    assert caught.value.problems == (Problem("llms.main", "cannot be used (ProfileNotFound)"),)
    assert isinstance(caught.value.__cause__, BotoCoreError)


def _runtime(*, region: str | None) -> BedrockRuntime:
    return bedrock_runtime("llms.main", region=region, endpoint_url=None, timeout_seconds=1, headers={})


def _forget_aws(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere/config")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere/credentials")
