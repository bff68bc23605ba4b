"""`flexchat config` and `flexchat secrets`, from the command line to the parameters."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError
from typer.testing import CliRunner, Result

from cli.commands import config as config_commands
from cli.commands import secrets as secrets_commands
from cli.commands import tokens as tokens_commands
from cli.configuration import push_configuration, read_file
from cli.deployment.account import Stack, client
from cli.deployment.settings import read_settings, use_account
from cli.errors import DeploymentError, UnknownNameError
from cli.invocation import make
from cli.options import StageError
from flexchat.aws.catalog import CatalogSource
from flexchat.aws.parameters import ParameterStore, operator_store
from flexchat.config.parameters import configuration_path, manifest_name, secret_name
from flexchat.errors import ConfigError, UnavailableError
from flexchat.messages import Json
from tests.aws import emulated_aws
from tests.unit.config.sources import MemoryParameters, parameter_of, rule, source, stored, tool

STAGE = "dev"
TEMPLATE = '{"Resources": {"Queue": {"Type": "AWS::SQS::Queue"}}}'


@pytest.fixture(autouse=True)
def ssm(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("FLEXCHAT_STAGE", raising=False)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))  # there, `flexchat` is found by its name
    with emulated_aws(monkeypatch):
        client("cloudformation").create_stack(StackName="flexchat-dev", TemplateBody=TEMPLATE)
        yield


@pytest.fixture
def store() -> ParameterStore:
    return operator_store()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "flexchat.json"
    write(path, source())
    return path


def write(path: Path, document: dict[str, Json]) -> None:
    path.write_text(json.dumps(document), encoding="utf-8")


def config(*arguments: str | Path) -> Result:
    return CliRunner().invoke(config_commands.app, [str(argument) for argument in arguments])


def secrets(*arguments: str, value: str | None = None) -> Result:
    return CliRunner().invoke(secrets_commands.app, list(arguments), input=value)


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
        "warnings": [],
    }


def test_unchanged_push_writes_nothing() -> None:
    memory = MemoryParameters()
    push_configuration(source(), stage=STAGE, store=memory, secrets={"MAIN_KEY": "k"})
    before = dict(memory.parameters)
    memory.written.clear()

    summary = push_configuration(source(), stage=STAGE, store=memory, secrets={"MAIN_KEY": "k"})

    assert not summary.changed
    assert summary.unchanged == (*ENTRIES, *SETTINGS)
    assert (memory.written, memory.deleted) == ([], [])
    assert memory.parameters == before


def test_push_writes_changes_then_the_manifest_then_deletes_removed_entries() -> None:
    memory = MemoryParameters()
    push_configuration(source(), stage=STAGE, store=memory)
    gone = parameter_of(memory.parameters, "tools/get_weather")
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
    assert {gone, old} < set(memory.deleted)
    assert memory.calls[-2:] == ["delete", "read"]
    assert memory.parameters.keys() == stored(changed, stage=STAGE).keys()


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
    assert store.names("/flexchat/dev/secrets") == (secret_name(STAGE, "MAIN_KEY"),)
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
        "'dev': 0 created, 2 updated, 2 deleted, 9 unchanged. Functions read it within a minute.",
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
    assert "error: responses[0]: takes" in result.stderr


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.json: there is no such file"):
        read_file(tmp_path / "none.json")


@pytest.mark.parametrize("stage", ["", "Dev", "a/b", "x" * 33, "1a"])
def test_invalid_stage_is_a_usage_error(file: Path, stage: str) -> None:
    assert config("push", "--stage", stage, "--file", file).exit_code == 2


def test_push_to_a_stage_without_a_stack_writes_nothing_and_lists_the_deployed_stages(
    file: Path, store: ParameterStore
) -> None:
    cloudformation = client("cloudformation")
    for name in ("flexchat-gone", "flexchat-prod", "other"):
        cloudformation.create_stack(StackName=name, TemplateBody=TEMPLATE)
    cloudformation.delete_stack(StackName="flexchat-gone")
    cloudformation.create_change_set(
        StackName="flexchat-half", ChangeSetName="first", ChangeSetType="CREATE", TemplateBody=TEMPLATE
    )

    results = [config("push", "--stage", stage, "--file", file) for stage in ("prodd", "gone", "half")]

    errors = [result.exception for result in results]
    assert [type(error) for error in errors] == [UnknownNameError] * 3
    assert str(errors[0]) == (
        "region 'us-east-1' has no deployed stage 'prodd'; it has: 'prod', 'dev'. "
        f"`{make('deploy', 'STAGE=prodd')}` deploys it"
    )
    assert store.read_path("/flexchat") == {}


def test_reading_an_empty_stage_without_a_stack_lists_the_deployed_stages(file: Path) -> None:
    results = [
        config("pull", "--stage", "deb"),
        config("diff", "--stage", "deb", "--file", file),
        secrets("list", "--stage", "deb"),
    ]

    assert [str(result.exception).partition(". ")[0] for result in results] == [
        "region 'us-east-1' has no deployed stage 'deb'; it has: 'dev'"
    ] * 3


def test_secret_can_be_stored_before_the_first_deployment_with_a_warning(store: ParameterStore) -> None:
    result = secrets("set", "MAIN_KEY", "--stage", "prodd", value="x")

    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        "Secret MAIN_KEY is stored at 'prodd'; functions read it within a minute.",
        (
            "warning: region 'us-east-1' has no deployed stage 'prodd'; it has: 'dev'. "
            f"`{make('deploy', 'STAGE=prodd')}` deploys it"
        ),
    ]
    assert store.names("/flexchat/prodd/secrets") == ("/flexchat/prodd/secrets/MAIN_KEY",)


def test_aws_error_names_the_stage_and_the_region(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")

    error = config("pull", "--stage", STAGE).exception

    assert isinstance(error, StageError)
    assert str(error).splitlines() == [
        "/flexchat/dev/chat: no AWS credentials were found; set AWS_PROFILE, or run `aws configure`",
        "stage 'dev', region 'us-east-1'",
    ]


def test_aws_error_reports_an_unset_region(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.delenv("AWS_REGION", raising=False)

    error = config("pull", "--stage", STAGE).exception

    assert str(error).endswith("\nstage 'dev', no region")


def test_missing_table_is_reported_as_a_stage_that_is_not_deployed() -> None:
    known = CliRunner().invoke(tokens_commands.app, ["list", "--stage", STAGE]).exception
    typed = CliRunner().invoke(tokens_commands.app, ["create", "--stage", "deb", "--name", "x"]).exception

    assert isinstance(known, StageError)
    assert str(known).endswith("stage 'dev', region 'us-east-1'")
    assert isinstance(typed, UnknownNameError)
    assert str(typed).startswith("region 'us-east-1' has no deployed stage 'deb'; it has: 'dev'. ")


def test_profile_and_region_of_samconfig_apply_to_every_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "samconfig.toml").write_text(
        '[far.global.parameters]\nstack_name = "flexchat-far"\nregion = "eu-west-3"\nprofile = "company"\n'
        'parameter_overrides = ["Stage=far"]\n'
    )
    environ = {"AWS_ACCESS_KEY_ID": "another", "AWS_DEFAULT_REGION": "us-east-1", "HOME": "/home/me"}

    use_account(read_settings(tmp_path / "samconfig.toml", "far"), environ)

    assert environ == {
        "AWS_PROFILE": "company",
        "AWS_DEFAULT_REGION": "eu-west-3",
        "AWS_REGION": "eu-west-3",
        "HOME": "/home/me",
    }


def test_region_of_samconfig_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.setenv("AWS_REGION", "eu-west-2")

    error = CliRunner().invoke(tokens_commands.app, ["list", "--stage", "deb"]).exception

    assert str(error).startswith("region 'eu-west-2' has no deployed stage 'deb'; it has: none. ")


def test_error_message_of_cloudformation_is_not_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        details = {"Error": {"Code": "ValidationError", "Message": "1 validation error detected: canary"}}
        raise ClientError(cast("Any", details), "DescribeStacks")

    stack = Stack("flexchat-dev")
    monkeypatch.setattr(stack._client, "describe_stacks", refuse)  # pyright: ignore[reportPrivateUsage]

    with pytest.raises(DeploymentError) as refusal:
        stack.check()

    assert str(refusal.value) == (
        "AWS refuses DescribeStacks (ValidationError): check stack_name, region and profile of the stage in "
        "samconfig.toml"
    )


def test_pull_of_a_damaged_configuration_names_the_missing_parts(file: Path, store: ParameterStore) -> None:
    config("push", "--stage", STAGE, "--file", file)
    gone = parameter_of(store.read_path(configuration_path(STAGE)), "tools/calculate")
    store.delete((gone,))

    result = config("pull", "--stage", STAGE)

    assert str(result.exception) == f"tool calculate: the parameter {gone!r} is missing"


def test_secret_is_set_from_standard_input_and_listed_with_its_references(file: Path) -> None:
    assert secrets("list", "--stage", STAGE).stderr == "'dev' has no secret, and its configuration names none.\n"
    config("push", "--stage", STAGE, "--file", file)

    first = secrets("set", "MAIN_KEY", "--stage", STAGE, value="sk-canary\n")
    again = secrets("set", "MAIN_KEY", "--stage", STAGE, value="sk-canary\n")
    secrets("set", "SPARE", "--stage", STAGE, value="x")
    listed = secrets("list", "--stage", STAGE)

    assert first.stderr == "Secret MAIN_KEY is stored at 'dev'; functions read it within a minute.\n"
    assert again.stderr == "Secret MAIN_KEY was stored already at 'dev'; functions read it within a minute.\n"
    assert listed.stdout.splitlines() == [
        "MISSING  DOCS_KEY  rag_services.docs.headers.Authorization",
        "stored   MAIN_KEY  llms.main.api_key",
        "stored   SPARE  not used",
    ]
    assert "canary" not in first.output + again.output + listed.output


def test_secret_is_deleted_once(store: ParameterStore) -> None:
    secrets("set", "MAIN_KEY", "--stage", STAGE, value="x")

    assert secrets("delete", "MAIN_KEY", "--stage", STAGE).exit_code == 0
    assert store.names("/flexchat/dev/secrets") == ()
    missing = secrets("delete", "MAIN_KEY", "--stage", STAGE)
    assert (missing.exit_code, str(missing.exception)) == (1, "stage 'dev' has no secret 'MAIN_KEY'; it has: none")


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("AWS_SECRET_ACCESS_KEY", "x", "AWS_*, LAMBDA_* and _X_* belong to the function itself"),
        ("MY-KEY", "x", "a secret's name has letters, digits and _, and begins with no digit"),
        ("KEY", "", "must be 1 to 4096 printable characters on one line"),
        ("KEY", "canary\r\nX-Evil: 1", "must be 1 to 4096 printable characters on one line"),
        ("KEY", "canary" * 1_000, "must be 1 to 4096 printable characters on one line"),
    ],
)
def test_invalid_secret_is_rejected_without_being_shown(
    store: ParameterStore, name: str, value: str, problem: str
) -> None:
    result = secrets("set", name, "--stage", STAGE, value=value)

    assert str(result.exception) == f"{name}: {problem}"
    assert "canary" not in result.output
    assert store.read_path("/flexchat") == {}


def test_secret_is_prompted_without_echo_at_a_terminal(store: ParameterStore, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def prompt(text: str, *, hide_input: bool) -> str:
        asked.append(hide_input)
        return "typed"

    monkeypatch.setattr("typer.prompt", prompt)
    monkeypatch.setattr("sys.stdin", _Terminal())

    secrets_commands.set_("MAIN_KEY", STAGE)

    assert asked == [True]
    assert store.read((secret_name(STAGE, "MAIN_KEY"),)) == {secret_name(STAGE, "MAIN_KEY"): "typed"}


class _Terminal:
    def isatty(self) -> bool:
        return True
