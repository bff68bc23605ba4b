"""Faults of the example server, which break the rules of the protocol on purpose."""

import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NOISE = b"DEBUG: polling the broker, 3 devices found\n"
START_FAILURE = "cannot reach the MQTT broker at mqtt://127.0.0.1:1883"
CRASH = "fatal: the serial port was closed"


@dataclass
class Faults:
    """Switches of one process.

    `pollute` writes a line to stdout that is no message, before each answer. `crash_after` ends the process in the call
    after that number of calls. `slow_start` is in seconds. `version_file` has the version of the tools, read for each
    request; without the file it is `version`.
    """

    pollute: bool = False
    crash_at_start: bool = False
    crash_after: int | None = None
    slow_start: float = 0
    silent: bool = False
    version: int = 1
    version_file: Path | None = None
    calls: int = 0
    # The transport of the SDK diverts descriptor 1 to stderr, so that a stray print breaks no message.
    stdout: int = field(default_factory=lambda: os.dup(1))

    def at_start(self) -> None:
        """Apply the faults of a start; returns unless the process is to end or never to answer."""
        if self.crash_at_start:
            print(START_FAILURE, file=sys.stderr, flush=True)
            raise SystemExit(1)
        time.sleep(self.slow_start)
        if self.silent:
            for _ in sys.stdin:
                pass
            raise SystemExit(0)

    def tools_version(self) -> int:
        """Return the current version of the tools."""
        if self.version_file is None or not self.version_file.exists():
            return self.version
        return int(self.version_file.read_text())

    async def __call__(self, ctx: Any, call_next: Any) -> Any:
        """Middleware: apply the faults of a request."""
        if ctx.method == "tools/call":
            self.calls += 1
            if self.crash_after is not None and self.calls > self.crash_after:
                print(CRASH, file=sys.stderr, flush=True)
                os._exit(3)
        if self.pollute:
            os.write(self.stdout, NOISE)
        return await call_next(ctx)
