"""Start of the runtime loop: failed imports, SnapStart and the script of AWS_LAMBDA_EXEC_WRAPPER."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import snapshot_restore_py as hooks

from functions.chat.streaming.runtime import RuntimeClient, run
from tests.functional.streaming_runtime.api_server import (
    ACCEPTED,
    INIT_ERROR,
    NEXT,
    RESPONSE,
    RESTORE_ERROR,
    RESTORE_NEXT,
    Request,
    api_server,
)

ROOT = Path(__file__).parents[3]
WRAPPER = ROOT / "functions/chat/streaming/exec_wrapper"
HANDLER = "tests.functional.streaming_runtime.stream_handlers.lambda_handler"


def reported(request: Request) -> dict[str, Any]:
    error = request.error
    del error["stackTrace"]
    return {"path": request.path, "type": request.headers["Lambda-Runtime-Function-Error-Type"], **error}


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Calls of hooks; those of imported modules are not registered."""
    monkeypatch.setattr(hooks, "_before_snapshot_registry", [])
    monkeypatch.setattr(hooks, "_after_restore_registry", [])
    return []


@pytest.mark.parametrize(
    ("handler", "kind", "message"),
    [
        ("functions.absent.app.lambda_handler", "ModuleNotFoundError", "No module named 'functions.absent'"),
        ("json.lambda_handler", "AttributeError", "module 'json' has no attribute 'stream_handler'"),
    ],
)
def test_failed_import_is_reported(handler: str, kind: str, message: str):
    with api_server() as server, pytest.raises(SystemExit) as ended:
        run(RuntimeClient(server.address), handler, from_snapshot=False)

    (request,) = server.requests
    assert ended.value.code == 1
    assert reported(request) == {"path": INIT_ERROR, "type": kind, "errorType": kind, "errorMessage": message}


def test_hooks_of_a_snapshot_run_in_the_order_of_the_managed_runtime(registry: list[str]):
    for name in ("first", "second"):
        hooks.register_before_snapshot(registry.append, f"before: {name}")
        hooks.register_after_restore(registry.append, f"after: {name}")
    with api_server() as server, pytest.raises(SystemExit):
        run(RuntimeClient(server.address), HANDLER, from_snapshot=True)

    assert registry == ["before: second", "before: first", "after: first", "after: second"]
    assert [request.path for request in server.requests] == [RESTORE_NEXT, NEXT]


def test_failed_hook_before_a_snapshot_fails_the_initialization(registry: list[str]):
    hooks.register_before_snapshot(int, "seven")
    with api_server() as server, pytest.raises(SystemExit) as ended:
        run(RuntimeClient(server.address), HANDLER, from_snapshot=True)

    (request,) = server.requests
    kind, message = "Runtime.BeforeSnapshotError", "invalid literal for int() with base 10: 'seven'"
    assert ended.value.code == 64
    assert reported(request) == {"path": INIT_ERROR, "type": kind, "errorType": kind, "errorMessage": message}


def test_failed_hook_after_a_restore_is_reported(registry: list[str]):
    hooks.register_after_restore(int, "seven")
    with api_server() as server, pytest.raises(SystemExit) as ended:
        run(RuntimeClient(server.address), HANDLER, from_snapshot=True)

    kind, message = "Runtime.AfterRestoreError", "invalid literal for int() with base 10: 'seven'"
    assert ended.value.code == 65
    assert [request.path for request in server.requests] == [RESTORE_NEXT, RESTORE_ERROR]
    error = reported(server.requests[1])
    assert error == {"path": RESTORE_ERROR, "type": kind, "errorType": kind, "errorMessage": message}


@pytest.mark.parametrize("handler", [HANDLER, "functions.absent.app.lambda_handler"])
def test_wrapper_starts_the_loop_with_the_interpreter_of_the_runtime(handler: str, tmp_path: Path):
    """A folder beside it, such as the current one, takes no part in its imports."""
    (tmp_path / "json.py").write_text("raise AssertionError")
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT / "layers/common/src"),
        "LAMBDA_TASK_ROOT": str(ROOT),
        "_HANDLER": handler,
    }
    command = [str(WRAPPER), sys.executable, "/var/runtime/bootstrap.py"]
    with api_server({"httpMethod": "GET", "do": "pieces"}) as server:
        environment["AWS_LAMBDA_RUNTIME_API"] = server.address
        ended = subprocess.run(  # noqa: S603 # our own script
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
        )

    assert ACCEPTED.startswith(b"HTTP/1.1 202")
    assert (ended.returncode, ended.stderr) == (1, "")
    assert [request.path for request in server.posts()] == [RESPONSE if handler == HANDLER else INIT_ERROR]
    assert [json.loads(line)["level"] for line in ended.stdout.splitlines()] == ["ERROR"]


def test_wrapper_is_executable_and_ends_with_the_folder_of_the_runtime(tmp_path: Path):
    python = tmp_path / "python3"
    python.write_text('#!/bin/sh\necho "$PYTHONPATH" "$@"\n')
    python.chmod(0o755)
    ended = subprocess.run(  # noqa: S603 # our own script
        [str(WRAPPER), str(python)],
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )

    path = "/var/task:/opt/python/lib/python3.13/site-packages:/opt/python:/var/runtime"
    assert ended.stdout == f"{path} -P -m functions.chat.streaming.runtime\n"
