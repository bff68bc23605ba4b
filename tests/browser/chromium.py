"""System Chromium driven by Playwright: no downloads, no user profile."""

import os
import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Playwright itself switches off first-run pages, updates, sync and background requests.
SWITCHES = (
    "--disable-gpu",
    "--disable-quic",
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)


class NoChromiumError(Exception):
    """Raised if no Chromium is installed; the message states how to install one."""


def find_chromium(environment: Mapping[str, str]) -> str:
    """Return the path of the browser: `CHROMIUM` if set, else the first on PATH."""
    named = environment.get("CHROMIUM")
    candidates = (named,) if named else NAMES
    found = next(
        (path for name in candidates if (path := shutil.which(name, path=environment.get("PATH", "")))),
        None,
    )
    if found is None:
        looked = f"CHROMIUM={named} does not start" if named else f"none of {', '.join(NAMES)} is on PATH"
        raise NoChromiumError(
            f"{looked}. Install Chromium (Debian and Ubuntu: apt-get install chromium fonts-dejavu-core "
            "fonts-noto-color-emoji), or name one: CHROMIUM=/path/to/chrome make browser"
        )
    return found


@contextmanager
def running_chromium(path: str) -> Generator[Browser]:
    """Headless browser with a fresh profile; sandboxed unless run by root, which Chromium does not support."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, headless=True, chromium_sandbox=os.geteuid() != 0, args=SWITCHES
        )
        try:
            yield browser
        finally:
            browser.close()
