"""Parameter store over SSM: paging, secrets, and translation of errors."""

from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ConnectTimeoutError, NoCredentialsError, ProfileNotFound, UnauthorizedSSOTokenError
from botocore.stub import Stubber
from mypy_boto3_ssm import SSMClient

from cli.configuration import store_secrets
from flexchat.aws.parameters import ParameterStore, operator_store
from flexchat.config.encoding import LastChange
from flexchat.config.parameters import kms_key_name
from flexchat.errors import ConfigError, Problem, UnavailableError
from tests.aws import aws_client, emulated_aws

KEY = "arn:aws:kms:us-east-1:123456789012:key/1a2b3c4d-0000-4000-8000-1a2b3c4d5e6f"


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[SSMClient]:
    with emulated_aws(monkeypatch):
        yield aws_client("ssm")


@pytest.fixture
def store(client: SSMClient) -> ParameterStore:
    return ParameterStore(client)


def test_parameters_below_a_path_are_read_page_by_page(store: ParameterStore) -> None:
    wanted = {f"/flexchat/dev/chat/tools/t{number}/abc": f"value {number}" for number in range(25)}
    for name, value in wanted.items():
        store.put(name, value)
    store.put("/flexchat/dev/other", "elsewhere")

    assert store.read_path("/flexchat/dev/chat") == wanted
    assert store.read_path("/flexchat/prod/chat") == {}


def test_named_parameters_are_read_in_batches_of_ten_without_missing_ones(
    store: ParameterStore, client: SSMClient
) -> None:
    names = [f"/flexchat/dev/n{number}" for number in range(12)]
    for name in names:
        store.put(name, "v")
    calls: list[int] = []

    def count(params: dict[str, Any], **_: object) -> None:
        calls.append(len(params["Names"]))

    client.meta.events.register("provide-client-params.ssm.GetParameters", count)

    assert store.read([*names, "/flexchat/dev/nowhere"]) == dict.fromkeys(names, "v")
    assert calls == [10, 3]
    assert store.read(()) == {}


def test_read_parameters_have_their_time_and_version(store: ParameterStore, client: SSMClient) -> None:
    for value in ("one", "two"):
        store.put("/flexchat/dev/chat/manifest", value)
    described = client.get_parameter(Name="/flexchat/dev/chat/manifest")["Parameter"]

    change = LastChange(at=described["LastModifiedDate"].timestamp(), revision=2)  # pyright: ignore[reportTypedDictNotRequiredAccess]
    assert store.read_path("/flexchat/dev/chat").changes == {"/flexchat/dev/chat/manifest": change}
    assert store.read(("/flexchat/dev/chat/manifest",)).changes == {"/flexchat/dev/chat/manifest": change}


def test_incomplete_version_data_reports_no_changes(client: SSMClient) -> None:
    with Stubber(client) as stubber:
        stubber.add_response("get_parameters", {"Parameters": [{"Name": "/a", "Value": "v", "Version": 1}]})
        found = ParameterStore(client).read(("/a",))

    assert (len(found), dict(found), found.changes) == (1, {"/a": "v"}, {})


def test_secrets_of_a_stage_with_a_key_of_its_own_are_encrypted_with_it(
    store: ParameterStore, client: SSMClient
) -> None:
    def key_of(name: str) -> str | None:
        (found,) = client.describe_parameters(ParameterFilters=[{"Key": "Name", "Values": [name]}])["Parameters"]
        return found.get("KeyId")

    store.put(kms_key_name("dev"), KEY)
    assert store_secrets({"OWN": "canary-1"}, stage="dev", store=store) == ("OWN",)
    assert store_secrets({"OTHER": "canary-2"}, stage="prod", store=store) == ("OTHER",)

    assert key_of("/flexchat/dev/secrets/OWN") == KEY
    assert key_of("/flexchat/prod/secrets/OTHER") == "alias/aws/ssm"
    assert key_of(kms_key_name("dev")) is None


def test_secret_is_encrypted_and_decrypted_only_by_name(store: ParameterStore, client: SSMClient) -> None:
    store.put("/flexchat/dev/secrets/KEY", "canary", secret=True)

    assert client.get_parameter(Name="/flexchat/dev/secrets/KEY")["Parameter"].get("Type") == "SecureString"
    assert store.read(("/flexchat/dev/secrets/KEY",)) == {"/flexchat/dev/secrets/KEY": "canary"}
    assert store.read_path("/flexchat/dev/secrets")["/flexchat/dev/secrets/KEY"] != "canary"
    assert store.names("/flexchat/dev/secrets") == ("/flexchat/dev/secrets/KEY",)
    assert store.names("/flexchat/prod/secrets") == ()


def test_parameter_is_overwritten_and_deleted_idempotently(store: ParameterStore) -> None:
    names = [f"/flexchat/dev/n{number}" for number in range(11)]
    for name in names:
        store.put(name, "old")
    store.put(names[0], "new")
    assert store.read(names[:1]) == {names[0]: "new"}

    store.delete(names)
    store.delete(names)

    assert store.read_path("/flexchat/dev") == {}


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("AccessDeniedException", "could not read: these credentials lack ssm:GetParameters (AccessDeniedException)"),
        ("ExpiredTokenException", "could not read: the credentials have expired (ExpiredTokenException)"),
    ],
)
def test_permanent_ssm_error_is_a_config_error(client: SSMClient, code: str, problem: str) -> None:
    with Stubber(client) as stub:
        stub.add_client_error("get_parameters", service_error_code=code)
        with pytest.raises(ConfigError) as caught:
            ParameterStore(client).read(("/flexchat/dev/a",))

    assert caught.value.problems == (Problem("/flexchat/dev/a", problem),)


@pytest.mark.parametrize("code", ["ThrottlingException", "InternalServerError"])
def test_temporary_ssm_error_is_an_unavailable_error(client: SSMClient, code: str) -> None:
    store = ParameterStore(client)
    for method in ("get_parameters_by_path", "get_parameters", "put_parameter", "delete_parameters"):
        with Stubber(client) as stub:
            stub.add_client_error(method, service_error_code=code)
            with pytest.raises(UnavailableError, match=f"'/flexchat/dev': SSM answered {code}"):
                {
                    "get_parameters_by_path": lambda: store.read_path("/flexchat/dev"),
                    "get_parameters": lambda: store.read(("/flexchat/dev",)),
                    "put_parameter": lambda: store.put("/flexchat/dev", "canary"),
                    "delete_parameters": lambda: store.delete(("/flexchat/dev",)),
                }[method]()


@pytest.mark.parametrize(
    ("error", "translated", "message"),
    [
        (
            ConnectTimeoutError(endpoint_url="https://ssm"),
            UnavailableError,
            "could not write '/a': SSM did not answer (ConnectTimeoutError)",
        ),
        (
            NoCredentialsError(),
            ConfigError,
            "/a: no AWS credentials were found; set AWS_PROFILE, or run `aws configure`",
        ),
        (
            ProfileNotFound(profile="p"),
            ConfigError,
            "/a: the profile of AWS_PROFILE was not found; `aws configure list-profiles` lists them",
        ),
        (UnauthorizedSSOTokenError(), ConfigError, "/a: the AWS login has expired; run `aws sso login`"),
    ],
)
def test_connection_error_is_translated(
    client: SSMClient, error: Exception, translated: type[Exception], message: str
) -> None:
    def fail(**_: object) -> None:
        raise error

    client.meta.events.register("before-send.ssm.PutParameter", fail)

    with pytest.raises(translated) as caught:
        ParameterStore(client).put("/a", "canary")

    assert str(caught.value) == message
    assert caught.value.__cause__ is error


def test_missing_region_error_explains_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_DEFAULT_REGION", "AWS_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")

    with pytest.raises(ConfigError, match="no AWS region is set; set AWS_DEFAULT_REGION or choose a profile with one"):
        operator_store()
