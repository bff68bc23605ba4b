"""The `flexchat` command with scripted responses of a service instead of the network."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest

from cli.client import EVENT_STREAM
from cli.main import main

OPTIONS = ("--url", "https://chat.example", "--token", "tok")


RECORDED = ("prefer", "idempotency-key", "last-event-id")
"""Headers of a recorded request, beside an `Accept` that names a type."""


@dataclass
class SentRequest:
    """A request that the service received, with the relevant headers."""

    method: str
    target: str
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Events(httpx2.SyncByteStream):
    """Event stream: pairs of a name and data, each with the id `1.<position>`; `then` is called at its end."""

    events: Sequence[tuple[str, Any]]
    then: Callable[[], object] = lambda: None

    def __iter__(self) -> Iterator[bytes]:
        for position, (name, data) in enumerate(self.events):
            yield f"id: 1.{position}\nevent: {name}\ndata: {json.dumps(data)}\n\n: heartbeat\n\n".encode()
        self.then()


@dataclass
class Service:
    """Fake service with scripted responses; a request too many fails the test."""

    answers: list[tuple[int, Any]]
    requests: list[SentRequest] = field(default_factory=list[SentRequest])

    def handle(self, request: httpx2.Request) -> httpx2.Response:
        headers_sent = {
            name: request.headers[name]
            for name in ("prefer", "idempotency-key", "last-event-id")
            if name in request.headers
        }
        if request.headers["accept"] != "*/*":
            headers_sent["accept"] = request.headers["accept"]
        is_json = request.headers.get("content-type", "").startswith("application/json")
        body = json.loads(request.content) if is_json and request.content else None
        self.requests.append(SentRequest(request.method, request.url.raw_path.decode(), body, headers_sent))
        status, answer = self.answers.pop(0)
        if isinstance(answer, httpx2.Response):
            return answer
        if isinstance(answer, Events):
            return httpx2.Response(status, request=request, headers={"Content-Type": EVENT_STREAM}, stream=answer)
        return httpx2.Response(status, request=request, json=answer) if answer is not None else httpx2.Response(status)


@dataclass
class Flexchat:
    """Runs commands. `sleeps` are the waits in between, in seconds."""

    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]
    sleeps: list[float] = field(default_factory=list[float])

    def serve(self, *answers: Any) -> Service:
        """A service with these responses: a body with status 200, or a status and a body."""
        service = Service([answer if isinstance(answer, tuple) else (200, answer) for answer in answers])

        def handle(_transport: httpx2.HTTPTransport, request: httpx2.Request) -> httpx2.Response:
            return service.handle(request)

        self.monkeypatch.setattr(httpx2.HTTPTransport, "handle_request", handle)
        self.monkeypatch.setattr("time.sleep", self.sleeps.append)
        return service

    def type(
        self, *arguments: str, options: Sequence[str] = OPTIONS, columns: int = 120, terminal: bool = False
    ) -> tuple[int, str, str]:
        """Return the exit code, and the output with lines of `columns`. Lines have no trailing spaces.

        With `terminal`, standard output says that it is a terminal.
        """
        if terminal:
            self.monkeypatch.setenv("TERM", "dumb")  # without colours
        code, out, err = self.run(*arguments, options=options, columns=columns, terminal=terminal)
        return code, _trimmed(out), _trimmed(err)

    def run(
        self, *arguments: str, options: Sequence[str] = OPTIONS, columns: int = 120, terminal: bool = False
    ) -> tuple[int, str, str]:
        """Return the exit code, and the output with every character."""
        if terminal:
            self.monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        self.monkeypatch.setattr(sys, "argv", ["flexchat", *arguments, *options])
        self.monkeypatch.setenv("COLUMNS", str(columns))
        self.monkeypatch.setenv("PATH", str(Path(sys.executable).parent))  # there, `flexchat` is found by its name
        try:
            main()
            code: Any = 0
        except SystemExit as raised:
            code = raised.code
        printed = self.capsys.readouterr()
        return code or 0, printed.out, printed.err


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines())
