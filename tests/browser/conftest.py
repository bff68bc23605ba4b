"""The page of the running local stack in a real browser."""

import os
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, expect

from cli.layout import Layout
from cli.local_stack import StackState
from dev.local_stack.running import running_stack
from tests.browser.chromium import NoChromiumError, find_chromium, running_chromium
from tests.browser.screen import ANSWER_MS, Screen, open_screen
from tests.e2e.commands import flexchat

REPORT = pytest.StashKey[pytest.TestReport]()


@pytest.fixture(scope="session")
def layout() -> Layout:
    return Layout.here()


@pytest.fixture(scope="session")
def stack(layout: Layout) -> Iterator[StackState]:
    """The stack with the project's own configuration; whatever else was served is served again after the tests."""
    state = running_stack(layout)
    if state is None:
        pytest.exit("no local stack runs; `make browser` starts one", returncode=2)
    own = str(layout.root / "config" / "flexchat.json")
    if state.config == own:
        yield state
        return
    flexchat("local", "up", "--config", own)
    yield state
    flexchat("local", "up", "--config", state.config)


@pytest.fixture(scope="session")
def shots(layout: Layout) -> Path:
    """Where pictures are kept; those of earlier failures are gone."""
    folder = layout.root / ".local" / "browser"
    folder.mkdir(parents=True, exist_ok=True)
    for picture in folder.glob("failed-*.png"):
        picture.unlink(missing_ok=True)
    return folder


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    try:
        path = find_chromium(os.environ)
    except NoChromiumError as error:
        pytest.exit(str(error), returncode=2)
    expect.set_options(timeout=ANSWER_MS)
    with running_chromium(path) as browser:
        yield browser


@pytest.fixture
def screen(chromium: Browser, stack: StackState, shots: Path, request: pytest.FixtureRequest) -> Iterator[Screen]:
    """A tab at the stack's page; the test fails where the page did something unseen that it does not expect."""
    with open_screen(chromium, url=stack.url, token=stack.token, shots=shots) as opened:
        yield opened
        report = request.node.stash.get(REPORT, None)
        if report is not None and report.failed:
            keep_failure(opened, request.node.name)


def keep_failure(screen: Screen, name: str) -> None:
    """A picture of what was seen when the test failed; a page that is gone has none."""
    readable = "".join(letter if letter.isalnum() else "-" for letter in name)
    with suppress(Error):
        screen.page.screenshot(path=screen.shots / f"failed-{readable}.png", full_page=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[REPORT] = report
    return report
