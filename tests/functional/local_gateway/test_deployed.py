"""A function's archive and layers are laid out as by Lambda, and its wrapper is started with its environment."""

import os
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from dev.local_gateway.deployed import runtime_process
from dev.local_gateway.function_logs import FunctionLogs


def archive(path: Path, **files: str) -> str:
    with ZipFile(path, "w") as made:
        for name, text in files.items():
            made.writestr(name, text)
    return path.as_uri()


def test_a_runtime_has_the_code_and_the_environment_of_its_function(tmp_path: Path) -> None:
    function = {
        "Code": {"Location": archive(tmp_path / "code.zip", wrapper="#!/bin/sh\n")},
        "Configuration": {
            "FunctionName": "flexchat-local-stream",
            "FunctionArn": "arn:f",
            "MemorySize": 512,
            "Version": "3",
            "Timeout": 300,
            "Handler": "functions.chat.app.lambda_handler",
            "Environment": {"Variables": {"STAGE": "local", "AWS_LAMBDA_EXEC_WRAPPER": "/var/task/wrapper"}},
        },
    }
    layer = archive(tmp_path / "layer.zip", **{"python/flexchat.py": "VALUE = 1\n"})
    own = {"AWS_ENDPOINT_URL": "http://127.0.0.1:1", "AWS_ACCESS_KEY_ID": "AKIATHEKEYOFTHESTACK"}
    environ = {"PATH": "/bin", "SECRET": "s", "FUNCTION_PYTHONPATH": "/rec", **own}

    runtime = runtime_process(function, [layer], tmp_path / "f", environ)

    folder = tmp_path / "f"
    assert (folder / "opt" / "python" / "flexchat.py").read_text() == "VALUE = 1\n"
    assert runtime.command[0] == str(folder / "task" / "wrapper")
    assert os.access(runtime.command[0], os.X_OK)
    assert (runtime.folder, runtime.function_arn, runtime.timeout) == (folder / "task", "arn:f", 300)
    assert runtime.environment == {
        "PATH": "/bin",
        "STAGE": "local",
        "AWS_LAMBDA_EXEC_WRAPPER": "/var/task/wrapper",
        **own,
        "AWS_LAMBDA_FUNCTION_NAME": "flexchat-local-stream",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512",
        "AWS_LAMBDA_FUNCTION_VERSION": "3",
        "AWS_LAMBDA_LOG_GROUP_NAME": "/aws/lambda/flexchat-local-stream",
        "AWS_LAMBDA_LOG_STREAM_NAME": "local",
        "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
        "LAMBDA_TASK_ROOT": str(folder / "task"),
        "LAMBDA_RUNTIME_DIR": str(folder / "runtime"),
        "PYTHONPATH": f"/rec{os.pathsep}{folder / 'opt' / 'python'}",
        "_HANDLER": "functions.chat.app.lambda_handler",
    }


class ResourceAlreadyExistsException(Exception):  # noqa: N818 - the service's name
    """Error of CloudWatch Logs."""


class Logs:
    """CloudWatch Logs with an existing group."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []

    def create_log_group(self, **request: Any) -> object:
        raise ResourceAlreadyExistsException(request)

    def create_log_stream(self, **request: Any) -> object:
        return request

    def put_log_events(self, **request: Any) -> object:
        self.lines.append((request["logGroupName"], request["logEvents"][0]["message"]))
        return None


def test_lines_of_a_function_are_written_to_its_log_group() -> None:
    logs = Logs()
    written = FunctionLogs(logs)

    written.add("flexchat-local-stream", b'{"message": "a"}\n')
    written.add("flexchat-local-stream", b'{"message": "b"}\n')
    written.close()

    group = "/aws/lambda/flexchat-local-stream"
    assert logs.lines == [(group, '{"message": "a"}'), (group, '{"message": "b"}')]
