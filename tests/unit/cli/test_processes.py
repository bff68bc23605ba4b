"""Start and end of child processes."""

import os
import signal
import sys
from collections.abc import Iterator
from copy import replace
from pathlib import Path

import pytest

from cli.errors import LocalError, StoppedError
from cli.processes import OwnedProcess, Processes, last_words
from cli.system import find_process, group_is_alive, wait_until
from dev.local_stack.emulator import free_port

FOREVER = [sys.executable, "-c", "import signal; print('up', flush=True); signal.pause()"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True)\nwhile True: signal.pause()",
]
CHILD = "import signal; signal.pause()"
PARENT = [
    sys.executable,
    "-c",
    f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', '{CHILD}']); print('up', flush=True); {CHILD}",
]


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    processes = Processes(tmp_path / "run" / "processes.json")
    yield processes
    processes.stop_all()


def start(processes: Processes, tmp_path: Path, command: list[str], name: str = "server") -> OwnedProcess:
    log = tmp_path / f"{name}.log"
    process = processes.start(name, command, env=os.environ, cwd=tmp_path, log=log)
    assert wait_until(lambda: "up" in log.read_text(), seconds=20)
    return process


def test_a_stopped_process_is_stopped_with_its_children(processes: Processes, tmp_path: Path) -> None:
    process = start(processes, tmp_path, PARENT)
    assert processes.running == (process,)

    processes.stop_all()

    assert not group_is_alive(process.pid)
    assert processes.running == ()


@pytest.mark.slow
def test_a_process_that_ignores_the_signal_is_killed(
    processes: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start(processes, tmp_path, STUBBORN)
    monkeypatch.setattr("cli.system.stop_group.__kwdefaults__", {"patience": 0.1})

    processes.stop(process)

    assert not process.alive


def test_a_later_command_stops_processes_of_a_crashed_one(processes: Processes, tmp_path: Path) -> None:
    process = start(processes, tmp_path, FOREVER)

    later = Processes(tmp_path / "run" / "processes.json")
    assert later.running == (process,)
    later.stop_all()

    os.waitpid(process.pid, 0)
    assert not process.alive
    assert Processes(tmp_path / "run" / "processes.json").running == ()


def test_a_process_with_a_reused_id_is_not_stopped(processes: Processes, tmp_path: Path) -> None:
    process = start(processes, tmp_path, FOREVER)
    reused = replace(process, started="long ago")

    processes.stop(reused)

    assert not reused.alive
    assert process.alive


def test_an_exited_process_is_not_alive(processes: Processes, tmp_path: Path) -> None:
    process = start(processes, tmp_path, FOREVER)
    os.kill(process.pid, signal.SIGKILL)

    assert wait_until(lambda: not process.alive, seconds=10)
    assert processes.running == ()


def test_a_truncated_record_counts_as_empty(tmp_path: Path) -> None:
    record = tmp_path / "processes.json"
    record.write_text('[{"name": "serv')

    assert Processes(record).running == ()


def test_a_successful_command_leaves_its_output_in_the_log(processes: Processes, tmp_path: Path) -> None:
    log = tmp_path / "log" / "hello.log"

    processes.complete("hello", ["echo", "hello"], env=os.environ, cwd=tmp_path, log=log)

    assert log.read_text() == "hello\n"
    assert processes.running == ()


def test_a_failed_command_is_reported_with_its_last_output_and_its_log(processes: Processes, tmp_path: Path) -> None:
    log = tmp_path / "build.log"
    command = ["sh", "-c", "echo building; echo 'Error: no such layer'; exit 3"]

    with pytest.raises(LocalError) as raised:
        processes.complete("sam build", command, env=os.environ, cwd=tmp_path, log=log)

    assert str(raised.value) == f"sam build failed: Error: no such layer\n  log: {log}"


def test_a_missing_command_is_reported(processes: Processes, tmp_path: Path) -> None:
    with pytest.raises(LocalError, match=r"sam build could not be started: .*No such file"):
        processes.complete("sam build", ["/nowhere/sam"], env=os.environ, cwd=tmp_path, log=tmp_path / "x.log")


def test_no_process_starts_during_shutdown(processes: Processes, tmp_path: Path) -> None:
    processes.stop_all()

    with pytest.raises(StoppedError):
        processes.start("late", FOREVER, env=os.environ, cwd=tmp_path, log=tmp_path / "late.log")


@pytest.mark.parametrize(
    ("log", "arguments"),
    [
        ("", "it had no output"),
        ("one\ntwo\nthree\nfour\n\n", "two three four"),
        ("Error: early\nmore\nError: late\nwhy\n", "Error: late why"),
        ("ERROR: port is in use\n  try another\n  a\n  b\n", "ERROR: port is in use try another a"),
    ],
)
def test_the_reason_is_the_last_error_or_the_last_lines(tmp_path: Path, log: str, arguments: str) -> None:
    path = tmp_path / "x.log"
    path.write_text(log)

    assert last_words(path) == arguments


def test_this_process_is_alive_and_a_free_port_is_valid() -> None:
    entry = find_process(os.getpid())

    assert entry is not None
    assert (entry.pid, entry.group) == (os.getpid(), os.getpgrp())
    assert 1024 < free_port() < 65536
