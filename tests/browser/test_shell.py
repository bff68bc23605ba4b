"""Shell: sign-in, navigation, theme, keyboard shortcuts."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.layout import broken_head_words, document_width, small_targets
from tests.browser.screen import Screen, Theme

VIEWS = {
    "chat": "Chat",
    "tools-testing": "Test",
    "validation": "Validation",
    "traces": "Traces",
    "usage": "Usage",
    "retrieval": "Retrieval",
    "configuration": "Configuration",
}


def dialog(page: Page, title: str) -> None:
    expect(page.get_by_role("dialog", name=title)).to_be_visible()


def current_view(page: Page, title: str) -> None:
    expect(page.get_by_role("navigation", name="Views").locator("[aria-current=page]")).to_have_text(title)
    expect(page).to_have_title(f"{title} · Flexchat")


def test_page_requests_a_token_and_opens_with_it(screen: Screen) -> None:
    page = screen.open(signed_in=False)
    dialog(page, "API token")
    screen.axe()
    screen.shoot("sign-in")

    screen.sign_in(screen.token)

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Account")).to_be_visible()


def test_wrong_token_is_rejected_and_not_stored(screen: Screen) -> None:
    screen.expects("the server responded with a status of 40")
    page = screen.open(signed_in=False)

    screen.sign_in("fc_wrong", keep="browser")

    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("The token is not valid")
    expect(page.get_by_label("Token", exact=True)).to_have_attribute("aria-invalid", "true")
    assert page.evaluate("() => [...Object.keys(sessionStorage), ...Object.keys(localStorage)]") == []
    screen.axe()


def test_token_survives_a_reload_only_if_stored(screen: Screen) -> None:
    page = screen.open(signed_in=False)
    screen.sign_in(screen.token)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.reload()
    dialog(page, "API token")

    screen.sign_in(screen.token, keep="tab")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.reload()

    expect(page.get_by_role("button", name="Account")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_sign_in_reports_an_unreachable_service(screen: Screen) -> None:
    page = screen.open(signed_in=False)
    down = screen.route_fail("**/api/**")

    screen.sign_in(screen.token)

    problem = page.get_by_role("dialog").get_by_role("alert")
    expect(problem).to_have_text("No response. Check the network and that the stack is running, then try again.")
    down.lift()
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_health_has_a_text(screen: Screen) -> None:
    page = screen.open()
    expect(page.locator(".health")).to_have_text("● healthy")

    screen.route_fail("**/health")
    page.reload()

    expect(page.locator(".health")).to_have_text("▲ unreachable")


@pytest.mark.parametrize(("view", "title"), VIEWS.items())
def test_each_view_has_a_url(screen: Screen, view: str, title: str) -> None:
    current_view(screen.open(view), title)


def test_back_button_changes_the_view_without_a_page_load(screen: Screen) -> None:
    page = screen.open()
    views = page.get_by_role("navigation", name="Views")
    views.get_by_role("link", name="Test").click()
    views.get_by_role("link", name="Retrieval").click()
    current_view(page, "Retrieval")

    page.go_back()
    current_view(page, "Test")
    page.go_back()
    current_view(page, "Chat")
    page.go_forward()
    current_view(page, "Test")

    assert len([request for request in screen.watch.requests if request.is_navigation_request()]) == 1


def test_first_visit_loads_one_script_and_all_other_views_are_one_module(screen: Screen) -> None:
    page = screen.open()
    views = page.get_by_role("navigation", name="Views")
    for title in VIEWS.values():
        views.get_by_role("link", name=title, exact=True).click()
        current_view(page, title)

    loaded = {request.url: None for request in screen.watch.requests if request.resource_type != "fetch"}
    # Chromium requests the icon after the page has loaded, if at all.
    files = [url.rpartition("/")[2] for url in loaded if not url.endswith("/icon.svg")]
    assert files[:3] == ["", "style.css", "app.js"]
    assert [name.partition("-")[0] for name in files[3:]] == ["views"]


def test_theme_follows_the_system_until_one_is_selected(screen: Screen) -> None:
    page = screen.open(theme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")

    page.get_by_role("button", name="Switch to the light theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.reload()

    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    expect(page.get_by_role("button", name="Switch to the dark theme")).to_be_visible()


def test_content_views_and_help_are_reachable_with_the_keyboard(screen: Screen) -> None:
    page = screen.open()
    current_view(page, "Chat")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name=re.compile("^Skip to"))).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()

    page.keyboard.press("?")
    dialog(page, "Keyboard shortcuts")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.get_by_role("link", name="Validation").focus()
    page.keyboard.press("Enter")
    current_view(page, "Validation")


@pytest.mark.parametrize(
    ("width", "theme"), [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark"), (320, "light")]
)
@pytest.mark.parametrize("view", VIEWS)
def test_views_fit_the_screen_and_are_accessible(screen: Screen, view: str, width: int, theme: Theme) -> None:
    page = screen.open(view, width=width, theme=theme)
    current_view(page, VIEWS[view])
    screen.shoot(view)
    screen.axe()

    assert document_width(page) == width
    assert broken_head_words(page) == []
    assert small_targets(page) == []
