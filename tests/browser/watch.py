"""What a page did that nobody sees: where it sent requests, what it logged, what its policy stopped."""

from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError, WebSocket

REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.effectiveDirective} stopped ${event.blockedURI} ${event.sample}`));
"""
NETWORK_SCHEMES = ("http", "https", "ws", "wss")


class UnexpectedError(AssertionError):
    """The page did what no test expected; every such thing is in the message."""


class Watch:
    """Listens to all pages of a context from now on. `origin` is the only one that may be asked."""

    def __init__(self, context: BrowserContext, origin: str) -> None:
        self.requests: list[Request] = []
        self._origin = origin
        self._problems: list[str] = []
        self._expected: list[str] = []
        self._tolerated: list[str] = []
        context.on("request", self._requested)
        context.on("console", self._logged)
        context.on("weberror", self._thrown)
        context.on("page", lambda page: page.on("websocket", self._connected))
        context.add_init_script(REPORT_VIOLATIONS)

    def expect(self, text: str) -> None:
        """A problem that contains `text` is what the test is about: it must occur, and is none."""
        self._expected.append(text)

    def tolerate(self, text: str) -> None:
        """A problem that contains `text` may occur."""
        self._tolerated.append(text)

    def unexpected(self) -> list[str]:
        """The problems so far that nobody expected, then what was expected and did not occur."""
        known = (*self._expected, *self._tolerated)
        surprises = [problem for problem in self._problems if not any(text in problem for text in known)]
        missed = [text for text in self._expected if not any(text in problem for problem in self._problems)]
        return [*surprises, *(f"expected, and did not occur: {text}" for text in missed)]

    def verify(self) -> None:
        """Raises UnexpectedError unless only what was expected has occurred."""
        if problems := self.unexpected():
            raise UnexpectedError("the page did what this test does not expect:\n- " + "\n- ".join(problems))

    def _requested(self, request: Request) -> None:
        self.requests.append(request)
        self._asked(request.url)

    def _connected(self, socket: WebSocket) -> None:
        self._asked(socket.url)

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in NETWORK_SCHEMES and f"{parts.scheme}://{parts.netloc}" != self._origin:
            self._problems.append(f"a request left the origin: {url}")

    def _logged(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._problems.append(f"console: {message.text} ({message.location['url']})")

    def _thrown(self, error: WebError) -> None:
        self._problems.append(f"thrown: {error.error} ({error.page.url if error.page else self._origin})")
