"""Runtime loop of the streaming function, which speaks Lambda's Runtime API; `exec_wrapper` starts it.

The managed Python runtime does not stream responses. This loop does
(https://docs.aws.amazon.com/lambda/latest/dg/runtimes-custom.html#runtimes-custom-response-streaming). It imports the
standard library alone until it imports the module of the handler, so that a failed import is reported.
"""

import base64
import importlib
import json
import os
import select
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPResponse
from pathlib import Path
from typing import Any, NoReturn

MAX_FRAMES, MAX_MESSAGE, MAX_CAUSE_BYTES = 50, 4_096, 32_768
RUNTIME = Path(__file__).with_name("runtime.py")


def error_of(exc: BaseException) -> dict[str, Any]:
    """Return an error as the managed runtime reports it."""
    stack = traceback.format_list(frames_of(exc))
    return {"errorType": type(exc).__name__, "errorMessage": str(exc)[:MAX_MESSAGE], "stackTrace": stack}


def cause_of(exc: BaseException) -> dict[str, str]:
    """Return the header that shows the error in its X-Ray trace."""
    frames = frames_of(exc)
    stack = [{"label": frame.name, "path": frame.filename, "line": frame.lineno} for frame in frames]
    error = {"message": str(exc)[:MAX_MESSAGE], "type": type(exc).__name__, "stack": stack}
    paths = sorted({frame.filename for frame in frames})
    cause = json.dumps({"working_directory": str(Path.cwd()), "exceptions": [error], "paths": paths})
    return {"Lambda-Runtime-Function-XRay-Error-Cause": cause} if len(cause) <= MAX_CAUSE_BYTES else {}


def frames_of(exc: BaseException) -> list[traceback.FrameSummary]:
    """Return the innermost frames of the handler, without the runtime's own."""
    frames = traceback.extract_tb(exc.__traceback__)[-MAX_FRAMES:]
    return [frame for frame in frames if Path(frame.filename) != RUNTIME]


def log(level: str, **fields: Any) -> None:
    """Print a line in the JSON format of Lambda's logs; START, END and REPORT are written by Lambda itself."""
    timestamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    print(json.dumps({"timestamp": timestamp, "level": level, **fields}), flush=True)  # noqa: T201


HANDLER = "stream_handler"
"""Function beside the configured handler, called as `stream_handler(event, context, stream)`."""

AFTER_RESPONSE = "after_response"
"""Function beside it for work after the end of each response, which no client waits for."""

API = "/2018-06-01/runtime"
ERROR_TYPE = "Lambda-Runtime-Function-Error-Type"
ERROR_BODY = "Lambda-Runtime-Function-Error-Body"
STREAMED = {
    "Lambda-Runtime-Function-Response-Mode": "streaming",
    "Transfer-Encoding": "chunked",
    "Content-Type": "application/vnd.awslambda.http-integration-response",
    "Trailer": f"{ERROR_TYPE}, {ERROR_BODY}",
}
DELIMITER = bytes(8)
"""End of the metadata of a response, before its body."""

WRITE_SECONDS = 60.0
"""Time for one piece of a response; a connection that accepts none for longer counts as closed."""


type Handler = Callable[[Any, "RuntimeContext", "Response"], Any]


class RuntimeContext:
    """Context of an invocation, with the attributes of the managed runtime's."""

    identity = client_context = None

    def __init__(self, headers: HTTPMessage) -> None:
        self.aws_request_id = headers["Lambda-Runtime-Aws-Request-Id"]
        self.invoked_function_arn = headers.get("Lambda-Runtime-Invoked-Function-Arn")
        self.tenant_id = headers.get("Lambda-Runtime-Aws-Tenant-Id")
        self.function_name = os.environ.get("AWS_LAMBDA_FUNCTION_NAME")
        self.function_version = os.environ.get("AWS_LAMBDA_FUNCTION_VERSION")
        self.memory_limit_in_mb = os.environ.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE")
        self.log_group_name = os.environ.get("AWS_LAMBDA_LOG_GROUP_NAME")
        self.log_stream_name = os.environ.get("AWS_LAMBDA_LOG_STREAM_NAME")
        self._deadline_ms = int(headers["Lambda-Runtime-Deadline-Ms"])

    def get_remaining_time_in_millis(self) -> int:
        return max(0, self._deadline_ms - int(time.time() * 1000))


class Response:
    """Streamed response to one invocation; its methods raise StreamClosedError when its connection is closed."""

    def __init__(self, connection: HTTPConnection, path: str, headers: Mapping[str, str]) -> None:
        self._connection = connection
        self._path = path
        self._headers = headers
        self._lock = threading.Lock()
        self.is_started = self.is_closed = False

    def start(self, status: int, headers: Mapping[str, str]) -> None:
        self.begin({"statusCode": status, "headers": dict(headers)})

    def begin(self, metadata: Mapping[str, Any], body: bytes = b"") -> None:
        """Send the metadata of the response, and the beginning of its body. Raises RuntimeError for a second start."""
        with self._lock:
            if self.is_started:
                raise RuntimeError("the response is already started")
            self.is_started = True
            try:
                self._connection.connect()
                self._connection.putrequest("POST", self._path, skip_accept_encoding=True)
                for name, value in {**STREAMED, **self._headers}.items():
                    self._connection.putheader(name, value)
                self._connection.endheaders()
            except OSError as exc:
                raise self._disconnected() from exc
            self._send(json.dumps(metadata).encode() + DELIMITER)
            if body:
                self._send(body)

    def write(self, data: bytes) -> None:
        """Send a piece of the body at once."""
        with self._lock:
            if not self.is_started:
                raise RuntimeError("start the response before its body")
            if data:  # an empty piece would end the response
                self._send(data)

    def finish(self, trailers: Mapping[str, str]) -> None:
        """End the response, unless the connection is closed, and wait for the answer of the Runtime API."""
        with self._lock:
            if self.is_closed:
                return
            self.is_closed = True
            lines = [f"{name}: {value}\r\n" for name, value in trailers.items()]
            try:
                self._connection.send(f"0\r\n{''.join(lines)}\r\n".encode())
                self._connection.sock.settimeout(None)
                response = self._connection.getresponse()
                check(response, response.read(), self._path)
            except (OSError, HTTPException) as exc:
                log("INFO", message="response closed before its end", reason=repr(exc))
            finally:
                self._connection.close()

    def _send(self, data: bytes) -> None:
        if self.is_closed:
            raise self._disconnected()
        try:
            answered = select.poll()
            answered.register(self._connection.sock, select.POLLIN)
            if answered.poll(0):
                raise ConnectionError("the Runtime API rejected the response or closed its connection")
            self._connection.send(b"%x\r\n%b\r\n" % (len(data), data))
        except OSError as exc:
            raise self._disconnected() from exc

    def _disconnected(self) -> Exception:
        self.is_closed = True
        self._connection.close()
        return closed_error()("the connection of the response is closed")


def closed_error() -> type[Exception]:
    """Return the error that handlers expect for a closed connection."""
    from flexchat.http_api.streams import StreamClosedError

    return StreamClosedError


class RuntimeClient:
    """Requests to the Runtime API at `address`; each has its own connection, so that none is part of a snapshot."""

    def __init__(self, address: str) -> None:
        self._address = address

    def next_invocation(self) -> tuple[HTTPMessage, bytes]:
        """Wait for an event; return its headers and body."""
        response, body = self._request("GET", f"{API}/invocation/next")
        return response.msg, body

    def restore_next(self) -> None:
        """Wait until Lambda has restored a snapshot."""
        self._request("GET", f"{API}/restore/next")

    def open_response(self, id: str, headers: Mapping[str, str]) -> Response:
        return Response(
            HTTPConnection(self._address, timeout=WRITE_SECONDS), f"{API}/invocation/{id}/response", headers
        )

    def respond(self, id: str, body: bytes, headers: Mapping[str, str]) -> None:
        """Send a response in one piece."""
        self._request("POST", f"{API}/invocation/{id}/response", body, {"Content-Type": "application/json", **headers})

    def report(self, path: str, error: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        """Send an error, of an invocation, the initialization or a restore."""
        headers = {"Content-Type": "application/vnd.aws.lambda.error+json", ERROR_TYPE: error["errorType"], **headers}
        self._request("POST", f"{API}/{path}", json.dumps(error).encode(), headers)

    def _request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[HTTPResponse, bytes]:
        connection = HTTPConnection(self._address)
        try:
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            text = response.read()
        except (OSError, HTTPException) as exc:
            fail(f"the Runtime API did not answer {method} {path}: {exc!r}")
        finally:
            connection.close()
        check(response, text, path)
        return response, text


def check(response: HTTPResponse, text: bytes, path: str) -> None:
    """Log a rejected response or error; exit when the environment cannot be used again."""
    if response.status in {HTTPStatus.OK, HTTPStatus.ACCEPTED}:
        return
    answer = f"the Runtime API answered {path} with {response.status}: {text[:MAX_MESSAGE].decode(errors='replace')}"
    # A rejected response, such as one that is too large (413), is the end of its invocation alone.
    if path.endswith("/next") or response.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        fail(answer)
    log("ERROR", message=answer)


def run(client: RuntimeClient, handler_name: str, *, from_snapshot: bool) -> NoReturn:
    """Import the handler, and handle events until Lambda ends the process."""
    try:
        module = importlib.import_module(handler_name.rpartition(".")[0])
        handler: Handler = getattr(module, HANDLER)
        after_response: Callable[[], None] = getattr(module, AFTER_RESPONSE)
    except BaseException as exc:  # noqa: BLE001 # also SystemExit: the process ends with its report
        exit_with(client, "init/error", error_of(exc), 1)
    if from_snapshot:
        restore(client)
    while True:
        headers, body = client.next_invocation()
        handle(client, handler, headers, body)
        finish(after_response)


def restore(client: RuntimeClient) -> None:
    """Run the hooks of SnapStart before the snapshot and after its restore, in the order of the managed runtime."""
    hooks: Any = importlib.import_module("snapshot_restore_py")  # part of Lambda's runtime
    try:
        before = hooks.get_before_snapshot()
        while before:
            function, args, kwargs = before.pop()
            function(*args, **kwargs)
    except BaseException as exc:  # noqa: BLE001
        exit_with(client, "init/error", {**error_of(exc), "errorType": "Runtime.BeforeSnapshotError"}, 64)
    client.restore_next()
    try:
        for function, args, kwargs in hooks.get_after_restore():
            function(*args, **kwargs)
    except BaseException as exc:  # noqa: BLE001
        exit_with(client, "restore/error", {**error_of(exc), "errorType": "Runtime.AfterRestoreError"}, 65)


def exit_with(client: RuntimeClient, path: str, error: Mapping[str, Any], status: int) -> NoReturn:
    log("ERROR", message="initialization failed", **error)
    client.report(path, error, {})
    raise SystemExit(status)


def handle(client: RuntimeClient, handler: Handler, headers: HTTPMessage, body: bytes) -> None:
    """Handle one event. An error of the handler that is no Exception, such as SystemExit, ends the process."""
    request_id = headers["Lambda-Runtime-Aws-Request-Id"]
    invocation = headers.get("Lambda-Runtime-Invocation-Id")
    echoed = {"Lambda-Runtime-Invocation-Id": invocation} if invocation else {}
    os.environ.pop("_X_AMZN_TRACE_ID", None)
    if trace := headers.get("Lambda-Runtime-Trace-Id"):
        os.environ["_X_AMZN_TRACE_ID"] = trace
    response = client.open_response(request_id, echoed)
    text = b""
    try:
        event = json.loads(body)
        result = handler(event, RuntimeContext(headers), response)
        if "httpMethod" not in event:
            text = json.dumps(result).encode()
        elif result is not None or not response.is_started:
            response.begin(*whole(result))
    except BaseException as exc:
        if isinstance(exc, closed_error()):
            log("INFO", message="response closed before its end", requestId=request_id)
            return
        error = {**error_of(exc), "requestId": request_id}
        log("ERROR", message="invocation failed", **error)
        if response.is_started:
            encoded = base64.b64encode(json.dumps(error).encode()).decode()
            response.finish({ERROR_TYPE: error["errorType"], ERROR_BODY: encoded})
        else:
            client.report(f"invocation/{request_id}/error", error, {**echoed, **cause_of(exc)})
        if not isinstance(exc, Exception):
            raise SystemExit(1) from exc
        return
    if text:
        client.respond(request_id, text, echoed)
    else:
        response.finish({})


def finish(after_response: Callable[[], None]) -> None:
    """Do the work after a response; its failure is no failure of the invocation."""
    try:
        after_response()
    except Exception as exc:  # noqa: BLE001
        log("ERROR", message="work after the response failed", **error_of(exc))


def whole(result: Any) -> tuple[dict[str, Any], bytes]:
    """Return metadata and body of a response in one piece, as a REST API expects it from a function."""
    if result is None:
        raise TypeError("the handler returned no response")
    metadata = {name: result[name] for name in ("statusCode", "headers", "multiValueHeaders") if result.get(name)}
    text = result.get("body") or ""
    return metadata, base64.b64decode(text) if result.get("isBase64Encoded") else text.encode()


def fail(message: str) -> NoReturn:
    log("ERROR", message=message)
    raise SystemExit(1)


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    snapshot = os.environ.get("AWS_LAMBDA_INITIALIZATION_TYPE") == "snap-start"
    run(RuntimeClient(os.environ["AWS_LAMBDA_RUNTIME_API"]), os.environ["_HANDLER"], from_snapshot=snapshot)
