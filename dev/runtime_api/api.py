"""Runtime API of one execution environment, over HTTP/1.1.

https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html and, for streamed responses,
https://docs.aws.amazon.com/lambda/latest/dg/runtimes-custom.html#runtimes-custom-response-streaming
"""

import asyncio
import base64
import binascii
import contextlib
import json
from collections.abc import Iterable, Mapping
from http import HTTPStatus

import h11

from dev.request_check import STATUS, RequestCheck, refusal_body
from dev.runtime_api.invocation import Invocation

VERSION = "/2018-06-01"
ERROR_TYPE = "lambda-runtime-function-error-type"
ERROR_BODY = "lambda-runtime-function-error-body"
MODE = "lambda-runtime-function-response-mode"
READ_BYTES = 65_536
MAX_HEAD_BYTES = 65_536


class RuntimeApi:
    """Gives a runtime one invocation at a time, and receives its responses.

    `asked` is set while the runtime waits for the next event; `failure` is the error of its initialisation.
    """

    def __init__(self, function_arn: str) -> None:
        self._arn = function_arn
        self._next: asyncio.Queue[Invocation] = asyncio.Queue(1)
        self._current: Invocation | None = None
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self.check = RequestCheck(0)
        self.asked = asyncio.Event()
        self.failed = asyncio.Event()
        self.failure = ""

    async def start(self) -> str:
        """Listen on a free port of the loopback interface; returns the value of AWS_LAMBDA_RUNTIME_API."""
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.check = RequestCheck(self._server.sockets[0].getsockname()[1])
        return f"127.0.0.1:{self.check.port}"

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        connections = list(self._connections)
        for connection in connections:
            connection.cancel()
        await asyncio.gather(*connections, return_exceptions=True)
        if self._server is not None:
            self._server.abort_clients()
            await self._server.wait_closed()

    def invoke(self, invocation: Invocation) -> None:
        """Give the runtime an invocation; it must have asked for one, or be starting."""
        self._current = invocation
        self._next.put_nowait(invocation)

    def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = asyncio.create_task(self._serve(reader, writer))
        self._connections.add(connection)
        connection.add_done_callback(self._connections.discard)
        # Also for a task that is cancelled before it runs.
        connection.add_done_callback(lambda _: writer.transport.abort())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await _Connection(self, reader, writer).serve()
        except (ConnectionError, h11.RemoteProtocolError):
            return
        finally:
            writer.transport.abort()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def next_invocation(self) -> tuple[dict[str, str], bytes]:
        """Return headers and body of the response to GET /runtime/invocation/next."""
        if self._current is not None:
            self._current.end("the runtime asked for the next event without a response")
        self.asked.set()
        invocation = await self._next.get()
        self.asked.clear()
        deadline_ms = invocation.deadline_ms()
        headers = {
            "Content-Type": "application/json",
            "Lambda-Runtime-Aws-Request-Id": invocation.id,
            "Lambda-Runtime-Deadline-Ms": str(deadline_ms),
            "Lambda-Runtime-Invoked-Function-Arn": self._arn,
            "Lambda-Runtime-Trace-Id": f"Root=1-{deadline_ms // 1000:08x}-{invocation.id[-12:]:0>24};Sampled=0",
        }
        return headers, invocation.event

    def current(self, id: str) -> Invocation | None:
        """Return the running invocation, if `id` is its id."""
        return self._current if self._current is not None and self._current.id == id else None

    def fail(self, error: str) -> None:
        """Note that the initialisation has failed."""
        self.failure = error
        self.failed.set()


class _Connection:
    """One HTTP connection of a runtime."""

    def __init__(self, api: RuntimeApi, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._api = api
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD_BYTES)

    async def serve(self) -> None:
        while True:
            event = await self._event()
            if not isinstance(event, h11.Request):
                return
            reason = self._api.check.refusal((name.decode(), value.decode("latin-1")) for name, value in event.headers)
            if reason is None:
                await self._answer(event.method, event.target.decode().removeprefix(VERSION), _headers(event.headers))
            else:
                await self._body()
                await self._send(STATUS, {"Content-Type": "application/json"}, refusal_body(reason))
            if self._http.our_state is h11.MUST_CLOSE:
                return
            self._http.start_next_cycle()

    async def _answer(self, method: bytes, path: str, headers: Mapping[str, str]) -> None:
        match method, path.strip("/").split("/"):
            case b"GET", ["runtime", "invocation", "next"]:
                await self._body()
                await self._send(HTTPStatus.OK, *await self._api.next_invocation())
            case b"POST", ["runtime", "invocation", id, "response"] if (found := self._api.current(id)) is not None:
                await self._receive(found, headers)
                await self._accept()
            case b"POST", ["runtime", "invocation", id, "error"] if (found := self._api.current(id)) is not None:
                found.end(error_text(await self._body()))
                await self._accept()
            case b"POST", ["runtime", ("init" | "restore"), "error"]:
                self._api.fail(error_text(await self._body()))
                await self._accept()
            case b"GET", ["runtime", "restore", "next"]:
                await self._body()
                await self._send(HTTPStatus.OK, {}, b"")
            case _:
                await self._body()
                await self._refuse(HTTPStatus.FORBIDDEN, "Invalid request ID or path")

    async def _receive(self, invocation: Invocation, headers: Mapping[str, str]) -> None:
        """Pass the pieces of a response on, and the error in its trailers."""
        invocation.streams = headers.get(MODE) == "streaming"
        invocation.on_abandon(self._writer.transport.abort)
        while True:
            event = await self._event()
            if isinstance(event, h11.Data):
                await invocation.add(bytes(event.data))
            elif isinstance(event, h11.EndOfMessage):
                trailers = _headers(event.headers)
                invocation.end(_trailer_error(trailers) if ERROR_TYPE in trailers else None)
                return
            else:
                invocation.end("the runtime closed the connection before the end of its response")
                raise ConnectionResetError

    async def _body(self) -> bytes:
        pieces: list[bytes] = []
        while isinstance(event := await self._event(), h11.Data):
            pieces.append(bytes(event.data))
        return b"".join(pieces)

    async def _event(self) -> object:
        while True:
            event = self._http.next_event()
            if event is not h11.NEED_DATA:
                return event
            if self._http.they_are_waiting_for_100_continue:
                self._write(h11.InformationalResponse(status_code=100, headers=[]))
            try:
                self._http.receive_data(await self._reader.read(READ_BYTES))
            except ConnectionError:
                return h11.ConnectionClosed()

    async def _accept(self) -> None:
        await self._send(HTTPStatus.ACCEPTED, {"Content-Type": "application/json"}, b'{"status":"OK"}\n')

    async def _refuse(self, status: HTTPStatus, message: str) -> None:
        body = json.dumps({"errorMessage": message, "errorType": "InvalidRequestID"}).encode()
        await self._send(status, {"Content-Type": "application/json"}, body)

    async def _send(self, status: HTTPStatus, headers: Mapping[str, str], body: bytes) -> None:
        lines = [*headers.items(), ("Content-Length", str(len(body)))]
        self._write(h11.Response(status_code=status, headers=lines), h11.Data(data=body), h11.EndOfMessage())
        await self._writer.drain()

    def _write(self, *events: h11.InformationalResponse | h11.Response | h11.Data | h11.EndOfMessage) -> None:
        self._writer.write(b"".join(self._http.send(event) or b"" for event in events))


def error_text(body: bytes) -> str:
    """Return type and message of an error document `{"errorType", "errorMessage", "stackTrace"}`."""
    try:
        error: dict[str, object] = json.loads(body)
        return f"{error['errorType']}: {error['errorMessage']}"
    except (ValueError, KeyError, TypeError):
        return body.decode(errors="replace") or "the function failed"


def _trailer_error(trailers: Mapping[str, str]) -> str:
    try:
        return error_text(base64.b64decode(trailers.get(ERROR_BODY, ""), validate=True))
    except binascii.Error:
        return trailers[ERROR_TYPE]


def _headers(lines: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    return {name.decode(): value.decode("latin-1") for name, value in lines}
