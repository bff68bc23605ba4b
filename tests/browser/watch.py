"""Record of unexpected events of a page: foreign requests, console errors, exceptions, policy violations."""

from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError, WebSocket

REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.effectiveDirective} stopped ${event.blockedURI} ${event.sample}`));
"""
NETWORK_SCHEMES = ("http", "https", "ws", "wss")


class UnexpectedError(AssertionError):
    """Raised for unexpected events; the message lists them."""


class Watch:
    """Records the events of all pages of a context. `origin` is allowed, and those of `allow`."""

    def __init__(self, context: BrowserContext, origin: str) -> None:
        self.requests: list[Request] = []
        self._origins = {origin}
        self._problems: list[str] = []
        self._expected: list[str] = []
        self._tolerated: list[str] = []
        context.on("request", self._requested)
        context.on("console", self._logged)
        context.on("weberror", self._thrown)
        context.on("page", lambda page: page.on("websocket", self._connected))
        context.add_init_script(REPORT_VIOLATIONS)

    def allow(self, origin: str) -> None:
        """Allow requests to another origin."""
        self._origins.add(origin)

    def expect(self, text: str) -> None:
        """Require a problem that contains `text`."""
        self._expected.append(text)

    def tolerate(self, text: str) -> None:
        """Allow a problem that contains `text`."""
        self._tolerated.append(text)

    def unexpected(self) -> list[str]:
        """Unexpected problems, then missing expected ones."""
        allowed = (*self._expected, *self._tolerated)
        unexpected = [problem for problem in self._problems if not any(text in problem for text in allowed)]
        missed = [text for text in self._expected if not any(text in problem for problem in self._problems)]
        return [*unexpected, *(f"expected, and did not occur: {text}" for text in missed)]

    def verify(self) -> None:
        """Raises UnexpectedError for unexpected or missing problems."""
        if problems := self.unexpected():
            raise UnexpectedError("the page did what this test does not expect:\n- " + "\n- ".join(problems))

    def _requested(self, request: Request) -> None:
        self.requests.append(request)
        self._check_origin(request.url)

    def _connected(self, socket: WebSocket) -> None:
        self._check_origin(socket.url)

    def _check_origin(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in NETWORK_SCHEMES and f"{parts.scheme}://{parts.netloc}" not in self._origins:
            self._problems.append(f"a request left the origin: {url}")

    def _logged(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._problems.append(f"console: {message.text} ({message.location['url']})")

    def _thrown(self, error: WebError) -> None:
        self._problems.append(f"thrown: {error.error} ({error.page.url if error.page else 'a closed page'})")
