"""Development server of the page: it reads changed source files again and forwards API calls to the stack."""

import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx2

from dev.http_handler import LocalHandler
from functions.page.files import PageFiles, page_response

HOST = "127.0.0.1"
STAGE = "local"
ASSETS = "/assets/"
API = ("/api/", "/v1/", "/health")
ANSWER_SECONDS = 60.0
CHECK_SECONDS = 0.5
"""Time for which the files are not compared again: a visit requests hundreds of them."""

PASSED_ON = frozenset({"accept", "authorization", "content-type", "idempotency-key", "prefer", "x-flexchat-share"})
NOT_PASSED_BACK = frozenset({"connection", "content-encoding", "content-length", "transfer-encoding"})


class PageServer(ThreadingHTTPServer):
    """Serves the page in `folder`, read again after a change, and forwards other requests to the API at `api()`.

    The page may send requests to `files_origin` too: uploads and downloads. `variables` are those of the API's stage.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(
        self,
        folder: Path,
        api: Callable[[], str],
        *,
        port: int = 0,
        files_origin: str = "",
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self.variables = dict(variables or {})
        self.files_origin = files_origin
        self.api = api
        self._read: tuple[object, PageFiles] | None = None
        self._checked = 0.0
        self.client = httpx2.Client(timeout=ANSWER_SECONDS, trust_env=False)
        super().__init__((HOST, port), _Handler)

    def files(self) -> PageFiles:
        """Return the page, read again after a change of its files."""
        if self._read is not None and time.monotonic() - self._checked < CHECK_SECONDS:
            return self._read[1]
        paths = (path for path in self.folder.rglob("*") if path.is_file())
        state = sorted((str(path), (found := path.stat()).st_mtime_ns, found.st_size) for path in paths)
        if self._read is None or self._read[0] != state:
            self._read = (state, PageFiles.read(self.folder, stage=STAGE, files_origin=self.files_origin))
        self._checked = time.monotonic()
        return self._read[1]

    def server_close(self) -> None:
        super().server_close()
        self.client.close()

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.server_port}/"


class _Handler(LocalHandler, BaseHTTPRequestHandler):
    server: PageServer  # pyright: ignore[reportIncompatibleVariableOverride] # the only server it is made for
    protocol_version = "HTTP/1.1"
    has_page = True

    def do_GET(self) -> None:
        if self.path.startswith(API):
            self._pass_on()
        else:
            self._serve()

    def do_POST(self) -> None:
        self._pass_on()

    do_PUT = do_PATCH = do_DELETE = do_POST  # noqa: N815 - the server's own names

    def _serve(self) -> None:
        """Send the response of the page's function, uncached, for any version of a file."""
        files = self.server.files()
        path = unquote(self.path.partition("?")[0])
        event: dict[str, Any] = {
            "path": path,
            "requestContext": {"path": path},
            "stageVariables": self.server.variables or None,
        }
        if path.startswith(ASSETS):
            _version, _, name = path.removeprefix(ASSETS).partition("/")
            event["pathParameters"] = {"file": f"{files.version}/{name}"}
        response: Any = page_response(event, files)
        self._send(
            response["statusCode"], {**response["headers"], "Cache-Control": "no-store"}, response["body"].encode()
        )

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name: value for name, value in self.headers.items() if name.lower() in PASSED_ON}
        try:
            response = self.server.client.request(
                self.command, self.server.api() + self.path, content=body, headers=headers
            )
        except httpx2.HTTPError:
            self.close_connection = True  # the browser receives the headers of a direct request
            return
        back = {name: value for name, value in response.headers.items() if name.lower() not in NOT_PASSED_BACK}
        self._send(response.status_code, back, response.content)

    def _send(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing; the stack's log has the requests."""
