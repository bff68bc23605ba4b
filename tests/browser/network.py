"""Requests of a page that a test answers, refuses or keeps waiting instead of the service."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import Error, Page, Route

from flexchat.messages import Json


@dataclass(frozen=True, slots=True)
class Interception:
    """What stands between a page and the service until it is lifted."""

    page: Page
    pattern: str
    handler: Callable[[Route], None]
    held: list[Route] = field(default_factory=list[Route])

    def lift(self) -> None:
        """Let requests through again, those that wait first."""
        self.page.unroute(self.pattern, self.handler)
        for route in self.held:
            # The page may have given up waiting.
            with contextlib.suppress(Error):
                route.continue_()
        self.held.clear()


def answer(page: Page, pattern: str, body: Json, *, status: int) -> Interception:
    return _between(Interception(page, pattern, lambda route: route.fulfill(status=status, json=body)))


def refuse(page: Page, pattern: str) -> Interception:
    """As if nothing listened at the service's address."""
    return _between(Interception(page, pattern, lambda route: route.abort("connectionrefused")))


def hold(page: Page, pattern: str) -> Interception:
    held: list[Route] = []
    return _between(Interception(page, pattern, lambda route: held.append(route), held))


def _between(interception: Interception) -> Interception:
    interception.page.route(interception.pattern, interception.handler)
    return interception
