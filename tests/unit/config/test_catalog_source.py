"""Reading of the catalog: times of reading, and results when reading fails."""

import pytest

from flexchat.aws.catalog import RETRY_SECONDS, CatalogSource
from flexchat.config.encoding import LastChange
from flexchat.config.parameters import manifest_name
from flexchat.errors import ConfigError, FlexchatError, Problem, UnavailableError
from flexchat.messages import Json
from flexchat.secret_references import secret_hosts_name
from tests.unit.config.catalog_stage import MAIN_KEY, TTL, Stage
from tests.unit.config.sources import STAGE, MemoryParameters, logged, rule, source

MANIFEST = manifest_name(STAGE)


def test_a_healthy_configuration_is_read_with_its_secrets(stage: Stage) -> None:
    catalog = stage.catalogs.current()

    assert catalog.disabled == ()
    assert catalog.configuration.llms["main"].api_key == "sk-main"
    assert catalog.configuration.rag_services["docs"].headers == {"Authorization": "Bearer ${DOCS_KEY}"}
    assert [rule.model for rule in catalog.configuration.responses] == ["gpt-4o", "gpt-4o"]
    assert [tool.name for tool in catalog.configuration.tools.registry] == ["get_weather", "calculate"]
    assert stage.store.calls == ["read_path", "read"]


def test_a_changed_address_of_an_llm_does_not_receive_its_secret(stage: Stage) -> None:
    llms: Json = {"main": {"type": "openai", "api_key": "${MAIN_KEY}", "base_url": "https://evil.example/v1"}}
    stage.catalogs.current()
    stage.later()
    stage.store.replace(source(llms=llms, topic={}, intent={}))

    moved = stage.catalogs.current()
    stage.later()
    stage.store.parameters[secret_hosts_name(STAGE, "MAIN_KEY")] = "api.openai.com,evil.example"
    bound = stage.catalogs.current()

    assert ("main" in moved.configuration.llms, moved.why_disabled("llm", "main")) == (
        False,
        (
            (
                "secret 'MAIN_KEY' is not bound to the host 'evil.example'; "
                "run `flexchat secrets bind MAIN_KEY --stage test --host evil.example`"
            ),
        ),
    )
    assert moved.unusable_llms["main"].api_key == "${MAIN_KEY}"
    assert bound.configuration.llms["main"].api_key == "sk-main"
    assert stage.store.calls == ["read"]


def test_the_repr_of_a_catalog_contains_no_secret(stage: Stage) -> None:
    catalog = stage.catalogs.current()

    assert "sk-main" not in f"{catalog} {catalog!r} {catalog.configuration!r} {stage.catalogs!r}"


def test_a_fresh_catalog_makes_no_call(stage: Stage) -> None:
    first = stage.catalogs.current()
    stage.store.calls.clear()
    stage.clock.now += TTL - 0.001

    assert stage.catalogs.current() is first
    assert stage.store.calls == []


def test_an_unchanged_manifest_costs_one_call_and_the_catalog_stays(stage: Stage) -> None:
    first = stage.catalogs.current()
    stage.later()

    assert stage.catalogs.current() is first
    assert stage.store.calls == ["read"]

    stage.clock.now += TTL - 0.001
    assert stage.catalogs.current() is first
    assert stage.store.calls == ["read"]


def test_a_changed_manifest_is_read_again(stage: Stage) -> None:
    first = stage.catalogs.current()
    stage.later()
    stage.store.replace(source(responses=[rule(model="gpt-4o-mini")]))

    second = stage.catalogs.current()

    assert [rule.model for rule in second.configuration.responses] == ["gpt-4o-mini"]
    assert second.version != first.version
    assert stage.store.calls == ["read", "read_path", "read"]


def test_a_catalog_has_its_change_time_and_read_time(stage: Stage) -> None:
    stage.store.changes = {MANIFEST: LastChange(at=900.0, revision=3), MAIN_KEY: LastChange(at=990.0, revision=9)}

    first = stage.catalogs.current()

    assert (first.changed, first.read_at) == (LastChange(at=900.0, revision=3), 1_000.0)
    stage.later()
    assert stage.catalogs.current() is first


def test_a_store_without_change_times_is_served(stage: Stage) -> None:
    assert stage.catalogs.current().changed is None


def test_a_configuration_pushed_away_and_back_has_its_new_date_without_another_read(stage: Stage) -> None:
    stage.store.changes = {MANIFEST: LastChange(at=900.0, revision=3)}
    first = stage.catalogs.current()
    stage.later()
    stage.store.changes = {MANIFEST: LastChange(at=1_050.0, revision=5)}

    second = stage.catalogs.current()

    assert (second.changed, second.read_at) == (LastChange(at=1_050.0, revision=5), 1_060.0)
    assert second.configuration == first.configuration
    assert stage.store.calls == ["read"]


def test_a_rotated_secret_is_used_without_reading_the_entries(stage: Stage) -> None:
    first = stage.catalogs.current()
    stage.later()
    stage.store.parameters[MAIN_KEY] = "sk-new"

    second = stage.catalogs.current()

    assert second.configuration.llms["main"].api_key == "sk-new"
    assert second is not first
    assert second.version == first.version
    assert stage.store.calls == ["read"]


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (UnavailableError("could not read: SSM answered ThrottlingException"), "SSM answered ThrottlingException"),
        (
            ConfigError((Problem("/flexchat", "these credentials may not do that"),)),
            "these credentials may not do that",
        ),
    ],
)
def test_the_last_valid_catalog_is_served_while_ssm_fails(
    stage: Stage, capsys: pytest.CaptureFixture[str], failure: FlexchatError, reason: str
) -> None:
    first = stage.catalogs.current()
    stage.later()
    stage.store.failure = failure

    assert stage.catalogs.current() is first
    (line,) = logged(capsys.readouterr().out)
    assert (line["level"], line["message"]) == ("WARNING", "stale configuration served")
    assert reason in line["reason"]

    stage.clock.now += RETRY_SECONDS - 0.001
    assert stage.catalogs.current() is first
    assert stage.store.calls == ["read"]

    stage.clock.now += 0.001
    stage.store.failure = None
    assert stage.catalogs.current() is first
    assert stage.store.calls == ["read", "read"]


def test_a_missing_or_broken_manifest_leaves_the_configuration_in_use(stage: Stage) -> None:
    first = stage.catalogs.current()

    for value in (None, "nonsense"):
        stage.later()
        if value is None:
            del stage.store.parameters[MANIFEST]
        else:
            stage.store.parameters[MANIFEST] = value
        assert stage.catalogs.current() is first


def test_a_failed_first_read_raises_and_the_next_call_tries_again(stage: Stage) -> None:
    stage.store.failure = UnavailableError("SSM did not answer")
    with pytest.raises(UnavailableError, match="SSM did not answer"):
        stage.catalogs.current()

    stage.store.failure = None
    assert stage.catalogs.current().disabled == ()


def test_a_stage_without_a_configuration_is_an_error_with_the_push_command() -> None:
    catalogs = CatalogSource(store=MemoryParameters(), stage=STAGE)

    with pytest.raises(ConfigError, match="run `flexchat config push --stage test`"):
        catalogs.current()
