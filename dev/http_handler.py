"""HTTP handler of the local servers."""

from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar, cast

from dev.request_check import STATUS, RequestCheck, refusal_body


class LocalHandler(BaseHTTPRequestHandler):
    """Handler that refuses requests of web pages, except those of its server's own page where it has one.

    It ends without an error if the client closes the connection, mostly after its timeout.
    """

    has_page: ClassVar[bool] = False

    def handle(self) -> None:
        try:
            super().handle()
        except ConnectionError:
            self.close_connection = True

    def parse_request(self) -> bool:
        if not super().parse_request():
            return False
        check = RequestCheck(cast("HTTPServer", self.server).server_port, has_page=self.has_page)
        reason = check.refusal(self.headers.items(), method=self.command, target=self.path)
        if reason is not None:
            self._refuse(reason)
        return reason is None

    def _refuse(self, reason: str) -> None:
        """Close the connection, which still contains the body."""
        body = refusal_body(reason)
        self.close_connection = True
        self.send_response(STATUS)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)
