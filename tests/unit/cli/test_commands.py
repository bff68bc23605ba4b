"""Errors of commands: messages without a traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from cli.errors import LocalError
from cli.local_stack import StackState, aws_environment, local_stack, point_at_local_stack, write_state
from cli.main import main
from flexchat.messages import Json
from tests.unit.cli.command_runner import Flexchat

STACK = StackState(
    url="http://127.0.0.1:1/api",
    token="t",
    region="us-east-1",
    endpoint="http://127.0.0.1:1",
    access_key_id="AKIATHEKEYOFTHESTACK",
    pids=(1,),
    stage="local",
    stack="flexchat-local",
    config="c.json",
)

TOOL: dict[str, Json] = {
    "name": "t",
    "description": "d",
    "parameters": {"type": "object", "properties": {}},
    "implementation": {"type": "mock"},
}


def typed(*arguments: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """The exit code of the command as it is typed."""
    monkeypatch.setattr(sys, "argv", ["flexchat", *arguments])
    with pytest.raises(SystemExit) as raised:
        main()
    assert isinstance(raised.value.code, int)
    return raised.value.code


def test_every_command_group_is_listed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("--help", monkeypatch=monkeypatch) == 0

    shown = capsys.readouterr().out
    assert all(name in shown for name in ("chat", "models", "tools", "config", "secrets", "tokens", "local"))


def test_a_history_that_is_not_json_is_an_error_with_the_position(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    history = tmp_path / "history.json"
    history.write_text("[{")

    assert typed("chat", "Hi", "--history", str(history), monkeypatch=monkeypatch) == 1

    where = "    [{\n      ^\n"
    assert capsys.readouterr().err == (
        f"{history}: not valid JSON: a name in double quotes is missing at line 1 column 3\n{where}"
    )


@pytest.mark.parametrize("field", ["intent", "=weather", ""])
def test_a_profile_field_without_name_or_value_is_rejected(
    field: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed("chat", "Hi", "--profile", field, monkeypatch=monkeypatch) == 2

    assert "is not KEY=VALUE" in capsys.readouterr().err


def test_the_stage_local_is_the_running_stack_with_any_configured_account(tmp_path: Path) -> None:
    write_state(tmp_path / "stack.json", STACK)
    environ = {"PATH": "/bin", "AWS_PROFILE": "production", "AWS_SESSION_TOKEN": "real"}

    point_at_local_stack("local", state=tmp_path / "stack.json", environ=environ)

    assert environ == {"PATH": "/bin", **aws_environment("http://127.0.0.1:1", STACK.access_key_id)}


@pytest.mark.parametrize(("stage", "environ"), [("dev", {}), ("local", {"AWS_ENDPOINT_URL": "http://127.0.0.1:4566"})])
def test_other_stages_and_an_explicit_endpoint_are_unchanged(
    tmp_path: Path, stage: str, environ: dict[str, str]
) -> None:
    write_state(tmp_path / "stack.json", STACK)
    before = dict(environ)

    point_at_local_stack(stage, state=tmp_path / "stack.json", environ=environ)

    assert environ == before


def test_the_stage_local_without_a_stack_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LocalError, match="no local stack is running"):
        point_at_local_stack("local", state=tmp_path / "stack.json", environ={})


@pytest.mark.parametrize(
    ("stage", "environ", "found"),
    [
        ("local", aws_environment(STACK.endpoint, STACK.access_key_id), STACK),
        ("local", aws_environment("http://127.0.0.1:4566", STACK.access_key_id), None),
        ("local", {}, None),
        ("dev", aws_environment(STACK.endpoint, STACK.access_key_id), None),
    ],
)
def test_the_local_stack_has_its_stage_name_and_endpoint(
    tmp_path: Path, stage: str, environ: dict[str, str], found: StackState | None
) -> None:
    write_state(tmp_path / "stack.json", STACK)

    assert local_stack(stage, environ=environ, state=tmp_path / "stack.json") == found


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "not valid JSON: a name in double quotes is missing at line 1 column 2"),
        (b'{\n  "a": 1,\n}', "not valid JSON: a comma follows the last entry at line 2 column 9"),
        ("{}".encode("utf-16"), "is UTF-16 or UTF-32; save it as UTF-8"),
        ("{}".encode("utf-16-be"), "is UTF-16 or UTF-32; save it as UTF-8"),
        ("{}".encode("utf-32"), "is UTF-16 or UTF-32; save it as UTF-8"),
        (b'{\n"a": "\xff"}', "line 2 is not UTF-8; save the file as UTF-8"),
        (b"", "not valid JSON: a value is missing at line 1 column 1"),
    ],
)
@pytest.mark.parametrize(
    "arguments",
    [
        ("chat", "Hi", "--history"),
        ("config", "check", "--file"),
        ("tools", "show", "--file"),
        ("validate", "draft", "t", "--out", "/nowhere/x", "--config"),
        ("validate", "suites", "push"),
        ("collections", "add", "c", "x", "--stage", "dev", "--schema"),
        ("validate", "import", "--stage", "dev"),
    ],
    ids=["chat", "config check", "tools show", "draft", "suites push", "collections add", "validate import"],
)
def test_an_unreadable_file_is_reported_with_the_position(
    content: bytes, reason: str, arguments: tuple[str, ...], tmp_path: Path, flexchat: Flexchat
) -> None:
    file = tmp_path / "a file.json"
    file.write_bytes(content)

    code, printed, message = flexchat.type(*arguments, str(file), options=())

    # The line of the fault follows.
    assert (code, printed, message.partition("\n")[0]) == (1, "", f"{file}: {reason}")


@pytest.mark.parametrize(
    "arguments", [("config", "check", "--file"), ("chat", "Hi", "--history"), ("validate", "check")]
)
def test_a_missing_file_or_a_directory_is_reported(
    arguments: tuple[str, ...], tmp_path: Path, flexchat: Flexchat
) -> None:
    missing = tmp_path / "none.json"

    assert flexchat.type(*arguments, str(missing), options=())[2].endswith(f"{missing}: file not found")
    assert flexchat.type(*arguments, str(tmp_path), options=())[2].endswith(f"{tmp_path}: is a directory; name a file")


def test_a_byte_order_mark_before_json_is_accepted(tmp_path: Path, flexchat: Flexchat) -> None:
    file = tmp_path / "flexchat.json"
    file.write_bytes(b"\xef\xbb\xbf{}")

    assert flexchat.type("config", "check", "--file", str(file), options=())[0] == 0


def test_an_unwritable_file_is_reported(tmp_path: Path, flexchat: Flexchat) -> None:
    config, out = tmp_path / "c.json", tmp_path / "no such folder" / "suite.json"
    config.write_text(json.dumps({"tools": {"registry": [TOOL]}}))

    code, _, error_output = flexchat.type("validate", "draft", "t", "-c", str(config), "-o", str(out), options=())

    assert (code, error_output) == (1, f"{out}: directory {str(out.parent)!r} not found")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("tokens", "create", "--days", "0"), "'--days': must be greater than or equal to 1, not '0'"),
        (("tokens", "create", "--days", "x"), "'--days': must be a whole number, not 'x'"),
        (("collections", "query", "--max-distance", "3"), "'--max-distance': must be less than or equal to 2, not '3'"),
        (
            ("tools", "show", "-p", "opnai"),
            "'--provider' / '-p': 'opnai' is not one of 'openai', 'ollama', 'gemini', 'anthropic', 'bedrock'.",
        ),
        (("models", "--url"), None),
    ],
)
def test_invalid_option_is_an_error_with_its_value(
    arguments: tuple[str, ...], error: str | None, flexchat: Flexchat
) -> None:
    code, _, errors = flexchat.type(*arguments, options=())

    assert code == 2
    assert errors.splitlines()[-1] == (
        f"Error: Invalid value for {error}" if error else "Error: Option '--url' requires an argument."
    )


def test_a_pipe_closed_early_ends_without_a_traceback() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [Path(sys.executable).with_name("flexchat"), "config", "check", "--json"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)  # noqa: S603 (own input)
    os.close(writer)

    assert done.stderr == b""


def test_an_interrupted_command_exits_with_130_and_no_traceback(flexchat: Flexchat) -> None:
    def interrupt(_transport: httpx2.HTTPTransport, _request: httpx2.Request) -> httpx2.Response:
        raise KeyboardInterrupt

    flexchat.monkeypatch.setattr(httpx2.HTTPTransport, "handle_request", interrupt)

    assert flexchat.type("models") == (130, "", "")


def test_a_suggested_command_is_never_wrapped_by_a_narrow_terminal(flexchat: Flexchat) -> None:
    hint = "secret 'OPENAI_API_KEY' is not stored; run `flexchat secrets set OPENAI_API_KEY --stage production`"
    flexchat.serve({"models": [], "errors": [{"llm": "openai", "error": hint}]})

    assert hint in flexchat.type("models", columns=40)[1]
