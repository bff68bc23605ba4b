"""Running HTTP servers of the tests."""

from collections.abc import Generator
from contextlib import contextmanager
from socketserver import BaseServer
from threading import Thread


@contextmanager
def serving(server: BaseServer) -> Generator[None]:
    """Serve in a thread for a block."""
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
