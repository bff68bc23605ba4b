"""Single entries of the catalog that are disabled or missing."""

from collections.abc import Iterable

import pytest

from flexchat.aws.catalog import CatalogSource
from flexchat.config.catalog import DisabledEntry
from flexchat.config.encoding import StoredParameters
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from flexchat.secret_references import secret_name
from tests.unit.config.catalog_stage import DOCS_KEY, HOSTS, MAIN_KEY, TTL, Stage
from tests.unit.config.sources import STAGE, MemoryParameters, logged, parameter_of, rule, source, stored, tool


def test_an_llm_with_a_missing_secret_is_disabled_until_it_is_stored(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    del stage.store.parameters[MAIN_KEY]
    problem = "secret 'MAIN_KEY' is not stored; run `flexchat secrets set MAIN_KEY --stage test`"

    catalog = stage.catalogs.current()

    assert catalog.disabled == (DisabledEntry("llm", "main", (problem,)),)
    assert catalog.why_disabled("llm", "main") == (problem,)
    assert catalog.why_disabled("llm", "local") == ()
    assert list(catalog.configuration.llms) == ["local"]
    assert {name: llm.api_key for name, llm in catalog.unusable_llms.items()} == {"main": "${MAIN_KEY}"}
    (line,) = logged(capsys.readouterr().out)
    assert (line["message"], line["kind"], line["entry"]) == ("configuration entry disabled", "llm", "main")

    stage.later()
    stage.store.parameters[MAIN_KEY] = "sk-main"
    assert stage.catalogs.current().disabled == ()


def test_only_secrets_referenced_by_entries_are_read(stage: Stage) -> None:
    reads: list[str] = []

    class RecordingParameters(MemoryParameters):
        def read(self, names: Iterable[str]) -> StoredParameters:
            wanted = list(names)
            reads.extend(wanted)
            return super().read(wanted)

    llms: Json = {"main": {"type": "openai", "api_key": "${MAIN_KEY}", "headers": {"X-A": "${AWS_SECRET_ACCESS_KEY}"}}}
    store = RecordingParameters({**stored(source(llms=llms)), secret_name(STAGE, "OTHER"): "other"})

    catalog = CatalogSource(store=store, stage=STAGE, ttl_seconds=TTL, clock=stage.clock).current()

    assert reads == [MAIN_KEY, DOCS_KEY, *HOSTS]
    assert "AWS_SECRET_ACCESS_KEY" in catalog.why_disabled("llm", "main")[0]


def test_one_broken_tool_is_disabled_alone_and_enabled_again_without_a_push(stage: Stage) -> None:
    parameter = parameter_of(stage.store.parameters, "tools/calculate")
    value = stage.store.parameters[parameter]
    stage.store.parameters[parameter] = '{"name":"calculate"}'

    catalog = stage.catalogs.current()

    problem = f"the parameter {parameter!r} was changed directly: its hash differs from the manifest's"
    assert catalog.disabled == (DisabledEntry("tool", "calculate", (problem,)),)
    assert [tool.name for tool in catalog.configuration.tools.registry] == ["get_weather"]
    assert len(catalog.configuration.responses) == 2

    stage.later()
    stage.store.parameters[parameter] = value
    assert stage.catalogs.current().disabled == ()


def test_entries_of_an_unknown_format_are_disabled_alone(stage: Stage) -> None:
    llms: Json = {"main": {"type": "opnai"}, "local": {"type": "ollama"}}
    tools: Json = {"registry": [tool("get_weather"), tool("calculate", paramters={})]}
    stage.store.replace(source(llms=llms, tools=tools, responses=[rule(), rule(name="second", prompt=1)]))

    catalog = stage.catalogs.current()

    assert [(entry.kind, entry.name) for entry in catalog.disabled] == [
        ("llm", "main"),
        ("rule", "second"),
        ("tool", "calculate"),
    ]
    assert list(catalog.configuration.llms) == ["local"]
    stage.later()
    assert stage.catalogs.current() is catalog
    assert stage.store.calls == ["read"]


def test_a_missing_rule_is_disabled_by_its_position(stage: Stage) -> None:
    missing = next(name for name in stage.store.parameters if "/responses/" in name)
    del stage.store.parameters[missing]

    catalog = stage.catalogs.current()

    assert catalog.disabled == (DisabledEntry("rule", "responses[0]", (f"the parameter {missing!r} is missing",)),)
    assert list(catalog.named_rules()) == [("responses[1]", catalog.configuration.responses[0])]


def test_a_missing_llm_is_not_replaced_by_a_default_of_the_same_name() -> None:
    document: dict[str, Json] = {
        "llms": {"openai": {"base_url": "https://mine.example.com", "api_key": "${K}"}},
        "responses": [rule(llm="openai")],
    }
    parameters = stored(document)
    del parameters[parameter_of(parameters, "llms/openai")]

    catalog = CatalogSource(store=MemoryParameters(parameters), stage=STAGE).current()

    assert catalog.configuration.llms == {}
    assert [(entry.kind, entry.name) for entry in catalog.disabled] == [("llm", "openai")]


def test_an_llm_with_the_address_of_a_whole_request_is_disabled_with_the_right_address() -> None:
    address = "https://mine.example.com/v1/chat/completions"
    parameters = stored({"llms": {"mine": {"type": "openai", "base_url": address}}, "responses": [rule(llm="mine")]})

    catalog = CatalogSource(store=MemoryParameters(parameters), stage=STAGE).current()

    reason = "must end before '/chat/completions', which the service adds: 'https://mine.example.com/v1'"
    assert catalog.configuration.llms == {}
    assert catalog.disabled == (DisabledEntry("llm", "mine", (f"llms.mine.base_url: {reason}",)),)


def test_settings_of_an_unknown_format_are_an_error_that_names_them() -> None:
    store = MemoryParameters(stored({"tools": {"enabled": True, "turbo": 1}}))

    with pytest.raises(ConfigError) as caught:
        CatalogSource(store=store, stage=STAGE).current()

    assert caught.value.problems == (Problem("tools.turbo", "unknown key 'turbo'"),)


def test_entries_deleted_by_a_push_between_two_pages_are_read_again() -> None:
    old, new = stored(source(responses=[rule(model="old")])), stored(source(responses=[rule(model="new")]))
    torn = {name: value for name, value in old.items() if name in new}

    class Pushed(MemoryParameters):
        def read_path(self, path: str) -> StoredParameters:
            super().read_path(path)
            return StoredParameters(torn if self.calls.count("read_path") == 1 else new)

    catalog = CatalogSource(store=Pushed(new), stage=STAGE).current()

    assert [entry.kind for entry in catalog.disabled] == ["llm", "service"]
    assert [rule.model for rule in catalog.configuration.responses] == ["new"]
