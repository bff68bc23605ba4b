"""Fixtures of the browser tests: local stack, API client, test data, Chromium."""

import os
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, Error, expect

from cli.layout import Layout
from cli.local_stack import StackState
from dev.local_stack.running import running_stack
from flexchat.messages import Json
from tests.browser import chat_page, retrieval_page, validation_page
from tests.browser.chromium import NoChromiumError, find_chromium, running_chromium
from tests.browser.screen import ANSWER_MS, Screen, open_screen
from tests.browser.trace_pages import StubApi, page_server, stub_api
from tests.e2e.commands import flexchat

REPORT = pytest.StashKey[pytest.TestReport]()


@pytest.fixture(scope="session")
def layout() -> Layout:
    return Layout.here()


@pytest.fixture(scope="session")
def stack(layout: Layout) -> Iterator[StackState]:
    """The stack with the project's configuration; another configuration is restored after the tests."""
    state = running_stack(layout)
    if state is None:
        pytest.exit("no local stack is running; `make browser` starts one", returncode=2)
    own = str(layout.root / "config" / "flexchat.json")
    if state.config == own:
        yield state
        return
    flexchat("local", "up", "--config", own)
    yield state
    flexchat("local", "up", "--config", state.config)


@pytest.fixture(scope="session")
def service(stack: StackState) -> Iterator[httpx2.Client]:
    """HTTP client of the API with the stack's operator token."""
    headers = {"Authorization": f"Bearer {stack.token}"}
    with httpx2.Client(base_url=stack.url, headers=headers, timeout=60, trust_env=False) as client:
        yield client


@pytest.fixture(scope="session")
def user_token() -> Iterator[str]:
    """Token of another user with the role `user` only."""
    token = flexchat("tokens", "create", "--stage", "local", "--name", "browser-user", "--role", "user").split()[-1]
    yield token
    flexchat("tokens", "revoke", token.split("_")[1], "--stage", "local")


@pytest.fixture(scope="session")
def answered_session(service: httpx2.Client) -> str:
    """Id of a session with one turn that called a tool."""
    session = chat_page.new_id()
    chat_page.chat(service, {"message": chat_page.SUM, "session_id": session})
    return session


@pytest.fixture(scope="session")
def filled_collection(service: httpx2.Client) -> Iterator[None]:
    """A test collection with three documents."""
    path = f"/api/collections/{retrieval_page.OWN}"
    service.delete(path)  # left over from an aborted test run
    new: Json = {"name": retrieval_page.OWN, "metadata": retrieval_page.METADATA}
    service.post("/api/collections", json=new).raise_for_status()
    documents: Json = {"documents": list[Json](retrieval_page.DOCUMENTS)}
    service.post(f"{path}/documents", json=documents).raise_for_status()
    yield
    service.delete(path).raise_for_status()


@pytest.fixture
def collection(service: httpx2.Client, filled_collection: None) -> Iterator[None]:
    """The test collection; its metadata is restored after the test."""
    yield
    path = f"/api/collections/{retrieval_page.OWN}"
    service.patch(path, json={"metadata": retrieval_page.METADATA}).raise_for_status()


@pytest.fixture(scope="session")
def validation_suite(service: httpx2.Client) -> Iterator[None]:
    """A validation suite with one case of each category."""
    default = service.get("/api/validation/suites/default").raise_for_status().json()
    cases = {case["category"]: case for case in default["cases"]}
    assert len(cases) == validation_page.CASES
    path = f"/api/validation/suites/{validation_page.SUITE}"
    suite = {**default, "name": validation_page.SUITE, "cases": list(cases.values())}
    service.put(path, json=suite).raise_for_status()
    yield
    service.delete(path).raise_for_status()


@pytest.fixture(scope="session")
def shots(layout: Layout) -> Path:
    """Folder of the screenshots, without those of earlier failures."""
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
    """A browser tab; the test fails on unexpected console errors, exceptions, requests or policy violations."""
    with open_screen(chromium, url=stack.url, token=stack.token, shots=shots) as opened:
        yield opened
        report = request.node.stash.get(REPORT, None)
        if report is not None and report.failed:
            save_failure(opened, request.node.name)


@pytest.fixture(scope="session")
def page_url() -> Iterator[str]:
    """The page from its sources, without a stack."""
    with page_server() as url:
        yield url


@pytest.fixture
def api() -> StubApi:
    """Stubbed API of an operator, with traces."""
    return stub_api("user", "operator")


@pytest.fixture
def stubbed(
    chromium: Browser, page_url: str, api: StubApi, shots: Path, request: pytest.FixtureRequest
) -> Iterator[Screen]:
    """A browser tab of the page with the stubbed `api`, which needs no stack."""
    with open_screen(chromium, url=page_url, token="stub", shots=shots) as opened:
        api.install(opened.page)
        yield opened
        report = request.node.stash.get(REPORT, None)
        if report is not None and report.failed:
            save_failure(opened, request.node.name)


def save_failure(screen: Screen, name: str) -> None:
    """Screenshot of a failed test; skipped if the page is closed."""
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
