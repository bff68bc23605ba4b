"""`flexchat config`: push, pull, diff and check."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from cli.configuration import PushSummary, push_configuration, read_file
from cli.invocation import flexchat
from flexchat.aws.catalog import CatalogSource
from flexchat.aws.parameters import ParameterStore
from flexchat.config.parameters import configuration_path, manifest_name
from flexchat.errors import ConfigError, UnavailableError
from flexchat.messages import Json
from flexchat.secret_references import secret_hosts_name, secret_name
from tests.functional.config.commands import STAGE, config, write
from tests.unit.config.sources import MemoryParameters, parameter_of, rule, source, stored, tool


def output_of(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


ENTRIES = [
    "llms.main",
    "llms.local",
    "rag_services.docs",
    "responses[0] (weather)",
    "responses[1]",
    "tools.registry.get_weather",
    "tools.registry.calculate",
]
SETTINGS = ["$schema", "comment", "topic", "intent", "tools", "llms.comment"]


def test_pushed_configuration_is_pulled_unchanged(file: Path, tmp_path: Path) -> None:
    assert config("push", "--stage", STAGE, "--file", file).exit_code == 0

    assert output_of(config("pull", "--stage", STAGE)) == source()
    copy = tmp_path / "copy.json"
    assert config("pull", "--stage", STAGE, "--file", copy).exit_code == 0
    assert json.loads(copy.read_text(encoding="utf-8")) == source()


def test_first_push_creates_every_entry_and_lists_missing_secrets(file: Path) -> None:
    assert output_of(config("push", "--stage", STAGE, "--file", file, "--json")) == {
        "created": [*ENTRIES, *SETTINGS],
        "updated": [],
        "deleted": [],
        "unchanged": [],
        "secrets": [],
        "missing_secrets": ["MAIN_KEY", "DOCS_KEY"],
        "unbound_secrets": {},
        "warnings": [],
        "version": 1,
    }


def test_unchanged_push_writes_nothing() -> None:
    memory = MemoryParameters()
    push_configuration(source(), stage=STAGE, store=memory, secrets={"MAIN_KEY": "a-test-key"})
    before = dict(memory.parameters)
    memory.written.clear()

    summary = push_configuration(source(), stage=STAGE, store=memory, secrets={"MAIN_KEY": "a-test-key"})

    assert not summary.changed
    assert summary.unchanged == (*ENTRIES, *SETTINGS)
    assert (memory.written, memory.deleted) == ([], [])
    assert memory.parameters == before


def test_push_writes_changes_then_the_manifest_then_deletes_removed_entries() -> None:
    memory = MemoryParameters()
    push_configuration(source(), stage=STAGE, store=memory)
    removed = parameter_of(memory.parameters, "tools/get_weather")
    old = parameter_of(memory.parameters, "tools/calculate")
    memory.written.clear()
    memory.calls.clear()
    changed = source(
        tools={"comment": "globals", "enabled": True, "registry": [tool("calculate"), tool("extra")]},
        responses=[rule()],
    )

    summary = push_configuration(changed, stage=STAGE, store=memory)

    assert (summary.created, summary.updated, summary.deleted) == (
        ("tools.registry.extra",),
        ("responses[0]", "tools.registry.calculate"),
        ("responses[1]", "tools.registry.get_weather"),
    )
    assert memory.written[-1] == manifest_name(STAGE)
    assert [name.split("/")[4] for name in memory.written] == ["tools", "tools", "responses", "manifest"]
    assert {removed, old} < set(memory.deleted)
    assert "put" not in memory.calls[memory.calls.index("delete") :]
    assert memory.parameters.keys() == stored(changed, stage=STAGE).keys()


COMMANDS = f"/flexchat/{STAGE}/deployment/mcp-commands"


@pytest.mark.parametrize(
    ("listed", "refused"),
    [("python3,/opt/bin/*", ["node"]), ("node,/opt/bin/*", []), (",", ["node", "/opt/bin/files"])],
)
def test_a_push_warns_of_commands_that_the_deployment_does_not_list(listed: str, refused: list[str]) -> None:
    memory = MemoryParameters({COMMANDS: listed})
    servers: dict[str, Json] = {
        "one": {"command": "node"},
        "two": {"command": "/opt/bin/files"},
        "off": {"command": "deno", "enabled": False},
        "far": {"url": "https://mcp.example.com"},
    }

    warnings = push_configuration(source(mcp_servers=servers), stage=STAGE, store=memory).warnings
    warnings = [problem for problem in warnings if problem.path.startswith("mcp_servers")]

    assert [f"{problem.path}: {problem.message}" for problem in warnings] == [
        f"mcp_servers.{'one' if command == 'node' else 'two'}.command: {command!r} is not among the commands of the"
        f" stage: deploy with McpCommands={command},… to start it"
        for command in refused
    ]


def test_a_push_without_the_list_of_commands_does_not_warn_of_them() -> None:
    memory = MemoryParameters()

    found = push_configuration(source(mcp_servers={"one": {"command": "node"}}), stage=STAGE, store=memory).warnings

    assert [problem for problem in found if problem.path.startswith("mcp_servers")] == []


def test_interrupted_push_is_completed_by_the_next_one() -> None:
    memory = MemoryParameters()
    push_configuration(source(), stage=STAGE, store=memory)
    damaged, missing = (parameter_of(memory.parameters, f"tools/{name}") for name in ("calculate", "get_weather"))
    memory.parameters[damaged] = "gz:%"
    del memory.parameters[missing]
    memory.parameters[f"{configuration_path(STAGE)}/tools/half/123456789abc"] = "left over"

    summary = push_configuration(source(), stage=STAGE, store=memory)

    assert summary.created == ("tools.registry.get_weather", "tools.registry.calculate")
    assert memory.parameters == stored(source(), stage=STAGE)


def test_push_replaces_an_unreadable_manifest() -> None:
    memory = MemoryParameters({manifest_name(STAGE): "nonsense"})

    push_configuration(source(), stage=STAGE, store=memory)

    assert memory.parameters == stored(source(), stage=STAGE)


def test_invalid_configuration_is_not_written(file: Path, store: ParameterStore) -> None:
    broken = source(llms={"main": {"type": "openai", "api_key": "${MAIN_KEY}"}})
    write(file, broken)

    result = config("push", "--stage", STAGE, "--file", file)

    assert isinstance(result.exception, ConfigError)
    assert str(result.exception) == "topic.provider.llm: no llm named 'local'"
    assert store.read_path("/flexchat") == {}


def test_push_rejected_by_ssm_ends_with_its_error() -> None:
    memory = MemoryParameters()
    memory.failure = UnavailableError("SSM answered ThrottlingException")

    with pytest.raises(UnavailableError, match="ThrottlingException"):
        push_configuration(source(), stage=STAGE, store=memory)


def test_pushed_configuration_and_secrets_are_read_by_the_chat_function(
    file: Path, store: ParameterStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAIN_KEY", "sk-canary")
    monkeypatch.setenv("DOCS_KEY", "")
    monkeypatch.setenv("UNNAMED", "x")

    result = config("push", "--stage", STAGE, "--file", file, "--secrets-from-env")

    assert result.exit_code == 0
    assert "canary" not in result.output
    assert "stored secret MAIN_KEY" in result.stdout
    assert "Secret DOCS_KEY is not stored: flexchat secrets set DOCS_KEY --stage dev" in result.stderr
    assert store.names("/flexchat/dev/secrets") == (
        secret_name(STAGE, "MAIN_KEY"),
        secret_hosts_name(STAGE, "MAIN_KEY"),
    )
    catalog = CatalogSource(store=store, stage=STAGE).current()
    assert catalog.configuration.llms["main"].api_key == "sk-canary"
    assert [entry.name for entry in catalog.disabled] == ["docs"]


def test_push_reports_its_changes(file: Path) -> None:
    config("push", "--stage", STAGE, "--file", file)
    same = config("push", "--stage", STAGE, "--file", file)
    write(file, source(rag_services={}, comment="new", responses=[rule(match={"service": "s"})]))
    other = config("push", "--stage", STAGE, "--file", file)

    assert same.stdout == "Nothing changed: 'dev' has this configuration.\n"
    assert other.stdout.splitlines() == [
        "~ responses[0]",
        "~ comment",
        "- rag_services.docs",
        "- responses[1]",
        "'dev': 0 created, 2 updated, 2 deleted, 9 unchanged. Version 2. Functions read it within a minute.",
    ]
    assert "warning: responses: no fallback" in other.stderr


def test_diff_reports_the_changes_of_a_push(file: Path) -> None:
    assert [change["path"] for change in output_of(config("diff", "--stage", STAGE, "--file", file, "--json"))] == [
        *ENTRIES,
        *SETTINGS,
    ]

    config("push", "--stage", STAGE, "--file", file)
    assert config("diff", "--stage", STAGE, "--file", file).stdout == f"'dev' has the configuration of {file}.\n"

    registry: list[Json] = [tool("calculate", comment="mock for now", description="canary"), tool("get_weather")]
    write(file, source(tools={"comment": "globals", "enabled": True, "registry": registry}))
    result = config("diff", "--stage", STAGE, "--file", file)
    assert result.stdout.splitlines() == ["~ tools.registry.calculate: description", "~ tools.registry: order"]


def test_check_reports_every_problem_and_exits_with_one_for_errors(file: Path) -> None:
    good = config("check", "--file", file)
    assert (good.exit_code, good.stdout) == (0, f"{file}: no problems\n")

    write(
        file,
        source(
            responses=[rule(match={"service": "docs"}, tools={"enabled": True, "allowed_tools": ["calclate"]})],
            tools={
                "enabled": True,
                "registry": [tool("calculate", implementation={"type": "builtin", "handler": "x"})],
            },
        ),
    )
    bad = config("check", "--file", file)
    assert bad.exit_code == 1
    assert bad.stdout == f"{file}: 1 error, 2 warnings\n"
    lines = bad.stderr.splitlines()
    assert lines[0].startswith("error: tools.registry[0].implementation.handler: Builtin handler 'x' not found")
    assert lines[1:] == [
        "warning: responses[0].tools.allowed_tools[0]: no tool named 'calclate'; did you mean 'calculate'?",
        "warning: responses: no fallback: a message that no rule matches gets no answer",
    ]
    as_json = config("check", "--file", file, "--json")
    assert as_json.exit_code == 1
    assert json.loads(as_json.stdout)[1] == {
        "severity": "warning",
        "path": "responses[0].tools.allowed_tools[0]",
        "message": "no tool named 'calclate'; did you mean 'calculate'?",
    }


def test_check_reports_entries_larger_than_a_parameter(file: Path) -> None:
    write(file, source(responses=[rule(prompt="x" * 300_000)]))

    result = config("check", "--file", file)

    assert result.exit_code == 1
    assert "error: responses[0]: has" in result.stderr


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.json: file not found"):
        read_file(tmp_path / "none.json")


@pytest.mark.parametrize("stage", ["", "Dev", "a/b", "x" * 33, "1a"])
def test_invalid_stage_is_a_usage_error(file: Path, stage: str) -> None:
    assert config("push", "--stage", stage, "--file", file).exit_code == 2


def test_pull_of_a_damaged_configuration_names_the_missing_parts(file: Path, store: ParameterStore) -> None:
    config("push", "--stage", STAGE, "--file", file)
    removed = parameter_of(store.read_path(configuration_path(STAGE)), "tools/calculate")
    store.delete((removed,))

    result = config("pull", "--stage", STAGE)

    assert str(result.exception) == f"tool calculate: the parameter {removed!r} is missing"


def weather(host: str) -> dict[str, Json]:
    implementation: dict[str, Json] = {
        "type": "http",
        "url": f"https://{host}/weather",
        "headers": {"X-Key": "${WEATHER_KEY}"},
        "auth": {
            "type": "oauth2_client_credentials",
            "token_url": "https://login.example.com/token",
            "client_id": "flexchat",
            "client_secret": "${CLIENT_SECRET}",
        },
    }
    return {**tool("get_weather"), "implementation": implementation}


def test_new_secrets_are_bound_to_the_hosts_of_their_tools_and_stay_bound_when_an_address_changes() -> None:
    memory = MemoryParameters()
    secret_values = {"WEATHER_KEY": "k1-canary", "CLIENT_SECRET": "k2-canary"}

    def push(host: str, **secrets: str) -> PushSummary:
        return push_configuration(
            source(tools={"registry": [weather(host)]}), stage=STAGE, store=memory, secrets=secrets
        )

    first = push("api.example.com", **secret_values)
    changed = push("evil.example.net", **secret_values)

    assert (first.unbound_secrets, changed.unbound_secrets) == ({}, {"WEATHER_KEY": ("evil.example.net",)})
    names = [secret_hosts_name(STAGE, name) for name in secret_values]
    assert list(memory.read(names).values()) == ["api.example.com", "login.example.com"]


def test_new_secrets_are_bound_to_the_hosts_of_their_mcp_servers() -> None:
    memory = MemoryParameters()
    servers: dict[str, Json] = {
        "weather": {
            "url": "https://mcp.example.com/mcp/${SEGMENT}",
            "headers": {"X-Key": "${WEATHER_KEY}"},
            "auth": {
                "type": "oauth2_client_credentials",
                "token_url": "https://login.example.com/token",
                "client_id": "flexchat",
                "client_secret": "${CLIENT_SECRET}",
            },
        },
        "files": {"command": "files", "env": {"TOKEN": "${FILES_TOKEN}"}},
    }
    secrets = {name: f"{name}-canary" for name in ("SEGMENT", "WEATHER_KEY", "CLIENT_SECRET", "FILES_TOKEN")}

    summary = push_configuration(source(mcp_servers=servers), stage=STAGE, store=memory, secrets=secrets)

    assert summary.unbound_secrets == {}
    assert memory.read(secret_hosts_name(STAGE, name) for name in secrets) == {
        secret_hosts_name(STAGE, "SEGMENT"): "mcp.example.com",
        secret_hosts_name(STAGE, "WEATHER_KEY"): "mcp.example.com",
        secret_hosts_name(STAGE, "CLIENT_SECRET"): "login.example.com",
    }


def test_push_lists_the_command_that_binds_a_secret(file: Path) -> None:
    write(file, source(tools={"registry": [weather("api.example.com")]}))

    result = config("push", "--stage", STAGE, "--file", file)

    assert (
        "Secret WEATHER_KEY is not bound to api.example.com: "
        f"{flexchat('secrets', 'bind', 'WEATHER_KEY', '--host', 'api.example.com', '--stage', STAGE)}"
    ) in result.stderr.splitlines()
