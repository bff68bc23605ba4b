"""Harness: each kind of unexpected event fails a test, shown on a test site."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accessibility import InaccessibleError
from tests.browser.chromium import NoChromiumError, find_chromium
from tests.browser.screen import TOKEN_KEY, open_screen
from tests.browser.site import served
from tests.browser.watch import UnexpectedError

PAGE = """<!doctype html><html lang="en"><head><title>Trial</title>
<script type="module" src="{script}"></script></head><body><main><h1>Trial</h1>{body}</main></body></html>"""


SIZE = """(pixels) => {
  for (const { style } of document.querySelectorAll("button")) {
    Object.assign(style, { width: `${pixels}px`, height: `${pixels}px`, padding: "0", overflow: "hidden" });
  }
}"""
# A link as wide as the window stays at its top, where it covers part of a button between two empty windows.
COVER = """(pixels) => {
  const bar = { position: "sticky", top: "0", zIndex: "1" };
  const link = { display: "block", height: "60px", background: "white" };
  Object.assign(document.querySelector("nav").style, bar);
  Object.assign(document.querySelector("nav a").style, link);
  const button = document.querySelector("button");
  button.style.margin = "1000px 0";
  scrollTo(0, button.getBoundingClientRect().top - 60 + pixels);
}"""


def page(*, script: str = "quiet.js", body: str = "") -> str:
    return PAGE.format(script=script, body=body)


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    with served({"/": "reached"}) as url:
        yield url


@pytest.fixture(scope="module")
def site(elsewhere: str) -> Iterator[str]:
    files = {
        "/": page(),
        "/quiet.js": "",
        "/away": page(script="away.js"),
        "/away.js": f"await fetch('{elsewhere}/'); document.body.dataset.done = 'yes';",
        "/loud": page(script="loud.js"),
        "/loud.js": "console.error('a loud complaint');",
        "/broken": page(script="broken.js"),
        "/broken.js": "throw new Error('a broken promise');",
        "/markup": page(script="markup.js"),
        "/markup.js": "try { document.body.innerHTML = '<p>strange</p>'; } catch { }",
        "/missing": page(script="missing.js"),
        "/unlabelled": page(body="<input>"),
        "/targets": page(body="<nav><a href='#'>Covering</a></nav><button>Under it</button><button>Beside it</button>"),
        "/asking": page(script="asking.js", body="<p>waiting</p>"),
        "/asking.js": """
          const text = document.querySelector("p");
          try {
            const response = await fetch("data.json");
            text.textContent = `${response.status} ${await response.text()}`;
          } catch { text.textContent = "no answer"; }
        """,
        "/data.json": "from the site",
    }
    with served(files) as url:
        yield url


def visit(chromium: Browser, site: str, path: str, expected: str | None = None) -> None:
    with open_screen(chromium, url=site, token="t", shots=Path()) as screen:
        if expected is not None:
            screen.expects(expected)
        screen.open(path)


def test_page_without_problems_passes(chromium: Browser, site: str) -> None:
    visit(chromium, site, "")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("loud", "console: a loud complaint"),
        ("broken", "thrown: a broken promise"),
        ("markup", "policy: require-trusted-types-for stopped trusted-types-sink Element innerHTML|<p>strange</p>"),
        ("missing", "console: Failed to load resource: the server responded with a status of 404"),
    ],
)
def test_console_errors_exceptions_and_policy_violations_fail_unless_expected(
    chromium: Browser, site: str, path: str, message: str
) -> None:
    with pytest.raises(UnexpectedError) as caught:
        visit(chromium, site, path)

    assert message in str(caught.value)
    if path != "markup":
        visit(chromium, site, path, expected=message)


def test_request_to_another_origin_fails_the_test(chromium: Browser, site: str, elsewhere: str) -> None:
    with (
        pytest.raises(UnexpectedError, match=f"a request left the origin: {elsewhere}/"),
        open_screen(chromium, url=site, token="t", shots=Path()) as screen,
    ):
        expect(screen.open("away").locator("body[data-done=yes]")).to_be_visible()


def test_missing_expected_problem_fails_the_test(chromium: Browser, site: str) -> None:
    with pytest.raises(UnexpectedError, match="expected, and did not occur: a loud complaint"):
        visit(chromium, site, "", expected="a loud complaint")


def test_unlabelled_field_is_reported_as_inaccessible(chromium: Browser, site: str) -> None:
    with open_screen(chromium, url=site, token="t", shots=Path()) as screen:
        screen.open()
        screen.axe()
        screen.open("unlabelled")
        with pytest.raises(InaccessibleError, match=r"label \(critical\).*\n +input: "):
            screen.axe()


def test_small_target_is_reported(chromium: Browser, site: str) -> None:
    with open_screen(chromium, url=site, token="t", shots=Path()) as screen:
        page = screen.open("targets")
        page.evaluate(SIZE, 10)
        with pytest.raises(InaccessibleError, match=r"target-size \(serious\)"):
            screen.axe()


def test_target_that_a_bar_covers_until_it_is_scrolled_is_large_enough(chromium: Browser, site: str) -> None:
    with open_screen(chromium, url=site, token="t", shots=Path()) as screen:
        page = screen.open("targets")
        page.evaluate(SIZE, 44)
        page.evaluate(COVER, 30)
        screen.axe()


def test_screenshot_name_has_width_and_theme(chromium: Browser, site: str, tmp_path: Path) -> None:
    with open_screen(chromium, url=site, token="t", shots=tmp_path) as screen:
        page = screen.open(width=360, theme="dark", reduced_motion=True)
        taken = screen.shoot("trial")
        expression = "[innerWidth, matchMedia('(prefers-color-scheme: dark) and (prefers-reduced-motion)').matches]"
        preferences = page.evaluate(expression)

    assert taken == tmp_path / "trial-360-dark.png"
    assert taken.read_bytes().startswith(b"\x89PNG")
    assert preferences == [360, True]


def test_tab_is_signed_in_once(chromium: Browser, site: str) -> None:
    with open_screen(chromium, url=site, token="secret", shots=Path()) as screen:
        page = screen.open(signed_in=False)
        before = page.evaluate("key => sessionStorage.getItem(key)", TOKEN_KEY)
        screen.open()
        signed_in = page.evaluate("key => sessionStorage.getItem(key)", TOKEN_KEY)
        page.evaluate("key => sessionStorage.removeItem(key)", TOKEN_KEY)
        page.reload()
        after = page.evaluate("key => sessionStorage.getItem(key)", TOKEN_KEY)

    assert (before, signed_in, after) == (None, "secret", None)


def test_requests_are_fulfilled_refused_or_held_until_released(chromium: Browser, site: str) -> None:
    with open_screen(chromium, url=site, token="t", shots=Path()) as screen:
        failing = screen.route_fail("**/data.json", status=503, body={"error": "overloaded"})
        page = screen.open("asking")
        text = page.locator("p")
        expect(text).to_have_text('503 {"error":"overloaded"}')
        failing.lift()

        down = screen.route_fail("**/data.json")
        page.reload()
        expect(text).to_have_text("no answer")
        down.lift()

        slow = screen.hold("**/data.json")
        page.reload()
        page.wait_for_function("() => performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
        expect(text).to_have_text("waiting")
        slow.lift()
        expect(text).to_have_text("200 from the site")


def test_held_request_that_the_page_aborted_is_released_without_error(chromium: Browser, site: str) -> None:
    with open_screen(chromium, url=site, token="t", shots=Path()) as screen:
        slow = screen.hold("**/data.json")
        screen.open("asking")
        screen.open()
        slow.lift()


def test_missing_chromium_error_names_the_packages() -> None:
    with pytest.raises(NoChromiumError, match=r"none of chromium, .* apt-get install chromium .*CHROMIUM=/path"):
        find_chromium({"PATH": ""})


def test_chromium_path_from_the_environment_must_exist(tmp_path: Path) -> None:
    own = tmp_path / "own-chrome"
    own.touch(mode=0o755)

    assert find_chromium({"CHROMIUM": str(own), "PATH": ""}) == str(own)
    with pytest.raises(NoChromiumError, match="CHROMIUM=/nowhere/chrome does not start"):
        find_chromium({"CHROMIUM": "/nowhere/chrome", "PATH": str(tmp_path)})
