"""Output of the functions' processes: in the log file of the gateway, and in the log groups of the emulator."""

import sys
import time
from collections.abc import Mapping
from queue import SimpleQueue
from threading import Thread
from typing import Any, Protocol

STREAM = "local-gateway"


class Logs(Protocol):
    """Operations of CloudWatch Logs that are used."""

    def create_log_group(self, **request: Any) -> object: ...

    def create_log_stream(self, **request: Any) -> object: ...

    def put_log_events(self, **request: Any) -> object: ...


class FunctionLogs:
    """Writes lines in a thread, so that a response never waits for a log."""

    def __init__(self, logs: Logs) -> None:
        self._logs = logs
        self._lines: SimpleQueue[tuple[str, Mapping[str, Any]] | None] = SimpleQueue()
        self._groups: set[str] = set()
        self._thread = Thread(target=self._write, daemon=True)
        self._thread.start()

    def add(self, function: str, line: bytes) -> None:
        """Add a line of the output of `function`."""
        text = line.decode(errors="replace").rstrip("\n")
        self._lines.put((function, {"timestamp": int(time.time() * 1000), "message": text}))

    def close(self) -> None:
        """Write the lines that remain."""
        self._lines.put(None)
        self._thread.join()

    def _write(self) -> None:
        while (entry := self._lines.get()) is not None:
            function, event = entry
            print(event["message"], file=sys.stderr, flush=True)
            try:
                self._put(f"/aws/lambda/{function}", event)
            except Exception as error:  # noqa: BLE001 - a lost line must not end the gateway
                print(f"a log line was lost: {error}", file=sys.stderr, flush=True)

    def _put(self, group: str, event: Mapping[str, Any]) -> None:
        if group not in self._groups:
            for create, names in (
                (self._logs.create_log_group, {"logGroupName": group}),
                (self._logs.create_log_stream, {"logGroupName": group, "logStreamName": STREAM}),
            ):
                try:
                    create(**names)
                except Exception as error:
                    if type(error).__name__ != "ResourceAlreadyExistsException":
                        raise
            self._groups.add(group)
        self._logs.put_log_events(logGroupName=group, logStreamName=STREAM, logEvents=[event])
