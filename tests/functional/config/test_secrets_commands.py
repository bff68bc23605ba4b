"""`flexchat secrets`."""

from pathlib import Path

import pytest

from cli.commands import secrets as secrets_commands
from cli.invocation import make
from flexchat.aws.parameters import ParameterStore
from flexchat.secret_references import secret_hosts_name, secret_name
from tests.functional.config.commands import STAGE, config, secrets

pytestmark = pytest.mark.slow


def test_secret_can_be_stored_before_the_first_deployment_with_a_warning(store: ParameterStore) -> None:
    result = secrets("set", "MAIN_KEY", "--stage", "prodd", value="long-enough")

    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        "Secret MAIN_KEY is stored at 'prodd'; functions read it within a minute.",
        (
            "warning: region 'us-east-1' has no deployed stage 'prodd'; it has: 'dev'. "
            f"`{make('deploy', 'STAGE=prodd')}` deploys it"
        ),
    ]
    assert store.names("/flexchat/prodd/secrets") == ("/flexchat/prodd/secrets/MAIN_KEY",)


def test_secret_is_set_from_standard_input_and_listed_with_its_references(file: Path) -> None:
    assert secrets("list", "--stage", STAGE).stderr == "'dev' has no secret, and its configuration names none.\n"
    config("push", "--stage", STAGE, "--file", file)

    first = secrets("set", "MAIN_KEY", "--stage", STAGE, value="sk-canary\n")
    again = secrets("set", "MAIN_KEY", "--stage", STAGE, value="sk-canary\n")
    secrets("set", "SPARE", "--stage", STAGE, value="long-enough")
    listed = secrets("list", "--stage", STAGE)

    assert first.stderr.splitlines() == [
        "Secret MAIN_KEY is stored at 'dev'; functions read it within a minute.",
        "MAIN_KEY may be sent to api.openai.com.",
    ]
    assert again.stderr == "Secret MAIN_KEY was stored already at 'dev'; functions read it within a minute.\n"
    assert listed.stdout.splitlines() == [
        "MISSING  DOCS_KEY  rag_services.docs.headers.Authorization",
        "stored   MAIN_KEY  llms.main.api_key  -> api.openai.com",
        "stored   SPARE  not used",
    ]
    assert "canary" not in first.output + again.output + listed.output


def test_secret_is_deleted_once(store: ParameterStore) -> None:
    secrets("set", "MAIN_KEY", "--stage", STAGE, value="long-enough")

    assert secrets("delete", "MAIN_KEY", "--stage", STAGE).exit_code == 0
    assert store.names("/flexchat/dev/secrets") == ()
    missing = secrets("delete", "MAIN_KEY", "--stage", STAGE)
    assert (missing.exit_code, str(missing.exception)) == (1, "stage 'dev' has no secret 'MAIN_KEY'; it has: none")


def test_secret_is_bound_to_hosts_listed_with_them_and_deleted_with_them(store: ParameterStore) -> None:
    set_ = secrets("set", "KEY", "--stage", STAGE, "--host", "API.example.com", value="long-enough")
    assert set_.stderr.splitlines() == [
        "Secret KEY is stored at 'dev'; functions read it within a minute.",
        "KEY may be sent to api.example.com.",
    ]
    assert secrets("list", "--stage", STAGE).stdout == "stored   KEY  not used  -> api.example.com\n"

    added = secrets("bind", "KEY", "--stage", STAGE, "--host", "c.example.com")
    assert added.stderr == "KEY may be sent to api.example.com, c.example.com.\n"
    bound = secrets("bind", "KEY", "--stage", STAGE, "--host", "b.example.com", "--host", "a.example.com", "--replace")
    assert bound.stderr == "KEY may be sent to b.example.com, a.example.com.\n"
    assert secrets("list", "--stage", STAGE).stdout == "stored   KEY  not used  -> a.example.com, b.example.com\n"

    secrets("set", "KEY", "--stage", STAGE, value="new")
    assert store.read((secret_hosts_name(STAGE, "KEY"),)) == {
        secret_hosts_name(STAGE, "KEY"): "b.example.com,a.example.com"
    }
    assert "name a host, or use --replace to remove all" in secrets("bind", "KEY", "--stage", STAGE).stderr
    assert secrets("bind", "KEY", "--stage", STAGE, "--replace").stderr == "KEY may be sent to no host.\n"
    secrets("bind", "KEY", "--stage", STAGE, "--host", "a.example.com")
    assert secrets("delete", "KEY", "--stage", STAGE).exit_code == 0
    assert store.names("/flexchat/dev/secrets") == ()


def test_secret_that_is_not_stored_cannot_be_bound(store: ParameterStore) -> None:
    result = secrets("bind", "KEY", "--stage", STAGE, "--host", "a.example.com")

    assert (result.exit_code, str(result.exception)) == (1, "stage 'dev' has no secret 'KEY'; it has: none")
    assert store.read_path("/flexchat") == {}


@pytest.mark.parametrize("host", ["https://api.example.com", "*.example.com", "a b", "api.example.com:443", ""])
def test_host_that_is_not_exact_is_rejected_and_nothing_is_stored(store: ParameterStore, host: str) -> None:
    result = secrets("set", "KEY", "--stage", STAGE, "--host", host, value="long-enough")

    assert str(result.exception) == f"--host: must be an exact host such as 'api.example.com', not {host!r}"
    assert store.read_path("/flexchat") == {}


WHY = "shorter values cannot be removed from logs, errors and results; use a longer secret"


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("AWS_SECRET_ACCESS_KEY", "x", "AWS_*, LAMBDA_* and _X_* are reserved for the function"),
        ("MY-KEY", "x", "a secret's name must have only letters, digits and _, and must not begin with a digit"),
        ("KEY", "", "must be 1 to 4096 printable characters on one line"),
        ("KEY", "canary\r\nX-Evil: 1", "must be 1 to 4096 printable characters on one line"),
        *(
            ("KEY", value, f"must have at least 8 characters: {WHY}")
            for value in ("canary1", "can    ary", "  canary ")
        ),
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
    prompts: list[bool] = []

    def prompt(text: str, *, hide_input: bool) -> str:
        prompts.append(hide_input)
        return "a-typed-key"

    monkeypatch.setattr("typer.prompt", prompt)
    monkeypatch.setattr("sys.stdin", _Terminal())

    secrets_commands.set_("MAIN_KEY", STAGE, [])

    assert prompts == [True]
    assert store.read((secret_name(STAGE, "MAIN_KEY"),)) == {secret_name(STAGE, "MAIN_KEY"): "a-typed-key"}


class _Terminal:
    def isatty(self) -> bool:
        return True
