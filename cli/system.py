"""Processes of the operating system."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")

LOOPBACK = "127.0.0.1,localhost,::1"
"""Names of this machine in the variable `NO_PROXY`."""


@dataclass(frozen=True, slots=True)
class ProcessEntry:
    """Living process: its group, and its start time in the system's format."""

    pid: int
    group: int
    started: str


def find_process(pid: int) -> ProcessEntry | None:
    """Return the process with this id, or None when it has ended or is a zombie."""
    if PROC.is_dir():
        return _from_proc(pid)
    return next((entry for entry in _from_ps("-p", str(pid)) if entry.pid == pid), None)


def group_is_alive(group: int) -> bool:
    """Return true when a process of the group runs."""
    if PROC.is_dir():
        pids = (int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit())
        entries = (_from_proc(pid) for pid in pids)
        return any(entry is not None and entry.group == group for entry in entries)
    return any(entry.group == group for entry in _from_ps("-A"))


def bypass_proxy_for_loopback(environ: MutableMapping[str, str]) -> None:
    """Make the HTTP clients of this process and its children reach this machine without a proxy of the environment."""
    environ.update(loopback_exceptions(environ))


def loopback_exceptions(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables with the hosts that need no proxy: this machine, and those of `environ`."""
    own = environ.get("NO_PROXY") or environ.get("no_proxy")
    listed = LOOPBACK if not own else own if own.startswith(LOOPBACK) else f"{LOOPBACK},{own}"
    return {"NO_PROXY": listed, "no_proxy": listed}


def stop_group(group: int, *, patience: float) -> None:
    """End every process of the group with SIGTERM, and after `patience` seconds with SIGKILL."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, sign)
        if wait_until(lambda: not group_is_alive(group), seconds=patience):
            return


def wait_until(condition: Callable[[], bool], *, seconds: float, pause: float = 0.05) -> bool:
    """Poll until `condition` is true or `seconds` have passed; return the last result."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= end:
            return False
        time.sleep(pause)
    return True


def _from_proc(pid: int) -> ProcessEntry | None:
    try:
        text = (PROC / str(pid) / "stat").read_text()
    except OSError:
        return None
    # The command's name is in parentheses and may contain anything; the fields after it are fixed (proc(5)).
    state, _, group, *rest = text.rpartition(")")[2].split()
    return None if state in "ZX" else ProcessEntry(pid, int(group), rest[16])


def _from_ps(*selection: str) -> Iterator[ProcessEntry]:
    command = ["ps", *selection, "-o", "pid=,pgid=,stat=,lstart="]
    for line in subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines():
        pid, group, state, started = line.split(maxsplit=3)
        if not state.startswith("Z"):
            yield ProcessEntry(int(pid), int(group), started)
