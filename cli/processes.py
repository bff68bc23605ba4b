"""Processes of the local stack, recorded on disk so that they can be stopped after a crash."""

import contextlib
import json
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cli.errors import LocalError, StoppedError
from cli.files import PRIVATE_FOLDER, open_private, write_private
from cli.system import find_process, stop_group

REASON_LINES = 3


@dataclass(frozen=True, slots=True)
class OwnedProcess:
    """Started process, the leader of its own group.

    `started` distinguishes it from a later process with the same id.
    """

    name: str
    pid: int
    started: str

    @property
    def alive(self) -> bool:
        entry = find_process(self.pid)
        return entry is not None and entry.started == self.started


class Processes:
    """Starts processes, each in its own group, and stops exactly those.

    `record` is a JSON file that lists them, written at every start; parallel steps share one instance. A process has
    `patience` seconds to end after SIGTERM.
    """

    def __init__(self, record: Path, *, patience: float = 5.0) -> None:
        self._record = record
        self._patience = patience
        self._lock = threading.Lock()
        self._owned: list[OwnedProcess] = _read(record)
        self._children: dict[int, subprocess.Popen[bytes]] = {}
        self._stopping = False

    @property
    def running(self) -> tuple[OwnedProcess, ...]:
        self._collect()
        with self._lock:
            return tuple(process for process in self._owned if process.alive)

    def start(
        self, name: str, command: Sequence[str | Path], *, env: Mapping[str, str], cwd: Path, log: Path
    ) -> OwnedProcess:
        """Start `command` in the background with its output in `log`; other users cannot read the files it makes."""
        with self._lock:
            if self._stopping:
                raise StoppedError(f"{name} was not started: the stack is being stopped")
            with open_private(log) as output:
                try:
                    child = subprocess.Popen(
                        [str(word) for word in command],
                        env=dict(env),
                        cwd=cwd,
                        stdin=subprocess.DEVNULL,
                        stdout=output,
                        stderr=subprocess.STDOUT,
                        start_new_session=True,
                        umask=~PRIVATE_FOLDER & 0o777,
                    )
                except OSError as error:
                    raise LocalError(f"{name} could not be started: {error}") from error
            entry = find_process(child.pid)
            process = OwnedProcess(name, child.pid, entry.started if entry else "")
            self._children[child.pid] = child
            self._owned.append(process)
            self._write()
        return process

    def complete(
        self, name: str, command: Sequence[str | Path], *, env: Mapping[str, str], cwd: Path, log: Path
    ) -> None:
        """Run `command` to its end. Raises LocalError with its last output when it fails."""
        process = self.start(name, command, env=env, cwd=cwd, log=log)
        status = self._children[process.pid].wait()
        if self._stopping:
            raise StoppedError(f"{name} was stopped")
        self._forget(process)
        if status:
            raise LocalError(f"{name} failed: {last_words(log)}", log=log)

    def stop(self, process: OwnedProcess) -> None:
        """Stop a process and its group, if it is still the started one."""
        if process.alive:
            stop_group(process.pid, patience=self._patience)
        if child := self._children.get(process.pid):
            # A killed process is a zombie already while its other threads end: only then can it be collected.
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(self._patience)
        self._forget(process)

    def stop_all(self) -> None:
        """Stop every process, the latest first, and reject further starts."""
        with self._lock:
            self._stopping = True
            owned = list(reversed(self._owned))
        for process in owned:
            self.stop(process)

    def _forget(self, process: OwnedProcess) -> None:
        with self._lock:
            if process in self._owned:
                self._owned.remove(process)
                self._write()

    def _collect(self) -> None:
        for child in list(self._children.values()):
            child.poll()

    def _write(self) -> None:
        write_private(self._record, json.dumps([asdict(process) for process in self._owned]))


def last_words(log: Path) -> str:
    """Return the reason of a failure from a log: from its last error line, else its last lines."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    faults = [number for number, line in enumerate(lines) if line.lower().startswith("error")]
    chosen = lines[faults[-1] :] if faults else lines[-REASON_LINES:]
    return " ".join(chosen[:REASON_LINES]) or "it had no output"


def _read(record: Path) -> list[OwnedProcess]:
    try:
        entries: list[dict[str, Any]] = json.loads(record.read_text())
    except (FileNotFoundError, ValueError):
        return []
    return [OwnedProcess(**entry) for entry in entries]
