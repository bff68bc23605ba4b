"""Reading of services' secrets by the retrieval function, also while SSM does not answer."""

import pytest

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.errors import RetrievalError, UnavailableError
from flexchat.secret_references import secret_hosts_name, secret_name
from flexchat.stage_secrets import StageSecrets
from functions.retrieval.services import ServiceSecrets
from tests.clock import Clock
from tests.unit.config.sources import STAGE, MemoryParameters

SERVICE = RagServiceConfig(type="http", url="https://x.example", headers={"Authorization": "Bearer ${KEY}"})


@pytest.fixture
def store() -> MemoryParameters:
    hosts = {secret_hosts_name(STAGE, name): "x.example" for name in ("KEY", "OTHER")}
    return MemoryParameters({secret_name(STAGE, "KEY"): "first", secret_name(STAGE, "OTHER"): "other", **hosts})


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def secrets(store: MemoryParameters, clock: Clock) -> ServiceSecrets:
    return ServiceSecrets(StageSecrets(store=store, stage=STAGE, ttl_seconds=60, clock=clock), STAGE)


def test_a_secret_is_read_once_and_again_after_its_time_to_live(
    store: MemoryParameters, clock: Clock, secrets: ServiceSecrets
) -> None:
    filled = [secrets(SERVICE).headers["Authorization"] for _ in range(2)]
    store.parameters[secret_name(STAGE, "KEY")] = "second"
    clock.now += 59
    filled.append(secrets(SERVICE).headers["Authorization"])
    clock.now += 1
    filled.append(secrets(SERVICE).headers["Authorization"])

    assert filled == ["Bearer first", "Bearer first", "Bearer first", "Bearer second"]
    assert store.calls == ["read", "read"]


def test_a_service_at_another_host_does_not_receive_the_secret(
    store: MemoryParameters, secrets: ServiceSecrets
) -> None:
    moved = SERVICE.model_copy(update={"url": "https://evil.example"})

    with pytest.raises(RetrievalError, match=r"secret 'KEY' is not bound to the host 'evil\.example'; run `flexchat"):
        secrets(moved)


def test_a_service_without_secrets_makes_no_call(store: MemoryParameters, secrets: ServiceSecrets) -> None:
    plain = RagServiceConfig(type="http", url="https://x.example", headers={"X-Team": "a"})

    assert secrets(plain) is plain
    assert store.calls == []


def test_a_missing_secret_is_read_again_for_each_search(store: MemoryParameters, secrets: ServiceSecrets) -> None:
    del store.parameters[secret_name(STAGE, "KEY")]
    with pytest.raises(RetrievalError) as missing:
        secrets(SERVICE)
    store.parameters[secret_name(STAGE, "KEY")] = "now"

    assert (missing.value.code, missing.value.message) == (
        "configuration",
        f"secret 'KEY' is not stored; run `flexchat secrets set KEY --stage {STAGE}`",
    )
    assert secrets(SERVICE).headers["Authorization"] == "Bearer now"


@pytest.mark.parametrize("name", ["AWS_SECRET_ACCESS_KEY", "LAMBDA_TASK_ROOT", "_X_AMZN_TRACE_ID"])
def test_an_environment_variable_name_of_the_function_is_never_read(
    store: MemoryParameters, secrets: ServiceSecrets, name: str
) -> None:
    store.parameters[secret_name(STAGE, name)] = "canary"
    with pytest.raises(RetrievalError) as error:
        secrets(RagServiceConfig(headers={"X-A": f"${{{name}}}"}))

    assert error.value.message == f"secret {name!r} belongs to the function itself and cannot be named"
    assert store.calls == []


def test_the_last_value_is_used_while_ssm_fails(store: MemoryParameters, clock: Clock, secrets: ServiceSecrets) -> None:
    secrets(SERVICE)
    store.failure = UnavailableError("SSM answered ThrottlingException")
    clock.now += 61

    assert secrets(SERVICE).headers["Authorization"] == "Bearer first"
    with pytest.raises(RetrievalError) as error:
        secrets(RagServiceConfig(headers={"X-A": "${OTHER}"}))
    assert (error.value.code, error.value.message) == ("unavailable", "the secrets that it needs cannot be read")


def test_a_value_is_absent_from_repr(secrets: ServiceSecrets) -> None:
    secrets(SERVICE)

    assert "first" not in repr(vars(secrets.read))
    assert "first" not in repr(secrets(SERVICE))
