"""Local test site for the tests of the harness."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import override

POLICY = (
    "default-src 'none'; script-src 'self'; connect-src *; require-trusted-types-for 'script'; trusted-types 'none'"
)


@contextmanager
def served(files: Mapping[str, str], *, policy: str | None = POLICY) -> Generator[str]:
    """Serve `files` by path, by default with a policy like the page's; yields the URL without a trailing slash."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = files.get(self.path)
            sent = (body or "").encode()
            self.send_response(404 if body is None else 200)
            kind = "text/javascript" if self.path.endswith(".js") else "text/html"
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(sent)))
            if policy is not None:
                self.send_header("Content-Security-Policy", policy)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()
            self.wfile.write(sent)

        @override
        def log_message(self, format: str, *args: object) -> None:
            """No log: the watch records requests."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
