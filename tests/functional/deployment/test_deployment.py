"""Deployment of a stage: steps, token, smoke test and options."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from cli.deployment.account import Account, Stack
from cli.deployment.environment_file import VARIABLES
from cli.deployment.releases import Release, ReleaseRecord, record_name
from cli.deployment.settings import read_settings
from cli.errors import DeploymentError
from cli.invocation import trace_hint
from flexchat.aws.parameters import operator_store
from flexchat.aws.tokens import operator_tokens
from flexchat.config.parameters import manifest_name
from flexchat.secret_references import secret_hosts_name, secret_name
from flexchat.tokens import issue
from tests.functional.deployment.sandbox import ANSWER, API, OUTPUTS, DeploymentSandbox

pytestmark = pytest.mark.slow

CANARY = "DeploymentPreference=Canary10Percent5Minutes"


CALL: dict[str, Any] = {
    "tool": "calculate",
    "params": {"expression": "15% of 45"},
    "iteration": 1,
    "call_id": "call_1_0",
}
SUCCESS = {"success": True, "result": {"result": 6.75}, "tool_name": "calculate", "execution_time_ms": 3}
FAILURE = {
    "success": False,
    "error": "Tool 'calculate' cannot be reached",
    "error_type": "unavailable",
    "tool_name": "calculate",
    "execution_time_ms": 3,
}


def token_names(stage: str = "try") -> list[str]:
    return [record.name for record in operator_tokens(stage).list()]


def test_deployment_builds_deploys_pushes_creates_a_token_and_prints_an_answer(sandbox: DeploymentSandbox) -> None:
    sandbox.answers = [(200, {**ANSWER, "tool_calls": [{**CALL, "result": SUCCESS}]})]

    printed = sandbox.deploy()

    assert [command[0] for command in sandbox.sam.commands] == ["build", "deploy"]
    build, deploy = sandbox.sam.environments
    assert build["PIP_CONSTRAINT"] == "layers/common/src/requirements.txt functions/chat/requirements.txt"
    assert build["PATH"].startswith(f"{sandbox.root}/.venv/bin:")
    assert "PIP_CONSTRAINT" not in deploy
    assert operator_store().read([secret_name("try", "OPENAI_API_KEY"), manifest_name("try")]).keys() == {
        secret_name("try", "OPENAI_API_KEY"),
        manifest_name("try"),
    }
    assert token_names() == ["me"]
    assert sandbox.urls == [API]
    assert f"page    {API}/\nurl     {API}\ntoken   {sandbox.tokens[0]}\n" in printed
    assert "account 123456789012, region us-east-1" in printed
    assert "✓ calculate" in printed
    assert "'try' is deployed and answers. Next:" in printed


def test_environment_file_has_the_stack_outputs(sandbox: DeploymentSandbox) -> None:
    sandbox.deploy()

    assert json.loads((sandbox.root / "events" / "env" / "try.json").read_text()) == {
        function: {variable: OUTPUTS[output] for variable, output in variables.items()}
        for function, variables in VARIABLES.items()
    }


def test_second_deployment_creates_no_token_and_deletes_the_smoke_test_token(sandbox: DeploymentSandbox) -> None:
    first = sandbox.deploy()
    second = sandbox.deploy()

    assert token_names() == ["me"]
    assert len(set(sandbox.tokens)) == 2
    assert sandbox.tokens[0] in first
    assert not any(token in second for token in sandbox.tokens)
    assert "the one named 'me', which exists" in second
    assert "0 created, 0 updated, 0 deleted" in second


def test_stored_keys_are_bound_to_their_addresses_before_new_functions_need_that(sandbox: DeploymentSandbox) -> None:
    sandbox.deploy()
    hosts = secret_hosts_name("try", "OPENAI_API_KEY")
    operator_store().delete((hosts,))
    sandbox.sam.exit_codes = {"deploy": 1}

    sandbox.refusal()

    assert operator_store().read((hosts,)) == {hosts: "api.openai.com"}


def test_expired_token_is_replaced(sandbox: DeploymentSandbox) -> None:
    sandbox.deploy()
    store, now = operator_tokens("try"), datetime.now(UTC)
    store.revoke(store.list()[0].id)
    store.put(issue(name="me", roles=("user",), lifetime=timedelta(days=1), now=now - timedelta(days=2)).record)

    printed = sandbox.deploy()

    assert f"token   {sandbox.tokens[-1]}\n" in printed
    assert [record.is_live(now=now) for record in store.list()] == [True, False]


def test_failed_smoke_test_of_a_second_deployment_revokes_its_token(sandbox: DeploymentSandbox) -> None:
    sandbox.deploy()
    sandbox.answers = [(502, {"error": "model_failed", "message": "the provider refused the configured key"})]

    assert sandbox.refusal() == "the smoke test failed: HTTP 502: the provider refused the configured key"
    assert token_names() == ["me"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (
            (502, {"error": "model_failed", "message": "the provider refused the configured key", "request_id": "r"}),
            (
                "the smoke test failed: HTTP 502: the provider refused the configured key\n"
                f"  request id: {trace_hint('r')}"
            ),
        ),
        (
            (200, {**ANSWER, "status": "partial", "finish_reason": "error"}),
            "the smoke test failed: the answer is partial (error)",
        ),
        (
            (200, {**ANSWER, "tool_calls": [{**CALL, "result": FAILURE}]}),
            "the smoke test failed: no tool call of the answer succeeded",
        ),
    ],
    ids=["an error", "a partial answer", "no tool that works"],
)
def test_failed_smoke_test_fails_the_deployment_after_printing_the_token(
    answer: tuple[int, Any], reason: str, sandbox: DeploymentSandbox
) -> None:
    sandbox.answers = [answer]

    assert sandbox.refusal() == reason
    assert f"token   {sandbox.tokens[0]}\n" in sandbox.output.getvalue()


def test_failed_tool_call_of_the_smoke_test_is_retried(sandbox: DeploymentSandbox) -> None:
    sandbox.answers = [(200, {**ANSWER, "tool_calls": [{**CALL, "result": FAILURE}]}), (200, ANSWER)]

    assert "'try' is deployed and answers. Next:" in sandbox.deploy()


def test_samconfig_section_sets_the_region_and_the_options(sandbox: DeploymentSandbox) -> None:
    printed = sandbox.deploy("dev")

    options = ["--config-env", "dev", "--config-file", str(sandbox.root / "samconfig.toml")]
    overrides = ["--parameter-overrides", "Stage=dev", "Architecture=arm64", CANARY]
    assert sandbox.sam.commands == [
        ["build", "--cached", "--parallel", *options, *overrides],
        ["deploy", "--no-progressbar", *options, *overrides],
    ]
    assert sandbox.sam.compiled == [[str(sandbox.root / ".aws-sam" / "build")]]
    assert "deploying flexchat-dev to account 123456789012, region eu-west-1\n" in printed
    assert [env["AWS_DEFAULT_REGION"] for env in sandbox.sam.environments] == ["eu-west-1", "eu-west-1"]


def test_stage_without_a_section_is_deployed_with_reported_defaults(sandbox: DeploymentSandbox) -> None:
    printed = sandbox.deploy()

    assert sandbox.sam.commands[1] == [
        *("deploy", "--no-progressbar", "--stack-name", "flexchat-try"),
        *("--resolve-s3", "--s3-prefix", "flexchat-try", "--capabilities", "CAPABILITY_IAM"),
        *("--no-confirm-changeset", "--no-fail-on-empty-changeset", "--tags", "project=flexchat stage=try"),
        *("--parameter-overrides", "Stage=try", "Architecture=arm64", CANARY),
    ]
    assert "samconfig.toml has no section 'try': the template's defaults apply" in printed


ALARM_TOPIC = "arn:aws:sns:us-east-1:123456789012:alarms"


@pytest.mark.parametrize(
    ("stage", "parameters", "is_warned"),
    [
        ("prod", {"AlarmTopic": ""}, True),
        ("prod", {}, True),
        ("prod", {"AlarmTopic": ALARM_TOPIC}, False),
        ("try", {"AlarmTopic": ""}, True),
        ("try", {"AlarmTopic": "", "ProtectData": "false"}, False),
    ],
)
def test_a_protected_stage_without_a_topic_for_its_alarms_is_deployed_with_a_warning(
    sandbox: DeploymentSandbox, stage: str, parameters: dict[str, str], is_warned: bool
) -> None:
    sandbox.sam.parameters = parameters

    printed = " ".join(sandbox.deploy(stage, confirmed=True).split())

    assert (f"warning: no alarm of {stage!r} notifies anyone" in printed) == is_warned
    assert (f"AlarmTopic=<its ARN> to parameter_overrides of [{stage}.global.parameters]" in printed) == is_warned
    assert f"{stage!r} is deployed and answers." in printed


def overrides(sandbox: DeploymentSandbox) -> list[list[str]]:
    """Return the parameters of each command of SAM."""
    commands = sandbox.sam.commands
    return [command[command.index("--parameter-overrides") + 1 :] for command in commands]


def test_build_and_deployment_get_the_same_parameters_of_the_command_line(sandbox: DeploymentSandbox) -> None:
    sandbox.deploy("dev", parameters={"ProtectData": "false", "Architecture": "x86_64"})

    expected = {"Stage=dev", "ProtectData=false", "Architecture=x86_64", "DeploymentPreference=None"}
    assert list(map(set, overrides(sandbox))) == [expected] * 2


def test_a_build_gets_the_parameters_of_the_command_line(sandbox: DeploymentSandbox) -> None:
    sandbox.deployment().build("dev", {"Architecture": "x86_64"})

    assert overrides(sandbox) == [["Stage=dev", "Architecture=x86_64"]]


def test_an_existing_stack_keeps_its_architecture(sandbox: DeploymentSandbox) -> None:
    """SAM would build for the template's default, and deploy to a stack that keeps its parameter."""
    sandbox.sam.parameters = {"Architecture": "x86_64"}
    sandbox.deploy()
    sandbox.sam.commands.clear()
    sandbox.deploy()

    assert overrides(sandbox) == [["Stage=try", "Architecture=x86_64", CANARY]] * 2


def test_an_emulator_gets_functions_of_this_machine_and_no_codedeploy(
    sandbox: DeploymentSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = Account(id="123456789012", region="us-east-1", endpoint="http://127.0.0.1:4566")
    stack = Stack("flexchat-try")
    settings = read_settings(sandbox.root / "samconfig.toml", "try")
    monkeypatch.setattr("platform.machine", lambda: "aarch64")

    completed = sandbox.deployment().complete(settings, stack, account, existed=False, rolled_back=False)

    assert completed.parameters == {"Stage": "try", "Architecture": "arm64", "DeploymentPreference": "None"}


def test_a_deployment_after_a_rollback_does_without_codedeploy(sandbox: DeploymentSandbox) -> None:
    """CodeDeploy expects the alias at the version that the stack has."""
    sandbox.deploy()
    at = datetime.now(UTC)
    releases = tuple(Release(number=number, at=at, versions={}) for number in (1, 2))
    operator_store().put(record_name("try"), ReleaseRecord(current=1, releases=releases).model_dump_json())
    sandbox.sam.commands.clear()

    printed = sandbox.deploy(parameters={"DeploymentPreference": "AllAtOnce"})

    assert "DeploymentPreference=None" in overrides(sandbox)[1]
    assert "the stage was rolled back, so this deployment moves all traffic at once" in printed
    assert "release 1 of 'try' is recorded" in printed


def test_a_rollback_prints_versions_and_configuration_and_tests_the_stage(sandbox: DeploymentSandbox) -> None:
    sandbox.deploy()
    at = datetime(2026, 11, 27, 8, tzinfo=UTC)
    first = Release(number=1, at=at, versions={}, configuration="0123456789abcdef")
    record = ReleaseRecord(current=2, releases=(first, Release(number=2, at=at, versions={})))
    operator_store().put(record_name("try"), record.model_dump_json())

    printed = sandbox.roll_back()

    assert "release 1 of 'try', deployed at 2026-11-27 08:00 UTC, is live again:" in printed
    assert "its configuration was version 0123456789ab, and that of the stage is " in printed
    assert "6.75" in printed
    assert sandbox.sam.commands[2:] == []
    assert token_names() == ["me"]


def test_a_rollback_without_a_deployed_stage_is_refused(sandbox: DeploymentSandbox) -> None:
    with pytest.raises(DeploymentError, match="the stage 'try' is not deployed"):
        sandbox.roll_back()
