"""Commands end in an answer or in words, never in a traceback."""

import sys
from pathlib import Path

import pytest

from cli.local.environment import aws_environment
from cli.local.errors import LocalError
from cli.local.state import StackState, write_state
from cli.local.target import point_at_local_stack
from cli.main import main

STACK = StackState(
    url="http://127.0.0.1:1/api",
    token="t",
    region="us-east-1",
    endpoint="http://127.0.0.1:1",
    pids=(1,),
    stage="local",
    stack="flexchat-local",
    config="c.json",
)


def flexchat(*words: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """The exit code of the command as it is typed."""
    monkeypatch.setattr(sys, "argv", ["flexchat", *words])
    with pytest.raises(SystemExit) as raised:
        main()
    assert isinstance(raised.value.code, int)
    return raised.value.code


def test_every_group_of_commands_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert flexchat("--help", monkeypatch=monkeypatch) == 0

    shown = capsys.readouterr().out
    assert all(name in shown for name in ("chat", "models", "tools", "config", "secrets", "tokens", "local"))


def test_a_history_that_is_not_json_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    history = tmp_path / "history.json"
    history.write_text("[{")

    assert flexchat("chat", "Hi", "--history", str(history), monkeypatch=monkeypatch) == 1

    assert capsys.readouterr().err == (
        f"{history}: not valid JSON: a name in double quotes is missing at line 1 column 3\n"
    )


@pytest.mark.parametrize("field", ["intent", "=weather", ""])
def test_a_profile_field_without_name_or_value_is_refused(
    field: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert flexchat("chat", "Hi", "--profile", field, monkeypatch=monkeypatch) == 2

    assert "is not KEY=VALUE" in capsys.readouterr().err


def test_the_stage_local_is_the_running_stack_whatever_account_is_configured(tmp_path: Path) -> None:
    write_state(tmp_path / "stack.json", STACK)
    environ = {"PATH": "/bin", "AWS_PROFILE": "production", "AWS_SESSION_TOKEN": "real"}

    point_at_local_stack("local", state=tmp_path / "stack.json", environ=environ)

    assert environ == {"PATH": "/bin", **aws_environment("http://127.0.0.1:1")}


@pytest.mark.parametrize(("stage", "environ"), [("dev", {}), ("local", {"AWS_ENDPOINT_URL": "http://127.0.0.1:4566"})])
def test_other_stages_and_a_named_endpoint_are_left_alone(tmp_path: Path, stage: str, environ: dict[str, str]) -> None:
    write_state(tmp_path / "stack.json", STACK)
    before = dict(environ)

    point_at_local_stack(stage, state=tmp_path / "stack.json", environ=environ)

    assert environ == before


def test_the_stage_local_without_a_stack_is_nobodys_real_account(tmp_path: Path) -> None:
    with pytest.raises(LocalError, match="no local stack runs"):
        point_at_local_stack("local", state=tmp_path / "stack.json", environ={})
