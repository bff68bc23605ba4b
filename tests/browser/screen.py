"""A browser tab with helpers to open views, take screenshots, check accessibility and intercept requests."""

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page

from flexchat.messages import Json
from tests.browser import network
from tests.browser.accessibility import verify_accessible
from tests.browser.network import Interception
from tests.browser.watch import Watch

type Theme = Literal["light", "dark"]

type Keep = Literal["page", "tab", "browser"]

KEEP_LABELS: Mapping[Keep, str] = {
    "page": "Until you reload or leave this page",
    "tab": "Until you close this tab",
    "browser": "In this browser, until you sign out",
}

HEIGHTS: Mapping[int, int] = {1280: 800, 390: 844, 360: 740, 320: 568}
ANSWER_MS = 20_000
"""Locator timeout: the first request to a function of the local stack takes seconds."""

TOKEN_KEY = "flexchat.token"
# Once per tab, so that a test that signs out and reloads stays signed out.
SIGN_IN = """([origin, key, token]) => {
  if (location.origin !== origin || sessionStorage.getItem("signed-in-by-test")) return;
  sessionStorage.setItem("signed-in-by-test", "yes");
  sessionStorage.setItem(key, token);
}"""
IS_LOADED = "() => !document.querySelector('.skeleton')"


@dataclass(slots=True)
class Screen:
    """One tab. `url` is the stack's URL without a trailing slash; `watch` records unexpected events.

    Pictures go to the folder `shots`.
    """

    page: Page
    url: str
    token: str
    watch: Watch
    shots: Path
    width: int = 1280
    theme: Theme = "light"
    signed_in: bool = False

    def open(
        self,
        path: str = "",
        *,
        width: int = 1280,
        theme: Theme = "light",
        reduced_motion: bool = False,
        signed_in: bool = True,
    ) -> Page:
        """Load a view, such as `tools-testing?model=…`, with the given width, theme and motion preference."""
        self.resize(width)
        self.theme = theme
        self.page.emulate_media(color_scheme=theme, reduced_motion="reduce" if reduced_motion else "no-preference")
        if signed_in and not self.signed_in:
            arguments = [origin_of(self.url), TOKEN_KEY, self.token]
            self.page.add_init_script(f"({SIGN_IN})({json.dumps(arguments)})")
            self.signed_in = True
        self.page.goto(f"{self.url}/{path}")
        self.page.bring_to_front()  # a page in the background has no focus
        return self.page

    def resize(self, width: int) -> None:
        self.width = width
        self.page.set_viewport_size({"width": width, "height": HEIGHTS[width]})

    def sign_in(self, token: str, *, keep: Keep = "page") -> None:
        """Sign in through the dialog; `keep` the token in the page, in the tab or in the browser."""
        dialog = self.page.get_by_role("dialog")
        field = dialog.get_by_label("Token", exact=True)
        field.fill(token)
        dialog.get_by_role("radio", name=KEEP_LABELS[keep]).check()
        field.press("Enter")

    def settle(self) -> None:
        """Wait until all skeletons are replaced."""
        self.page.wait_for_function(IS_LOADED)

    def shoot(self, name: str, *, whole: bool = True) -> Path:
        """Save a screenshot of the document or viewport as `<name>-<width>-<theme>.png`."""
        self.settle()
        path = self.shots / f"{name}-{self.width}-{self.theme}.png"
        self.page.screenshot(path=path, full_page=whole, animations="disabled")
        return path

    def axe(self, *, within: str | None = None) -> None:
        """Raises InaccessibleError for serious or critical violations, of the page or `within` a selector."""
        self.settle()
        verify_accessible(self.page, within=within)

    def expects(self, text: str) -> None:
        """Require a problem that contains `text`."""
        self.watch.expect(text)

    def answer(self, pattern: str, body: Json, *, status: int = 200) -> Interception:
        """Fulfil requests to `pattern`, such as `**/api/tools/list`, with `body`."""
        self.watch.tolerate(f"the server responded with a status of {status}")
        return network.answer(self.page, pattern, body, status=status)

    def route_fail(self, pattern: str, *, status: int | None = None, body: Json = None) -> Interception:
        """Fail requests to `pattern`: with `status` and `body`, or as a refused connection."""
        if status is not None:
            return self.answer(pattern, body, status=status)
        self.watch.tolerate("net::ERR_CONNECTION_REFUSED")
        return network.refuse(self.page, pattern)

    def hold(self, pattern: str) -> Interception:
        """Hold requests to `pattern` until the interception is lifted."""
        return network.hold(self.page, pattern)


@contextmanager
def open_screen(browser: Browser, *, url: str, token: str, shots: Path) -> Generator[Screen]:
    """Tab with empty storage; raises UnexpectedError at the end for unexpected events."""
    context = browser.new_context(locale="en-GB", permissions=["clipboard-read", "clipboard-write"])
    try:
        context.set_default_timeout(ANSWER_MS)
        watch = Watch(context, origin_of(url))
        page = context.new_page()
        yield Screen(page=page, url=url, token=token, watch=watch, shots=shots)
        # Reported events arrive before the next answer of the page.
        page.title()
        watch.verify()
    finally:
        context.close()


def origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
