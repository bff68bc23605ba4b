"""HTTP handler of the local servers."""

from http.server import BaseHTTPRequestHandler


class TolerantHandler(BaseHTTPRequestHandler):
    """Handler that ends without an error if the client closes the connection, mostly after its timeout."""

    def handle(self) -> None:
        try:
            super().handle()
        except ConnectionError:
            self.close_connection = True
