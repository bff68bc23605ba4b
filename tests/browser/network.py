"""Interception of requests: fulfilled, refused or held."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import Error, Page, Route

from flexchat.messages import Json


@dataclass(frozen=True, slots=True)
class Interception:
    """Active interception of a page's requests; `lift` removes it."""

    page: Page
    pattern: str
    handler: Callable[[Route], None]
    held: list[Route] = field(default_factory=list[Route])

    def lift(self) -> None:
        """Remove the interception and send held requests on, to earlier interceptions or the server."""
        self.page.unroute(self.pattern, self.handler)
        for route in self.held:
            # The page may have aborted the request.
            with contextlib.suppress(Error):
                route.fallback()
        self.held.clear()


def answer(page: Page, pattern: str, body: Json, *, status: int) -> Interception:
    return _activate(Interception(page, pattern, lambda route: route.fulfill(status=status, json=body)))


def refuse(page: Page, pattern: str) -> Interception:
    """Refuse the connection."""
    return _activate(Interception(page, pattern, lambda route: route.abort("connectionrefused")))


def hold(page: Page, pattern: str) -> Interception:
    held: list[Route] = []
    return _activate(Interception(page, pattern, lambda route: held.append(route), held))


def _activate(interception: Interception) -> Interception:
    interception.page.route(interception.pattern, interception.handler)
    return interception
