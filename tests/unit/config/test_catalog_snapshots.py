"""The catalog of a restored snapshot."""

import pytest

from flexchat.errors import UnavailableError
from tests.unit.config.catalog_stage import MAIN_KEY, Stage
from tests.unit.config.sources import rule, source


def test_the_catalog_of_an_old_snapshot_is_not_served_while_ssm_fails(stage: Stage) -> None:
    stage.catalogs.current()
    stage.catalogs.restored()
    stage.later()
    stage.store.failure = UnavailableError("SSM did not answer")

    with pytest.raises(UnavailableError, match="did not answer"):
        stage.catalogs.current()

    stage.store.failure = None
    assert stage.catalogs.current().version


def test_the_catalog_of_an_old_snapshot_is_confirmed_by_one_call_and_then_served_as_usual(stage: Stage) -> None:
    snapshot = stage.catalogs.current()
    stage.catalogs.restored()
    stage.later()

    assert stage.catalogs.current() is snapshot
    assert stage.store.calls == ["read"]
    stage.later()
    stage.store.failure = UnavailableError("SSM did not answer")
    assert stage.catalogs.current() is snapshot


def test_a_restored_snapshot_serves_the_current_configuration_and_secret(stage: Stage) -> None:
    stage.catalogs.current()
    stage.catalogs.restored()
    stage.later()
    stage.store.replace(source(responses=[rule(model="gpt-4o-mini")]))
    stage.store.parameters[MAIN_KEY] = "sk-rotated"

    catalog = stage.catalogs.current()

    assert [rule.model for rule in catalog.configuration.responses] == ["gpt-4o-mini"]
    assert catalog.configuration.llms["main"].api_key == "sk-rotated"


def test_a_snapshot_restored_at_once_makes_no_call(stage: Stage) -> None:
    snapshot = stage.catalogs.current()
    stage.catalogs.restored()
    stage.store.calls.clear()

    assert stage.catalogs.current() is snapshot
    assert stage.store.calls == []


def test_an_environment_restored_without_a_configuration_reads_it(stage: Stage) -> None:
    stage.catalogs.restored()

    assert stage.catalogs.current().version
