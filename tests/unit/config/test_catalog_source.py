"""Reading of the catalog: times of reading, results when reading fails, and single disabled entries."""

import threading
from collections.abc import Callable, Iterable, Mapping

import pytest

from flexchat.aws.catalog import RETRY_SECONDS, CatalogSource
from flexchat.config.catalog import DisabledEntry
from flexchat.config.parameters import manifest_name, secret_name
from flexchat.config.stored import LastChange, StoredParameters
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, FlexchatError, Problem, UnavailableError
from flexchat.messages import Json
from flexchat.timeouts import call_with_timeout, time_left
from tests.unit.config.sources import STAGE, MemoryParameters, logged, parameter_of, rule, source, stored, tool

MANIFEST = manifest_name(STAGE)
MAIN_KEY = secret_name(STAGE, "MAIN_KEY")
DOCS_KEY = secret_name(STAGE, "DOCS_KEY")
TTL = 60.0


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.meanwhile: Callable[[], object] | None = None

    def __call__(self) -> float:
        """The time; `meanwhile` runs once before it is returned."""
        now, meanwhile = self.now, self.meanwhile
        self.meanwhile = None
        if meanwhile is not None:
            meanwhile()
        return now


class Stage:
    """A stage with a valid configuration and its secrets, and a source that reads it."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.store = MemoryParameters({**stored(source()), MAIN_KEY: "sk-main", DOCS_KEY: "docs"})
        self.catalogs = CatalogSource(store=self.store, stage=STAGE, ttl_seconds=TTL, clock=self.clock)

    def later(self) -> None:
        """Move the clock past the time to live of the catalog."""
        self.clock.now += TTL
        self.store.calls.clear()


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_a_healthy_configuration_is_read_with_its_secrets(stage: Stage) -> None:
    catalog = stage.catalogs.current()

    assert catalog.disabled == ()
    assert catalog.configuration.llms["main"].api_key == "sk-main"
    assert catalog.configuration.rag_services["docs"].headers == {"Authorization": "Bearer ${DOCS_KEY}"}
    assert [rule.model for rule in catalog.configuration.responses] == ["gpt-4o", "gpt-4o"]
    assert [tool.name for tool in catalog.configuration.tools.registry] == ["get_weather", "calculate"]
    assert stage.store.calls == ["read_path", "read"]


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

    class Watching(MemoryParameters):
        def read(self, names: Iterable[str]) -> StoredParameters:
            wanted = list(names)
            reads.extend(wanted)
            return super().read(wanted)

    llms: Json = {"main": {"type": "openai", "api_key": "${MAIN_KEY}", "headers": {"X-A": "${AWS_SECRET_ACCESS_KEY}"}}}
    store = Watching({**stored(source(llms=llms)), secret_name(STAGE, "OTHER"): "other"})

    catalog = CatalogSource(store=store, stage=STAGE, ttl_seconds=TTL, clock=stage.clock).current()

    assert reads == [MAIN_KEY, DOCS_KEY]
    assert "AWS_SECRET_ACCESS_KEY" in catalog.why_disabled("llm", "main")[0]


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


def test_one_broken_tool_is_disabled_alone_and_enabled_again_without_a_push(stage: Stage) -> None:
    parameter = parameter_of(stage.store.parameters, "tools/calculate")
    value = stage.store.parameters[parameter]
    stage.store.parameters[parameter] = '{"name":"calculate"}'

    catalog = stage.catalogs.current()

    problem = f"the parameter {parameter!r} was changed by hand: its hash is not the manifest's"
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
    gone = next(name for name in stage.store.parameters if "/responses/" in name)
    del stage.store.parameters[gone]

    catalog = stage.catalogs.current()

    assert catalog.disabled == (DisabledEntry("rule", "responses[0]", (f"the parameter {gone!r} is missing",)),)
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


def test_other_threads_use_the_last_catalog_while_one_thread_reads(stage: Stage) -> None:
    first = stage.catalogs.current()
    reading, go_on = threading.Event(), threading.Event()
    read = stage.store.read

    def slow_read(names: Iterable[str]) -> StoredParameters:
        reading.set()
        assert go_on.wait(timeout=10)
        return read(names)

    stage.later()
    stage.store.replace(source(responses=[rule(model="gpt-4o-mini")]))
    stage.store.read = slow_read
    slow = threading.Thread(target=stage.catalogs.current)
    slow.start()
    try:
        assert reading.wait(timeout=10)
        assert stage.catalogs.current() is first
    finally:
        go_on.set()
        slow.join(timeout=10)

    assert [rule.model for rule in stage.catalogs.current().configuration.responses] == ["gpt-4o-mini"]
    assert stage.store.calls == ["read", "read_path", "read"]


def test_a_late_thread_does_not_repeat_a_finished_read(stage: Stage) -> None:
    first = stage.catalogs.current()
    stage.later()
    stage.clock.meanwhile = stage.catalogs.current

    assert stage.catalogs.current() is first
    assert stage.store.calls == ["read"]


def test_concurrent_threads_read_once(stage: Stage) -> None:
    start = threading.Barrier(8)

    def read() -> None:
        start.wait(timeout=10)
        stage.catalogs.current()

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=10)

    assert stage.store.calls == ["read_path", "read"]


class Hanging(MemoryParameters):
    """Parameters that are read only when allowed."""

    def __init__(self, parameters: Mapping[str, str]) -> None:
        super().__init__(parameters)
        self.may_go_on = threading.Event()

    def read_path(self, path: str) -> StoredParameters:
        assert self.may_go_on.wait(timeout=10)
        return super().read_path(path)

    def read(self, names: Iterable[str]) -> StoredParameters:
        assert self.may_go_on.wait(timeout=10)
        return super().read(names)


def let_go_on(store: Hanging) -> None:
    """Let the blocked reading end."""
    store.may_go_on.set()
    for thread in threading.enumerate():
        if thread.name == "catalog":
            thread.join(timeout=10)


def test_a_slow_first_read_is_an_error_in_time_and_its_result_serves_the_next_request() -> None:
    store = Hanging(stored(source()))
    catalogs = CatalogSource(store=store, stage=STAGE)

    for _ in range(2):
        with pytest.raises(UnavailableError, match="the configuration could not be read in time"):
            catalogs.current(Deadline.after(0))
    let_go_on(store)

    assert catalogs.current(Deadline.after(0)).configuration.llms.keys() == {"local"}
    assert store.calls == ["read_path", "read"]


def test_a_slow_later_read_leaves_the_last_catalog_in_use(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    first = stage.catalogs.current()
    stage.later()
    stage.store.replace(source(responses=[rule(model="gpt-4o-mini")]))
    store = Hanging(stage.store.parameters)
    stage.store.read, stage.store.read_path = store.read, store.read_path

    assert [stage.catalogs.current(Deadline.after(0)) for _ in range(3)] == [first] * 3
    (line,) = logged(capsys.readouterr().out)
    assert (line["level"], line["message"]) == ("WARNING", "stale configuration served")

    let_go_on(store)
    catalog = stage.catalogs.current(Deadline.after(0))
    assert [rule.model for rule in catalog.configuration.responses] == ["gpt-4o-mini"]
    assert store.calls == ["read", "read_path", "read"]


def test_a_read_is_not_limited_by_the_deadline_of_its_first_caller() -> None:
    limits: list[float | None] = []

    class Watched(MemoryParameters):
        def read_path(self, path: str) -> StoredParameters:
            limits.append(time_left())
            return super().read_path(path)

    store = Watched({**stored(source()), MAIN_KEY: "sk-main", DOCS_KEY: "docs"})
    catalogs = CatalogSource(store=store, stage=STAGE)

    call_with_timeout(60, catalogs.current)

    assert limits == [None]
