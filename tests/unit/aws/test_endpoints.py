"""Choice between a client that signs its own requests and botocore's, by the environment."""

from collections.abc import Callable, Iterator
from unittest.mock import Mock

import pytest
from botocore.credentials import Credentials as BotocoreCredentials
from botocore.exceptions import NoCredentialsError
from botocore.session import Session

from flexchat.aws import clients
from flexchat.aws.environment import credentials_source, endpoint_of_function, trace_header
from flexchat.aws.json_client import InvocationClient, JsonClient
from flexchat.aws.signatures import Credentials

FUNCTION = {"AWS_LAMBDA_FUNCTION_NAME": "chat", "AWS_REGION": "eu-central-1"}


@pytest.mark.parametrize(
    ("variables", "service", "url"),
    [
        ({}, "ssm", "https://ssm.eu-central-1.amazonaws.com"),
        ({"AWS_REGION": "us-gov-west-1"}, "lambda", "https://lambda.us-gov-west-1.amazonaws.com"),
        ({"AWS_REGION": "cn-north-1"}, "dynamodb", "https://dynamodb.cn-north-1.amazonaws.com.cn"),
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:4566"}, "ssm", "http://127.0.0.1:4566"),
        ({"AWS_ENDPOINT_URL": "http://10.0.0.8:4566/"}, "ssm", "http://10.0.0.8:4566"),
        (
            {"AWS_ENDPOINT_URL_SSM": "https://vpce-1.ssm.vpce.amazonaws.com", "AWS_ENDPOINT_URL": "http://127.0.0.1:1"},
            "ssm",
            "https://vpce-1.ssm.vpce.amazonaws.com",
        ),
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:4566", "AWS_CA_BUNDLE": "/b.pem"}, "ssm", "http://127.0.0.1:4566"),
    ],
)
def test_a_function_signs_requests_to_the_endpoint_of_its_region(
    variables: dict[str, str], service: str, url: str
) -> None:
    environment = {**FUNCTION, **variables}
    found = endpoint_of_function(service, environment)

    assert found is not None
    assert f"{found.address.scheme}://{found.address.netloc}" == url
    assert found.region == environment["AWS_REGION"]


@pytest.mark.parametrize(
    "variables",
    [
        {"AWS_REGION": ""},
        {"AWS_REGION": "us-iso-east-1"},
        {"AWS_REGION": "eusc-de-east-1"},
        {"AWS_REGION": "evil.example/"},
        {"AWS_USE_FIPS_ENDPOINT": "true"},
        {"AWS_USE_DUALSTACK_ENDPOINT": "true"},
        {"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true"},
        {"AWS_CA_BUNDLE": "/bundle.pem"},
        {"HTTPS_PROXY": "http://proxy:3128"},
        {"AWS_ENDPOINT_URL": "http://127.0.0.1:4566/a/path"},
        {"AWS_ENDPOINT_URL": "http://user@127.0.0.1"},
    ],
)
def test_other_settings_and_partitions_are_left_to_botocore(variables: dict[str, str]) -> None:
    assert endpoint_of_function("ssm", {**FUNCTION, **variables}) is None


def test_outside_of_a_function_botocore_reads_profiles_and_files() -> None:
    assert endpoint_of_function("ssm", {"AWS_REGION": "eu-central-1"}) is None


type BeFunction = Callable[..., None]


@pytest.fixture
def be_function(monkeypatch: pytest.MonkeyPatch) -> Iterator[BeFunction]:
    """Return the setter of a function's environment."""
    for name in ("AWS_PROFILE", "AWS_ENDPOINT_URL", "AWS_CA_BUNDLE", "AWS_SESSION_TOKEN", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)

    def be_function(**variables: str) -> None:
        keys = {"AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "secret"}
        for name, value in {**FUNCTION, "AWS_DEFAULT_REGION": "eu-central-1", **keys, **variables}.items():
            monkeypatch.setenv(name, value)

    credentials_source.cache_clear()
    yield be_function
    credentials_source.cache_clear()


def test_a_function_has_clients_that_sign_their_own_requests(be_function: BeFunction) -> None:
    be_function(AWS_SESSION_TOKEN="token")

    assert isinstance(clients.ssm.__wrapped__(), JsonClient)
    assert isinstance(clients.dynamodb.__wrapped__(), JsonClient)
    assert isinstance(clients.secretsmanager.__wrapped__(), JsonClient)
    assert isinstance(clients.lambdas.__wrapped__(), InvocationClient)
    assert credentials_source()() == Credentials("AKID", "secret", "token")


def test_a_proxy_has_the_clients_of_botocore(be_function: BeFunction) -> None:
    be_function(HTTPS_PROXY="http://p:1")

    assert type(clients.ssm.__wrapped__()).__module__ == "botocore.client"
    assert type(clients.lambdas.__wrapped__()).__module__ == "botocore.client"


def test_an_unknown_operation_is_refused_by_name(be_function: BeFunction) -> None:
    be_function()

    with pytest.raises(AttributeError, match="'delete_table' is not an operation of dynamodb that this client has"):
        clients.dynamodb.__wrapped__().delete_table(TableName="t")


def test_the_trace_of_a_request_is_a_safe_header() -> None:
    trace = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1;Lineage=a87bd80c:1"

    assert trace_header({"_X_AMZN_TRACE_ID": trace}) == trace
    assert trace_header({"_X_AMZN_TRACE_ID": "a\r\nb"}) == "a%0D%0Ab"
    assert trace_header({}) is None


def test_keys_that_are_not_in_the_environment_come_from_botocore_and_are_renewed(
    be_function: BeFunction, monkeypatch: pytest.MonkeyPatch
) -> None:
    be_function()
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    stored = BotocoreCredentials("first", "secret", "token")
    monkeypatch.setattr(Session, "get_credentials", Mock(return_value=stored))
    current = credentials_source()

    assert current() == Credentials("first", "secret", "token")
    stored.access_key = "second"
    assert current() == Credentials("second", "secret", "token")


def test_missing_keys_are_the_error_of_botocore(be_function: BeFunction, monkeypatch: pytest.MonkeyPatch) -> None:
    be_function()
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setattr(Session, "get_credentials", Mock(return_value=None))

    with pytest.raises(NoCredentialsError):
        credentials_source()
