"""Program of a test: the runtime loop with the chat function, to the first chat after a restore.

A restore is simulated by a fork. It prints one line of JSON about each of two environments of the snapshot: the open
connections of the snapshot, the state of the random generator after the restore, the modules that the first chat
imports, and its events.
"""

import json
import os
import random
import sys
import time
from collections.abc import Mapping
from email.message import Message
from http.client import HTTPMessage
from pathlib import Path
from typing import Any, cast, override

from functions.chat.streaming.runtime import Response, RuntimeClient, run


class Sent(Response):
    """Response that is collected."""

    body = b""

    def __init__(self) -> None:
        self.is_started = self.is_closed = False

    @override
    def begin(self, metadata: Mapping[str, Any], body: bytes = b"") -> None:
        self.is_started = True
        self.body += body

    @override
    def write(self, data: bytes) -> None:
        self.body += data

    @override
    def finish(self, trailers: Mapping[str, str]) -> None:
        self.is_closed = True


class TwoRestores(RuntimeClient):
    """Runtime API of two environments that are restored one after another, each with one invocation."""

    def __init__(self, event: dict[str, Any]) -> None:
        super().__init__("")
        self._event = event
        self._sent: Sent | None = None
        self._modules = set[str]()
        self._found: dict[str, Any] = {}

    @override
    def restore_next(self) -> None:
        files = [str(file.readlink()) for file in Path("/proc/self/fd").iterdir() if file.is_symlink()]
        self._found = {"connections": [file for file in files if file.startswith("socket:")]}
        self._modules = set(sys.modules)
        for _ in range(2):
            if (child := os.fork()) == 0:
                random.seed(0)  # the state of the snapshot; a fork itself makes another
                return
            os.waitpid(child, 0)
        raise SystemExit

    @override
    def next_invocation(self) -> tuple[HTTPMessage, bytes]:
        if self._sent is not None:
            lines = self._sent.body.decode().splitlines()
            events = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
            self._found |= {"imported": sorted(sys.modules.keys() - self._modules), "events": events}
            sys.stdout.write(f"{json.dumps(self._found)}\n")
            sys.stdout.flush()
            raise SystemExit
        self._found["random"] = hash(random.getstate())
        self._event["requestContext"]["requestTimeEpoch"] = round(time.time() * 1000)
        headers = cast("HTTPMessage", Message())
        headers["Lambda-Runtime-Aws-Request-Id"] = "first"
        headers["Lambda-Runtime-Deadline-Ms"] = str(round(time.time() * 1000) + 60_000)
        return headers, json.dumps(self._event).encode()

    @override
    def open_response(self, id: str, headers: Mapping[str, str]) -> Response:
        self._sent = Sent()
        return self._sent


if __name__ == "__main__":
    run(TwoRestores(json.loads(sys.argv[1])), "functions.chat.app.lambda_handler", from_snapshot=True)
