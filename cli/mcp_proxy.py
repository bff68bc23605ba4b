"""MCP server over stdio as a proxy of a service: each line is a JSON-RPC message for its `/mcp`."""

import base64
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING, Final, cast

from cli.errors import ServiceError
from cli.transport import refusal
from flexchat.json import JsonError, dumps, safe_loads
from flexchat.messages import Json

if TYPE_CHECKING:
    import httpx2

MAX_PARALLEL: Final = 16
"""Maximum number of requests at the same time."""

PARSE_ERROR: Final = -32700
SERVICE_ERROR: Final = -32000
VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"

type Send = Callable[[bytes, Mapping[str, str]], "httpx2.Response"]
"""Sends a message with headers to the service. Raises ServiceError without a response."""


class McpProxy:
    """Proxy of one client: `write` receives each line of the output, `report` diagnostics.

    Messages are sent in parallel, and responses are written as they arrive. The response to a cancelled request is
    dropped.
    """

    def __init__(self, send: Send, *, write: Callable[[bytes], object], report: Callable[[str], object]) -> None:
        self._send = send
        self._write = write
        self._report = report
        self._version: str | None = None
        self._waiting: set[str] = set()
        self._lock = Lock()

    def run(self, lines: Iterable[bytes]) -> None:
        """Serve `lines` to their end, and return when every response is written."""
        with ThreadPoolExecutor(max_workers=MAX_PARALLEL, thread_name_prefix="mcp") as pool:
            for line in lines:
                text = line.strip()
                if not text:
                    continue
                try:
                    message = safe_loads(text)
                except JsonError as error:
                    self._report(f"a line that is no message was received: {error}")
                    self._answer({"jsonrpc": "2.0", "id": None, "error": _error(PARSE_ERROR, str(error))})
                    continue
                self._expect(message)
                if _method(message) == "initialize":  # decides the version of later messages
                    self._forward(text, message)
                else:
                    pool.submit(self._forward, text, message)

    def _expect(self, message: Json) -> None:
        """Note the requests of a message; a cancelled one is not expected any longer."""
        with self._lock:
            self._waiting.update(map(dumps, request_ids(message)))
            if _method(message) == "notifications/cancelled":
                self._waiting.discard(dumps(_params(message).get("requestId")))

    def _forward(self, text: bytes, message: Json) -> None:
        try:
            response = self._send(text, self._headers(message))
            body = _body(response)
        except ServiceError as error:
            self._fail(message, str(error))
            return
        except Exception as error:  # noqa: BLE001 - the proxy lives on, and the client gets an answer
            self._fail(message, f"the message could not be sent: {type(error).__name__}")
            return
        if body is not None:
            self._remember_version(message, body)
            for answer in cast("list[Json]", body) if isinstance(body, list) else [body]:
                self._answer(answer, message)
        elif response.is_error:
            self._fail(message, refusal(response))
        elif request_ids(message):
            self._fail(message, f"the service answered with HTTP {response.status_code} and no message")

    def _headers(self, message: Json) -> dict[str, str]:
        """Return the headers that the version of a message requires."""
        meta = _params(message).get("_meta")
        version = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
        method = _method(message)
        if method == "initialize":
            return {}
        if not isinstance(version, str):
            return {"MCP-Protocol-Version": self._version} if self._version else {}
        self._version = version
        name = _params(message).get("name") if method == "tools/call" else None
        headers = {"MCP-Protocol-Version": version, "Mcp-Method": method or ""}
        return {key: header_value(value) for key, value in headers.items()} | (
            {"Mcp-Name": header_value(name)} if isinstance(name, str) else {}
        )

    def _remember_version(self, message: Json, body: Json) -> None:
        result = body.get("result") if isinstance(body, dict) else None
        version = result.get("protocolVersion") if isinstance(result, dict) else None
        if _method(message) == "initialize" and isinstance(version, str):
            self._version = version

    def _answer(self, answer: Json, message: Json = None) -> None:
        """Write a response, unless its request was cancelled."""
        if isinstance(answer, dict) and answer.get("id") is None:
            answer = {**answer, "id": next(iter(request_ids(message)), None)}
        key = dumps(answer.get("id") if isinstance(answer, dict) else None)
        with self._lock:
            if message is not None and key not in self._waiting:
                return
            self._waiting.discard(key)
            self._write(dumps(answer).encode() + b"\n")

    def _fail(self, message: Json, reason: str) -> None:
        self._report(reason)
        for request_id in request_ids(message):
            self._answer({"jsonrpc": "2.0", "id": request_id, "error": _error(SERVICE_ERROR, reason)}, message)


def request_ids(message: Json) -> list[Json]:
    """Return the ids of the requests in a message, or in a batch of messages."""
    batch = message if isinstance(message, list) else [message]
    return [each["id"] for each in batch if isinstance(each, dict) and "method" in each and "id" in each]


def header_value(text: str) -> str:
    """Return a text as the value of a header: encoded, unless it is plain ASCII."""
    is_plain = text.isascii() and text.isprintable() and text == text.strip() and not text.startswith("=?base64?")
    return text if is_plain else f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def _method(message: Json) -> str | None:
    method = message.get("method") if isinstance(message, dict) else None
    return method if isinstance(method, str) else None


def _params(message: Json) -> dict[str, Json]:
    params = message.get("params") if isinstance(message, dict) else None
    return params if isinstance(params, dict) else {}


def _body(response: "httpx2.Response") -> Json:
    """Return the JSON-RPC messages of a response; None for another body, or none."""
    try:
        body = safe_loads(response.content, max_bytes=len(response.content))
    except JsonError:
        return None
    first = body[0] if isinstance(body, list) and body else body
    return body if isinstance(first, dict) and "jsonrpc" in first else None


def _error(code: int, message: str) -> dict[str, Json]:
    return {"code": code, "message": message}
