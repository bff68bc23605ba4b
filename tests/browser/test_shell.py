"""What all views share: signing in, going from view to view, the theme, the keys."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screen import Screen, Theme

VIEWS = {
    "tools-testing": "Test",
    "chat": "Chat",
    "validation": "Validation",
    "retrieval": "Retrieval",
    "configuration": "Configuration",
}


def dialog(page: Page, title: str) -> None:
    expect(page.get_by_role("dialog", name=title)).to_be_visible()


def current_view(page: Page, title: str) -> None:
    expect(page.get_by_role("navigation", name="Views").locator("[aria-current=page]")).to_have_text(title)
    expect(page).to_have_title(f"{title} · Flexchat")


def test_the_page_asks_for_a_token_and_opens_with_it(screen: Screen) -> None:
    page = screen.open(signed_in=False)
    dialog(page, "API token")
    screen.axe()
    screen.shoot("sign-in")

    screen.sign_in(screen.token)

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="token ▾", exact=True)).to_be_visible()


def test_a_wrong_token_is_told_where_it_was_typed_and_kept_nowhere(screen: Screen) -> None:
    screen.expects("the server responded with a status of 40")
    page = screen.open(signed_in=False)

    screen.sign_in("fc_wrong", keep=True)

    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("The service does not admit this token")
    expect(page.get_by_label("Token", exact=True)).to_have_attribute("aria-invalid", "true")
    assert page.evaluate("() => [...Object.keys(sessionStorage), ...Object.keys(localStorage)]") == []
    screen.axe()


def test_a_token_is_typed_again_after_a_reload_unless_it_was_to_be_kept(screen: Screen) -> None:
    page = screen.open(signed_in=False)
    screen.sign_in(screen.token)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.reload()
    dialog(page, "API token")

    screen.sign_in(screen.token, keep=True)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.reload()

    expect(page.get_by_role("button", name="token ▾", exact=True)).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_stack_that_is_down_is_told_to_whoever_signs_in(screen: Screen) -> None:
    page = screen.open(signed_in=False)
    down = screen.route_fail("**/api/**")

    screen.sign_in(screen.token)

    problem = page.get_by_role("dialog").get_by_role("alert")
    expect(problem).to_have_text("No answer came. Check the network and that the stack runs, then try again.")
    down.lift()
    page.get_by_role("button", name="Use this token").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_health_is_told_in_words(screen: Screen) -> None:
    page = screen.open()
    expect(page.locator(".health")).to_have_text("● healthy")

    screen.route_fail("**/health")
    page.reload()

    expect(page.locator(".health")).to_have_text("▲ unreachable")


@pytest.mark.parametrize(("view", "title"), VIEWS.items())
def test_each_view_has_an_address(screen: Screen, view: str, title: str) -> None:
    current_view(screen.open(view), title)


def test_the_back_button_goes_through_the_views_without_loading_the_page_again(screen: Screen) -> None:
    page = screen.open()
    views = page.get_by_role("navigation", name="Views")
    views.get_by_role("link", name="Chat").click()
    views.get_by_role("link", name="Retrieval").click()
    current_view(page, "Retrieval")

    page.go_back()
    current_view(page, "Chat")
    page.go_back()
    current_view(page, "Test")
    page.go_forward()
    current_view(page, "Chat")

    assert len([request for request in screen.watch.requests if request.is_navigation_request()]) == 1


def test_a_first_visit_loads_three_files_and_an_icon_and_no_more_for_other_views(screen: Screen) -> None:
    page = screen.open()
    views = page.get_by_role("navigation", name="Views")
    for title in VIEWS.values():
        views.get_by_role("link", name=title, exact=True).click()
        current_view(page, title)

    loaded = {request.url: None for request in screen.watch.requests if request.resource_type != "fetch"}
    # Chromium asks for the icon once the page has loaded, if at all.
    files = [url.rpartition("/")[2] for url in loaded if not url.endswith("/icon.svg")]
    assert files == ["", "style.css", "app.js"]


def test_the_theme_is_the_systems_until_one_is_chosen_and_then_stays(screen: Screen) -> None:
    page = screen.open(theme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")

    page.get_by_role("button", name="Change to the light theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.reload()

    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    expect(page.get_by_role("button", name="Change to the dark theme")).to_be_visible()


def test_the_keyboard_alone_reaches_content_views_and_help(screen: Screen) -> None:
    page = screen.open()
    current_view(page, "Test")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name=re.compile("^Skip to"))).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()

    page.keyboard.press("?")
    dialog(page, "Keys")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.get_by_role("link", name="Validation").focus()
    page.keyboard.press("Enter")
    current_view(page, "Validation")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_fits_the_screen_and_keeps_nobody_out(screen: Screen, view: str, width: int, theme: Theme) -> None:
    page = screen.open(view, width=width, theme=theme)
    current_view(page, VIEWS[view])
    screen.shoot(view)
    screen.axe()

    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
